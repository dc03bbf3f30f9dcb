"""What an author marks in a discussion: hooks, settings, cards of people and things, an outline, what is settled.

A marked line says itself what it is ("伏笔：…", "Step 2: …"), so nothing is guessed. What stands after the mark is the
author's own wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from memorybank.language.han import HAN, is_han
from memorybank.language.kin import kin_words
from memorybank.language.numerals import number
from memorybank.memory.types import Lang
from memorybank.narrative.reading.dating import chapter_references, first_chapter_named
from memorybank.narrative.reading.lists import lists, words
from memorybank.narrative.types import EntityKind, PlanKind, PlanStatus

Mark = Literal["settled", "hook", "hook_resolved", "setting", "plan", "status", "entity", "definition", ""]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a turn. `text` is what stands after its mark; without one, the line."""

    mark: Mark
    text: str
    name: str = ""
    """What a card or a definition is about."""
    plan: PlanKind | None = None
    entity: EntityKind | None = None
    step: int | None = None
    chapter: int | None = None
    """Of a mark behind a chapter: 第七章 伏笔回收：…"""
    aliases: tuple[str, ...] = ()
    """Other names that stand in brackets behind the name of a card: "Vera (formerly Mara)"."""
    status: PlanStatus | None = None
    """Of a line that says how far a plan is; `text` is the plan's title."""
    raw: str = ""
    """The line as it was written."""
    asked: bool = False
    """It has a mark, and is a question: it settles nothing."""


_COLON: Final = r"\s*(?:[:：]|——|--|–|—)\s*"
_BULLET_RE: Final = re.compile(r"^[\s>*•·#-]*(?:\d{1,2}[.)、]\s+(?=\S))?")
_NAME_RE: Final = re.compile(rf"(?P<name>[{HAN}A-Za-z][{HAN}\w’'· -]{{0,29}}?)(?:\s*[（(](?P<also>[^）)]*)[）)])?")
_DEFINITION_RE: Final = re.compile(rf"^{_NAME_RE.pattern}[:：]\s*(?P<text>\S.{{3,}})$")
_STEP_RE: Final = {
    "zh": re.compile(r"^第(?P<n>[一二三四五六七八九十\d]{1,3})步[:：，,]?\s*(?P<text>.+)$"),
    "en": re.compile(r"^step\s+(?P<n>\d{1,2}|[a-z]+)\s*[:.,-]\s*(?P<text>.+)$", re.IGNORECASE),
}
_NEXT_RE: Final = {
    "zh": re.compile(r"^(?:接下来|下一步|随后|再往后)[，,：: ]?\s*(?P<text>[^？?]+)$"),
    "en": re.compile(r"^next\s*[,:]\s*(?P<text>[^?]+)$", re.IGNORECASE),
}
_QUESTION_RE: Final = re.compile(r"[？?]\s*[”\"’」]?\s*$")
_PLANS: Final = {"general": PlanKind.GENERAL, "long": PlanKind.LONG, "short": PlanKind.SHORT, "step": PlanKind.STEP}


def lines(text: str, lang: Lang) -> Iterator[Line]:
    """The lines of a turn, blank ones left out."""
    for raw in text.splitlines():
        bare = _BULLET_RE.sub("", raw, count=1).strip()
        if bare:
            yield replace(_line(bare, lang), raw=raw.strip())


def _line(line: str, lang: Lang) -> Line:
    marked = _marked(line, lang) or _behind_chapter(line, lang)
    if _QUESTION_RE.search(line):  # a question settles nothing, whatever it begins with; it may be what a hook asks
        return marked if marked is not None and marked.mark in _HOOKS else Line("", line, asked=marked is not None)
    return _status(line, lang) or _outline(line, lang) or marked or _defined(line, lang) or Line("", line)


_HOOKS: Final = ("hook", "hook_resolved")
_SETTLING: Final = (*_HOOKS, "settled")
_BEHIND_RE: Final = re.compile(r"\s*[,，:：、.-]?\s*")


