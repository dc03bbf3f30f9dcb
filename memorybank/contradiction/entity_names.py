"""Names in a text, and whether two phrases name one thing. For questions, answers and disputes.

Names are found by how they are written: capital letters, codes, Chinese quotation marks, and what a Chinese clause
begins with. Whether two of them are one is decided by the same comparison as that of claims (`phrases`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.phrases import Units, match_units
from memorybank.language.han import HAN, is_han

_QUOTED_RE = re.compile(r"[“‘《「『](?P<name>[^”’》」』，。？！；]{1,24})[”’》」』]")
_LATIN_RE = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z][\w.-]*|[a-z]*\d[\w.-]*[A-Za-z][\w.-]*|[a-z]+-?\d[\w.-]*)(?:['’]s?(?![A-Za-z]))?"
    r"(?:\s+(?:of\s+(?:the\s+)?)?(?:[A-Z][\w.-]*|[a-z]\d[\w-]*|\d+[A-Za-z][\w-]*|\d{1,3}(?![\w.,]*\w))(?:['’]s?(?![A-Za-z]))?)*",
    re.ASCII,
)
_POSSESSIVE_RE = re.compile(r"['’]s?(?=\s|$)")
_OWNER_RE = re.compile(r"(?<=['’]s)\s+|(?<=s['’])\s+")
_WORD_RE = re.compile(rf"[{HAN}]|[^\W_{HAN}](?:[\w.-]*\w)?")
_ASKING = frozenset(
    "what who whom whose when where why how which whether is are was were did does do has have had can could may "
    "should will would find list compare explain describe summarise summarize check tell name give i".split()
)
_NO_NAMES: Final = _ASKING | words_en.FUNCTION | words_en.PRONOUNS | words_en.ARTICLES
_KINDS: Final = frozenset(words_en.STRUCTURES)
"""Nouns that tell one thing from another of the same name: the Sorrel mill, the Sorrel barn."""
_EMPTY_NOUNS: Final = words_en.GENERIC_NOUNS - _KINDS
_HAN_KINDS: Final = tuple(kind for kind in words_zh.GENERIC - words_zh.STANDING if len(kind) > 1)
_KIND_RE = re.compile(r"\s+(?P<noun>[a-z]+)")
_BESIDE_RE = re.compile(
    r"\s+(?:beside|near|behind|next to|opposite|above|below|under|outside|around|before|in front of)\s.*$"
    r"|^.+?(?:旁边?|附近|对面|边上|前面|后面|外面?|下方|上方)的(?=.)"
)
"""Where something stands is not what it is: "the bridge beside the Alder Academy", 白石闸旁的水电站."""
_IDLE: Final = words_en.ARTICLES | words_en.PRONOUNS | frozenset("its his her their our of".split())
_HAN_VERSION = "一二三四五六七八九十0123456789"
_HAN_HEAD_RE = re.compile(
    rf"^(?:请问|请|查找|查一查|介绍一下|介绍|说明|关于|在|比较|从|问一下)*(?P<head>[{HAN}A-Za-z0-9·-]{{2,14}}?)"
    r"(?=[的之在是有由于从被和与]|取得|何时|什么|谁|哪|几|多[少大高长重远久深宽厚快]|如何|怎|为何|是否|[，、；])"
)
MEANS_BACK_RE = re.compile(r"\b(?:it|its|they|their|them|he|his|him|she|her)\b|[它他她其该]", re.IGNORECASE)
"""A part of a question that means what the part before it named."""
_HAN_NO_HEAD_RE = re.compile(
    r"[是有它他她其该这那此]|什么|多少|哪|谁|何时|几|怎|如何|为什么|最后|后来|当时|是否|一共|总共|分别|都|又|再|还|并"
    r"|能|会|可以|应该|需要|要|被|从|由|在|到|用"
)


@lru_cache(maxsize=16_384)
def names_in(text: str) -> tuple[str, ...]:
    """Names as they are written, each once; of “Google's Willow” the thing, not whose it is."""
    placed: list[tuple[int, str]] = []
    chinese = is_han(text)
    if chinese:
        placed += [(match.start(), match["name"]) for match in _QUOTED_RE.finditer(text) if is_han(match["name"])]
    for match in _LATIN_RE.finditer(text):
        pieces = [piece for piece in _OWNER_RE.split(match[0]) if piece]
        placed.append((match.start(), _with_kind(text, match.end(), _trimmed(pieces[-1]))))
    ordered = dict.fromkeys(name for _, name in sorted(placed) if name)
    return tuple(name for name in ordered if not any(name != other and name in other for other in ordered))


def _with_kind(text: str, end: int, name: str) -> str:
    """A name with the noun behind it that says what it is: Sorrel mill."""
    noun = _KIND_RE.match(text, end)
    return f"{name} {noun['noun']}" if name and noun and noun["noun"] in _KINDS else name


def _trimmed(name: str) -> str:
    """Without question words and the like that a sentence begins with, and without a full stop or 's at its end."""
    words = name.split()
    while words and _POSSESSIVE_RE.sub("", words[0]).casefold() in _NO_NAMES and not _is_code(words[0]):
        words = words[1:]
    name = _POSSESSIVE_RE.sub("", " ".join(words)).rstrip(".'’-")
    return name if any(map(str.isalpha, name)) else ""


