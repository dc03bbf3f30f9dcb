"""The marks of an author in a discussion: hooks, settings, cards of people and things, an outline, settled points.

A marked line says itself what it is ("伏笔：…", "Step 2: …"), so nothing is guessed. What stands after the mark is the
author's own wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final, Literal

from memorybank.language.numbers import number
from memorybank.language.text import HAN, is_han
from memorybank.memory.types import Lang
from memorybank_studio.reading.mentions import chapter_references, first_chapter_named, lists, words
from memorybank_studio.types import EntityKind, PlanKind, PlanStatus

Mark = Literal["settled", "hook", "hook_resolved", "setting", "plan", "status", "entity", ""]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a turn. `text` is what stands after its mark; without one, the line."""

    mark: Mark
    text: str
    name: str = ""
    """The name of what a card is about."""
    plan: PlanKind | None = None
    entity: EntityKind | None = None
    step: int | None = None
    chapter: int | None = None
    """The chapter of a mark that stands behind one: 第七章 伏笔回收：…"""
    aliases: tuple[str, ...] = ()
    """Other names that stand in brackets behind the name of a card: "Vera (formerly Mara)"."""
    status: PlanStatus | None = None
    """The status of a line that says how far a plan is; `text` is the plan's title."""
    raw: str = ""
    """The line as it was written."""
    asked: bool = False
    """It has a mark, and is a question: it settles nothing."""


_COLON: Final = r"\s*(?:[:：]|——|--|–|—)\s*"
_BULLET_RE: Final = re.compile(r"^[\s>*•·#-]*(?:\d{1,2}[.)、]\s+(?=\S))?")
_NAME_RE: Final = re.compile(rf"(?P<name>[{HAN}A-Za-z][{HAN}\w’'· -]{{0,29}}?)(?:\s*[（(](?P<also>[^）)]*)[）)])?")
_STEP_RE: Final = {
    "zh": re.compile(r"^第(?P<n>[一二三四五六七八九十\d]{1,3})步[:：，,]?\s*(?P<text>.+)$"),
    "en": re.compile(r"^step\s+(?P<n>\d{1,2}|[a-z]+)\s*[:.,-]\s*(?P<text>.+)$", re.IGNORECASE),
}
_COUNTED_RE: Final = {
    "zh": re.compile(r"第(?P<n>[一二三四五六七八九十\d]{1,3})步(?=[:：，,]?\s*\S)"),
    "en": re.compile(r"\bstep\s+(?P<n>\d{1,2}|[a-z]+)(?=\s*[:.,-]\s*\S)", re.IGNORECASE),
}
_QUESTION_RE: Final = re.compile(r"[？?]\s*[”\"’」]?\s*$")
_PLANS: Final = {"general": PlanKind.GENERAL, "long": PlanKind.LONG, "short": PlanKind.SHORT, "step": PlanKind.STEP}


def lines(text: str, lang: Lang) -> Iterator[Line]:
    """Yield the lines of a turn, blank ones left out; steps that are counted within one line are a line each."""
    for raw in (part for line in text.splitlines() for part in _steps_apart(line, lang)):
        bare = _BULLET_RE.sub("", raw, count=1).strip()
        if bare:
            yield replace(_line(bare, lang), raw=raw.strip())


def _steps_apart(line: str, lang: Lang) -> list[str]:
    """Return the line cut before each of its steps, where these count from 1 on and are two at least."""
    steps = list(_COUNTED_RE[lang].finditer(line))
    if len(steps) < 2 or [number(step["n"]) for step in steps] != list(range(1, len(steps) + 1)):
        return [line]
    borders = [0, *(step.start() for step in steps), len(line)]
    return [line[start:end].rstrip(" ，,；;") for start, end in pairwise(borders)]