def _behind_chapter(line: str, lang: Lang) -> Line | None:
    """A mark behind the chapter that it is of; the chapter's text, or outline, is none."""
    first = next(chapter_references(line), None)
    if first is None or line[: first.start].strip().lower() not in ("", "in"):
        return None
    rest = line[first.end :]
    marked = _marked(_BEHIND_RE.sub("", rest, count=1), lang)
    return replace(marked, chapter=first.chapter) if marked is not None and marked.mark in _SETTLING else None


def _outline(line: str, lang: Lang) -> Line | None:
    match = _STEP_RE[lang].match(line)
    if match and number(match["n"]) is not None:
        return Line("plan", match["text"].strip(), plan=PlanKind.STEP, step=number(match["n"]))
    match = _NEXT_RE[lang].match(line)
    return Line("plan", match["text"].strip(), plan=PlanKind.STEP) if match else None


def _status(line: str, lang: Lang) -> Line | None:
    """ "Step completed: Mara leaves home", 已完成：林霜离家, "Mara leaves home: done"."""
    match = next((match for pattern in _status_re(lang) if (match := pattern.match(line))), None)
    title = match["title"].strip(' “”"「」《》') if match else ""
    return Line("status", title, status=_status_of(match["word"], lang)) if match else None


def _status_of(word: str, lang: Lang) -> PlanStatus:
    written = " ".join(word.lower().split())
    return next(PlanStatus(name) for name, own in lists(f"markers.{lang}")["status"].items() if written in words(own))


@cache
def _status_re(lang: Lang) -> tuple[re.Pattern[str], ...]:
    """At the head of a line, and at its end."""
    every = words([word for own in lists(f"markers.{lang}")["status"].values() for word in words(own)])
    word = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in every)
    ahead = r"(?:步骤|步驟|大纲|大綱|计划|計劃)?" if lang == "zh" else r"(?:(?:step|outline|plan)\s+)?"
    return (
        re.compile(rf"^{ahead}(?P<word>{word})\s*[:：]\s*(?P<title>\S.*)$", re.IGNORECASE),
        re.compile(rf"^{ahead}(?P<title>.+?)\s*[:：]\s*(?P<word>{word})[。！!.]?$", re.IGNORECASE),
    )


@cache
def _patterns(lang: Lang) -> tuple[tuple[re.Pattern[str], Mark, str], ...]:
    """The marks with what they stand for, those that begin another one last."""
    listed = lists(f"markers.{lang}")
    plain: tuple[Mark, ...] = ("hook_resolved", "hook", "setting", "settled")
    grouped: tuple[Mark, ...] = ("plan", "entity")
    rows: list[tuple[str, Mark, str]] = [(word, mark, "") for mark in plain for word in words(listed[mark])]
    rows += [
        (word, mark, kind) for mark in grouped for kind, entries in listed[mark].items() for word in words(entries)
    ]
    rows.sort(key=lambda entry: -len(entry[0]))
    return tuple(
        (
            re.compile(
                rf"^[【\[]?{re.escape(word)}[】\]]?(?:\s*[（(](?P<of>[^）)]{{1,20}})[）)])?{_COLON}(?P<text>\S.*)$",
                re.IGNORECASE,
            ),
            mark,
            kind,
        )
        for word, mark, kind in rows
    )


def _marked(line: str, lang: Lang) -> Line | None:
    for pattern, mark, kind in _patterns(lang):
        match = pattern.match(line)
        if match:
            marked = _of_mark(mark, kind, match["text"].strip())
            chapter = first_chapter_named(match["of"] or "")
            return marked if marked is None or chapter is None else replace(marked, chapter=chapter)
    return None


def _of_mark(mark: Mark, kind: str, text: str) -> Line | None:
    if mark == "plan":
        return Line(mark, text, plan=_PLANS[kind])
    if mark == "entity" and kind == EntityKind.EVENT and (of := _OF_CHAPTER_RE.search(text)):
        card = _card(text[: of.start()] + text[of.end() :], EntityKind.EVENT)
        return replace(card, chapter=first_chapter_named(of[0])) if card is not None else None
    if mark == "entity":
        return _card(text, EntityKind(kind))
    return _setting(text) if mark == "setting" else Line(mark, text)