def _is_code(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def head_of(clause: str) -> str:
    """What a Chinese clause begins with, where that may be what it is about; empty for a pronoun or a question word."""
    match = _HAN_HEAD_RE.match(clause)
    head = match["head"] if match else ""
    return "" if not head or _HAN_NO_HEAD_RE.match(head) or head in words_zh.VERB_CLASS else head


def subjects_of(part: str) -> tuple[str, ...]:
    """What a part of a question is about, as it writes it; with whose it is ("Google's Willow")."""
    names = names_in(part)
    if is_han(part):
        head = head_of(part)
        return names or ((head,) if head and not _is_attribute(head) else ())
    return tuple(_owned(part, name) for name in names[:3])


def _owned(part: str, name: str) -> str:
    match = re.search(rf"(?:[A-Z][\w.-]*['’]s?\s+){re.escape(name)}(?!\w)", part)
    return match[0] if match else name


@lru_cache(maxsize=16_384)
def _without_kind(name: str) -> str:
    """A Chinese name without the word for its kind at its end: 韦布 of 韦布望远镜; but 长江大桥 is not 长江."""
    kinds = [kind for kind in _HAN_KINDS if name.endswith(kind)]
    short = name.removesuffix(max(kinds, key=len)) if kinds else name
    return short if len(short) > 1 else name


def _is_attribute(head: str) -> bool:
    """Whether a Chinese clause begins with what is asked, not with whom it is asked of: 主镜直径是多少."""
    return any(head.endswith(word) for word in (*words_zh.ATTRIBUTE_OF, *words_zh.ROLE_OF, "数量", "数目", "名字"))


# -- sameness ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=65_536)
def same_name(left: str, right: str) -> bool:
    """Whether two phrases name one entity: words may be added (“Willow”, “its Willow chip”), not exchanged.

    A version makes another one (九章, 九章二号). That both are lighthouses, each with a name beside it, tells nothing.
    """
    first, second = units_of(left), units_of(right)
    if not first or not second:
        return False
    kindless = tuple(map(_without_kind, (left, right)))
    if is_han(left) and is_han(right) and kindless != (left, right) and len(min(kindless, key=len)) > 1:
        first, second = units_of(kindless[0]), units_of(kindless[1])
    if is_han(first[0]) and is_han(second[0]):
        short, long = sorted(("".join(first), "".join(second)), key=len)
        if short not in long:  # 云顶塔, 云顶大桥的桥塔
            return False
    telling_nothing = words_en.GENERIC_NOUNS | (_beside_names(left) & _beside_names(right))
    return first == second or match_units(first, second, telling_nothing) == "same"


@lru_cache(maxsize=16_384)
def _beside_names(phrase: str) -> frozenset[str]:
    """The words of an English phrase that are written small while others are names."""
    words = [word for word in _WORD_RE.findall(phrase) if word.casefold() not in _IDLE]
    small = frozenset(word for word in words if word.isascii() and word.islower())
    return small if any(word[0].isupper() for word in words) else frozenset()


@lru_cache(maxsize=16_384)
def units_of(phrase: str) -> Units:
    """A phrase as `match_units` compares names: generic words left out, where something else is left."""
    phrase = _BESIDE_RE.sub("", phrase)
    quoted = _QUOTED_RE.search(phrase) if is_han(phrase) else None
    plain = (quoted["name"] if quoted else _POSSESSIVE_RE.sub("", phrase)).casefold()
    words = [word for word in _WORD_RE.findall(plain) if is_han(word) or word not in _IDLE]
    named = [word for word in words if word not in _EMPTY_NOUNS]
    return tuple(named or words)


def is_named_in(text: str, names: Iterable[str]) -> bool:
    """Whether a text names one of these."""
    return any(_stands(name, text) for name in names)


def is_title_of(title: str, names: Iterable[str]) -> bool:
    """Whether a heading is one of these names, and no other thing's that the name is a part of: The Tessary bakery."""
    plain = re.sub(r"\s*[(（].*$", "", title)
    for name in names:
        known = {*units_of(name), *_IDLE, *_EMPTY_NOUNS}
        more = [word for word in _WORD_RE.findall(plain) if word.casefold() not in known]
        if same_name(plain, name) and (is_han(name) or not any(map(str.islower, more))):
            return True
    return False


def _stands(name: str, text: str) -> bool:
    if is_han(name):
        return _han_stands(name, text) or _han_stands(_without_kind(name), text)
    return any(same_name(name, other) for other in names_in(text))


def _han_stands(name: str, text: str) -> bool:
    """Where a Chinese name stands with no version after it: 九章, but not in 九章二号."""
    at = text.find(name)
    while at >= 0:
        after = text[at + len(name) : at + len(name) + 2].lstrip("”’》」』")
        version = after[:1] in _HAN_VERSION and after[1:2] in ("号", "代", "期", "") if after else False
        if not version or text[at + len(name) : at + len(name) + 1] in "”’》」』":
            return True
        at = text.find(name, at + 1)
    return False
