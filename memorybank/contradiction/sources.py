"""Sentences that open by naming who says so: "A report says that …", 一篇报道说，…; and where what is told begins.

The source is neither what the text is about nor what "it" stands for in the next sentence. The frame is known by its
grammar: a subject, a verb of saying or recording, then a comma, a colon, a quotation mark or "that".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.phrases import Name, Predicate
from memorybank.language.han import HAN, is_han

DENIED = "denied"
"""The hedge on what a source is said to deny or to have wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """`sentence[:end]` names the holder of what follows. `doubts`: who holds that it is not so. `day`: where the day of
    a dateline begins, which is that of the report."""

    holder: str
    end: int
    doubts: bool = False
    day: int | None = None


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


_HOLDER_ZH = r"(?P<holder>(?!有的?人|有些人|某些人|据|人们|大家)[^，。；！？：:,;“”「」\d]{1,30}?)"
_SAYS_ZH = (
    rf"(?<![小传学解演名简俗通又合统全昵尊号职据听相声自])(?:{_any(words_zh.TELLING_VERBS)})(?:[着过了到道]|说|称)?"
)
_OPENS_ZH = r"[，,:：]\s*[“「『]?|[“「『]"
_TELLER_ZH = rf"(?:{_any(words_zh.TELLERS)}|》)[里中上内]?"
_DOUBTS_ZH = _any(words_zh.DOUBTING)
_DAY_ZH = r"(?:(?:\d{4}|[一二三四五六七八九〇零]{4})年)?[\d一二三四五六七八九十]{1,3}月[\d一二三四五六七八九十]{1,3}日"
DATELINE_ZH_RE = re.compile(
    rf"\A[\s【\[]*(?P<holder>[^，。；！？：:,;“”「」\d（）()]{{0,30}}?)"
    rf"(?:{_DAY_ZH}(?:[下上]午|晚)?(?:专?电|讯|消息)|(?<=本[报刊台社网站])(?:{_DAY_ZH})?(?:专?电|讯|消息))"
    r"[】\]]?(?:\s*[（(][^（）()]{1,40}[）)])*(?:\s*[：:，,—-]+\s*|\s+|(?<=[）)】\]]))"
)
"""Who reports, from where and on which day, the report's, not that of what it tells: 新华社北京8月13日电（记者李明）.
Or 本报讯 alone."""
_SOURCES_ZH = (
    re.compile(rf"\A(?P<holder>[^，。；！？：:,;\d]{{0,30}}?)(?P<doubts>{_DOUBTS_ZH})[，,:：]?[“「]?"),
    re.compile(rf"\A{_HOLDER_ZH}{_SAYS_ZH}(?:{_OPENS_ZH})"),
    re.compile(rf"\A(?P<holder>[^，。；！？：:,;“”「」\d]{{0,30}}?{_TELLER_ZH}){_SAYS_ZH}(?=[{HAN}《])"),
    re.compile(rf"\A(?P<holder>[^，。；！？：:,;“”「」\d]{{0,30}}?{_TELLER_ZH})(?:[:：]\s*[“「]?)"),
)
_UNSAID_RE = re.compile(r"(?:没有|没|未|从未|未曾|不曾|并不|不|并非)(?:曾|明确|详细)?$")