def _line(line: str, lang: Lang) -> Line:
    marked = _marked(line, lang) or _behind_chapter(line, lang)
    if _QUESTION_RE.search(line):  # a question settles nothing, whatever it begins with; it may be what a hook asks
        return marked if marked is not None and marked.mark in _HOOKS else Line("", line, asked=marked is not None)
    return _status(line, lang) or _outline(line, lang) or marked or Line("", line)


_HOOKS: Final = ("hook", "hook_resolved")
_SETTLING: Final = (*_HOOKS, "settled")
_BEHIND_RE: Final = re.compile(r"\s*[,，:：、.-]?\s*")


def _behind_chapter(line: str, lang: Lang) -> Line | None:
    """Return a mark behind the chapter that it is of; the chapter's text, or outline, is none."""
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
    return None


def _status(line: str, lang: Lang) -> Line | None:
    """Read "Step completed: Mara leaves home", 已完成：林霜离家, "Mara leaves home: done"."""
    match = next((match for pattern in _status_re(lang) if (match := pattern.match(line))), None)
    if match is None:
        return None
    written, known = " ".join(match["word"].lower().split()), lists(f"markers.{lang}")["status"]
    status = next(PlanStatus(name) for name, own in known.items() if written in words(own))
    return Line("status", match["title"].strip(' “”"「」《》'), status=status)


@cache
def _status_re(lang: Lang) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a status at the head of a line, and at its end."""
    every = words([word for own in lists(f"markers.{lang}")["status"].values() for word in words(own)])
    word = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in every)
    ahead = r"(?:步骤|步驟|大纲|大綱|计划|計劃)?" if lang == "zh" else r"(?:(?:step|outline|plan)\s+)?"
    return (
        re.compile(rf"^{ahead}(?P<word>{word})\s*[:：]\s*(?P<title>\S.*)$", re.IGNORECASE),
        re.compile(rf"^{ahead}(?P<title>.+?)\s*[:：]\s*(?P<word>{word})[。！!.]?$", re.IGNORECASE),
    )


@cache
def _patterns(lang: Lang) -> tuple[tuple[re.Pattern[str], Mark, str], ...]:
    """Return the marks with what they stand for, those that begin another one last."""
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
    also = match["also"] or ""
    aliases = tuple(dict.fromkeys(_named_in_brackets(also)))
    note = (match["text"] or "").strip()
    if also and not aliases:  # an age, a trade: it belongs to what is noted
        note = ("；" if is_han(also[:1]) else "; ").join(filter(None, (also.strip(), note)))
    return Line("entity", note, name=match["name"].strip(), entity=kind, aliases=aliases)


_WAS: Final = (
    r"(?:原名|本名|旧名|曾用名|曾名|原叫|本叫)[叫是为]?|(?:formerly|previously|originally)(?:\s+(?:called|known\s+as|named))?\b"
    r"|once\s+(?:called|known\s+as|named)\b|née\b|born\b"
)
_SAYS_SO_RE: Final = re.compile(
    rf"^(?:{_WAS}|又[叫名称]|人称|别名|外号|绰号|小名|乳名|后?改名[叫为]?|[今现]名[叫为]?|化名|字|号|also\s+called|a\.?k\.?a\.?"
    r"|alias|(?:now|later)(?:\s+(?:called|known\s+as|named))?|called)[:：\s]*",
    re.I,
)


def _named_in_brackets(inside: str) -> Iterator[str]:
    """Yield the other names that stand in brackets behind a name, each with a word that says that it is one."""
    for part in re.split(r"[、，,/／;；]", inside):
        if match := _SAYS_SO_RE.match(part.strip()):
            alias = part.strip()[match.end() :].strip()
            if alias and not any(map(str.isdigit, alias)):
                yield alias


def _setting(text: str) -> Line:
    match = _CARD_RE.match(text)
    if match and match["text"]:
        return Line("setting", match["text"].strip(), name=match["name"].strip())
    return Line("setting", text, name=re.split(r"[，,。.；;：:]", text, maxsplit=1)[0][:40].strip())