_OF_CHAPTER_RE: Final = re.compile(
    r"\s*[,，(（]?\s*(?:\bin\s+|在)?(?:第[^，。,;；:：]{1,8}[章回]|\b(?:chapter|ch\.)\s*[\w-]+)\s*[)）]?(?=\s*[,，.。;；:：]|$)",
    re.IGNORECASE,
)
"""The chapter of an event behind its name."""
_CARD_RE: Final = re.compile(rf"^{_NAME_RE.pattern}\s*(?:$|(?:[，,：:。;；]|——|--|–|—|\s-\s)\s*(?P<text>.*)$)")


def _card(text: str, kind: EntityKind) -> Line | None:
    match = _CARD_RE.match(text)
    if not match:
        return None
    lang: Lang = "zh" if is_han(text) else "en"
    note = (match["text"] or "").strip()
    aliases = tuple(dict.fromkeys(bracketed(match["also"] or "", lang)))
    return Line("entity", note, name=match["name"].strip(), entity=kind, aliases=aliases)


_ALIAS_RE: Final = {
    "zh": re.compile(rf"[{HAN}]{{2,4}}"),
    "en": re.compile(r"(?:the\s+)?[A-Z][\w’'-]+(?:\s+(?:of\s+(?:the\s+)?)?[A-Z][\w’'-]+){0,3}"),
}
_NO_ALIAS_RE: Final = re.compile(r"[岁年章回卷男女的]|[一二三四五六七八九十\d]")
_WAS: Final = (
    r"(?:原名|本名|旧名|曾用名|曾名|原叫|本叫)[叫是为]?|(?:formerly|previously|originally)(?:\s+(?:called|known\s+as|named))?\b"
    r"|once\s+(?:called|known\s+as|named)\b|née\b|born\b"
)
_SAYS_SO_RE: Final = re.compile(
    rf"^(?:{_WAS}|又[叫名称]|人称|别名|外号|绰号|小名|乳名|后?改名[叫为]?|[今现]名[叫为]?|化名|字|号|also\s+called|a\.?k\.?a\.?"
    r"|alias|(?:now|later)(?:\s+(?:called|known\s+as|named))?|called)[:：\s]*",
    re.I,
)


def bracketed(inside: str, lang: Lang) -> Iterator[str]:
    """The names among what stands in brackets behind a name: 霜儿, "the Fox"; no age, trade or chapter."""
    for part in re.split(r"[、，,/／;；]", inside):
        alias = _SAYS_SO_RE.sub("", part.strip())
        if _ALIAS_RE[lang].fullmatch(alias) and (lang == "en" or not (_NO_ALIAS_RE.search(alias) or is_kind(alias))):
            yield alias


@cache
def _kind_re() -> re.Pattern[str]:
    related = lists("relations.zh")["words"]
    nouns = [*kin_words("zh"), *(word for name in ("rank", "head") for word in words(related[name]))]
    return re.compile(rf"(?:{'|'.join(map(re.escape, nouns))})$|客$|[师匠者手人]$")


def is_kind(text: str) -> bool:
    """Whether it says what somebody is, not how they are called: 剑客, 铁匠, 师父."""
    return _kind_re().search(text) is not None


def _setting(text: str) -> Line:
    match = _CARD_RE.match(text)
    if match and match["text"]:
        return Line("setting", match["text"].strip(), name=match["name"].strip())
    return Line("setting", text, name=re.split(r"[，,。.；;：:]", text, maxsplit=1)[0][:40].strip())


def _defined(line: str, lang: Lang) -> Line | None:
    """ "照夜：一柄会在夜里发光的剑": a short name, a colon, what it is."""
    match = _DEFINITION_RE.match(line)
    if not match or len(match["name"]) > (8 if lang == "zh" else 30) or not _is_name(match["name"], lang):
        return None
    return Line("definition", match["text"].strip(), name=match["name"].strip())


def _is_name(name: str, lang: Lang) -> bool:
    if lang == "zh":
        return not re.search(r"[的了吗呢我你他她说问答道是在请想]", name)
    return all(word[:1].isupper() or word in ("the", "of", "and", "a") for word in name.split())