_HOLDER_EN = r"(?P<holder>[^,;:.!?“”\"\d]{1,90}?)"
_SAYS_EN = rf"(?:{_any(words_en.TELLING_VERBS)})(?:\s(?:us|me|them|him|her|you|readers|visitors|reporters))?"
_DOUBTS_EN = _any(words_en.DOUBTING)
_SOURCES_EN = (
    re.compile(
        rf"\A(?P<holder>[^,;:.!?“”\"\d]{{1,90}}?)\s(?P<doubts>{_DOUBTS_EN})(?:\s(?:the|any|this)\s\w+)?\s(?:that|whether|if)\s",
        re.IGNORECASE,
    ),
    re.compile(rf"\A{_HOLDER_EN}\s{_SAYS_EN}(?:\sthat\s|\s*[,:]\s*[“\"]?|\s(?=[“\"]))", re.IGNORECASE),
    re.compile(rf"\A{_HOLDER_EN}\s(?i:says|said)\s(?=(?:the|The)\s|[A-Z][a-z])"),
    re.compile(
        rf"\A(?P<holder>[^,;:.!?“”\"\d]{{0,80}}?\b(?i:{_any(words_en.TELLERS)}))\s?:\s+[“\"]?(?=[A-Z]|(?:the|an?)\s)"
    ),
    re.compile(r"\A(?:according to|as per)\s(?P<holder>[^,;:.!?\d]{1,80}),\s", re.IGNORECASE),
    re.compile(rf"\Aas\s(?P<holder>[^,;:.!?\d]{{1,80}}?)\s{_SAYS_EN}(?:\sit)?,\s", re.IGNORECASE),
)
_WRONGLY_RE = re.compile(
    r"\b(?:wrongly|falsely|mistakenly|incorrectly|erroneously|never|not|no longer|hardly)\b|n['’]t\b", re.I
)


def source_zh(sentence: str) -> Source | None:
    """The source that a Chinese sentence opens with, if it does."""
    if match := DATELINE_ZH_RE.match(sentence):
        return Source(holder=match["holder"], end=match.end(), day=match.end("holder"))
    for pattern in _SOURCES_ZH:
        if match := pattern.match(sentence):
            unsaid = "doubts" in match.groupdict() or bool(_UNSAID_RE.search(match["holder"]))
            return Source(holder=match["holder"], end=match.end(), doubts=unsaid)
    return None


def source_en(sentence: str) -> Source | None:
    """The source that an English sentence opens with, if it does."""
    for pattern in _SOURCES_EN:
        if match := pattern.match(sentence):
            unsaid = "doubts" in match.groupdict() or bool(_WRONGLY_RE.search(match[0]))
            return Source(holder=match["holder"], end=match.end(), doubts=unsaid)
    return None


def parted(source: Source, predicates: Sequence[Predicate]) -> tuple[Predicate, ...]:
    """What is told, where it stands without its source; empty where it leans on it.

    "The Alder yearbook says that the dormitory has 12 rooms" speaks of Alder's: only what bears a name of its own is
    parted from a source that has one.
    """
    if not predicates:
        return ()
    if source.doubts:
        return tuple(replace(predicate, hedges=predicate.hedges | {DENIED}) for predicate in predicates)
    names = predicates[0].subject.names
    if source.day is not None:  # an agency reports of others; only 镇医院 is that of the town where it is read
        return () if names and _kind(names[0]) and not _identifies(names[0]) else tuple(predicates)
    if not names or not (_identifies(names[0]) or _is_plain(source.holder)):
        return ()
    return tuple(predicates)


_KINDS = tuple(sorted(words_zh.STANDING | words_zh.STRUCTURES, key=len, reverse=True))


def _identifies(name: Name) -> bool:
    """Whether a name alone tells which one is meant: 清河造纸厂, a title, a word with a capital; not 教学楼."""
    if not is_han(name.text) or not name.text.isalpha() or name.text[0] in "《“「":
        return True
    kind = _kind(name)
    own = name.text.removesuffix(kind)
    return bool(kind) and len(own) > 1 and not own.startswith(tuple(words_zh.PLAIN_FIRST))


def _kind(name: Name) -> str:
    """The word at the end of a Chinese name that says what it is."""
    return next((kind for kind in _KINDS if name.text.endswith(kind)), "")


_PLAIN_ZH_RE = re.compile(
    rf"{_any(words_zh.TELLERS)}|{_any(words_zh.PLAIN_SOURCES)}"
    r"|[一二两三几某这那该本][篇份本部张则封块位名家座条段些个册]?|[的里中上内《》县市省镇乡村区厂校馆院旧老新]"
)


def _is_plain(holder: str) -> bool:
    """Whether a Chinese source bears no name that could own what it tells of: 一篇报道, 村里的老人, 县志."""
    return is_han(holder) and not own_name(holder)


def own_name(holder: str) -> str:
    """What a Chinese source is called beside the words that any source may have: 东山小学的年报 is 东山小学's."""
    return _PLAIN_ZH_RE.sub("", holder).strip()
