"""Names in a settled statement that the hub does not know yet: "Settled: Lin owns the Frost Sword."

Only where the author says that it is settled: elsewhere an unknown capital letter is no person. What kind of thing a
name is follows from its last word ("Sword", 剑), else from what is said of it; who acts or feels is a character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memorybank.engines.offline.claims.words_zh import SURNAMES
from memorybank.narrative.extraction.dating import chapters_named
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.mentions import OPENERS
from memorybank.narrative.types import EntityKind
from memorybank.text import CJK, sentences
from memorybank.types import Lang

_NAME_RE: Final = re.compile(r"(?<![\w’'])[A-Z][\w’-]{1,30}(?:\s(?:of\s(?:the\s)?)?[A-Z][\w’-]{1,30}){0,3}(?![\w:：])")
_PLACE_BEFORE_RE: Final = re.compile(r"\b(?:in|at|to|from|near|inside|outside|toward|towards)\s(?:the\s)?$")
_VERBS_ZH: Final = (
    "拥有|持有|得到|夺得|恨|仇恨|爱|认识|住在|位于|死|战死|病死|杀|率领|统领|加入|属于|隶属|会|学会|嫁给|娶|是|与|和|的"
    "|(?<!失)去了|来到|失去|丢失"
)
_CHAPTER_ZH: Final = "在?第?[一二三四五六七八九十\\d]*章?"
_OWNS_ZH: Final = "拥有|持有|得到|夺得|继承"
_FEELS_ZH: Final = "仇恨|恨|深爱|爱|认识|杀死|杀了|嫁给|娶了|娶"
_IN_ZH: Final = "住在|位于|来到|(?<!失)去了|留在|出生于|生于"
_LOSES_ZH: Final = "失去|丢失"
"""Of what is lost only a thing with the noun of one is a name: one loses an eye, a father, hope."""
_COUNTED_RE: Final = re.compile("[一二两三四五六七八九十几半这那某每]")
_ADVERBS_ZH: Final = "将会|将要|将|会|要|已经|已|便|就|又|也|都|终于|终|才|曾"


def newcomers(text: str, lang: Lang) -> Iterator[tuple[str, EntityKind]]:
    """Names with their kinds, in order; the same name may come twice."""
    for piece in sentences(text):
        said = text[piece.start : piece.end].strip()
        yield from _chinese(said) if lang == "zh" else _english(said)


def _english(said: str) -> Iterator[tuple[str, EntityKind]]:
    chapters = tuple(chapters_named(said))
    for match in _NAME_RE.finditer(said):
        if any(one.start <= match.start() < one.end for one in chapters):
            continue  # "Chapter Twelve"
        name, before = match[0], said[: match.start()]
        if not before.strip("“\"' "):
            first, _, rest = name.partition(" ")
            if first.lower() in OPENERS:
                if not rest:
                    continue
                name = rest
        if name.split()[0].lower() in OPENERS:
            continue
        yield (
            name,
            _by_noun(name.split()[-1].lower(), "en")
            or (EntityKind.LOCATION if _PLACE_BEFORE_RE.search(before) else EntityKind.CHARACTER),
        )


def _chinese(said: str) -> Iterator[tuple[str, EntityKind]]:
    for pattern, kind in _patterns_zh():
        for match in pattern.finditer(said):
            told = _by_noun(match["name"], "zh") or kind
            if told is not None and not _COUNTED_RE.match(match["name"]):
                yield match["name"], told


@cache
def _patterns_zh() -> tuple[tuple[re.Pattern[str], EntityKind | None], ...]:
    person = rf"(?P<name>[{''.join(sorted(SURNAMES))}][{CJK}]{{1,2}}?)"
    thing = rf"(?P<name>[{CJK}]{{2,4}}?)"
    ends = r"(?=[，。；、！,.;\s]|$)"
    return (
        (
            re.compile(
                rf"(?<![{CJK}0-9]){person}(?=(?:{_ADVERBS_ZH})?在?第?[一二三四五六七八九十\d]*章?(?:{_VERBS_ZH}))"
            ),
            EntityKind.CHARACTER,
        ),
        (re.compile(rf"(?:{_FEELS_ZH}){person}{ends}"), EntityKind.CHARACTER),
        (re.compile(rf"(?:{_OWNS_ZH})了?{thing}{ends}"), EntityKind.ITEM),
        (re.compile(rf"(?:{_IN_ZH})了?{thing}{ends}"), EntityKind.LOCATION),
        (re.compile(rf"(?:{_LOSES_ZH})了?{thing}{ends}"), None),
    )


def kind_of_name(name: str, lang: Lang) -> EntityKind:
    """By its last word; who has no such word is a character."""
    return _by_noun(name.split()[-1].lower(), lang) or EntityKind.CHARACTER


def _by_noun(name: str, lang: Lang) -> EntityKind | None:
    return next((kind for kind, pattern in _nouns(lang) if pattern.search(name)), None)


@cache
def _nouns(lang: Lang) -> tuple[tuple[EntityKind, re.Pattern[str]], ...]:
    listed = lists(f"markers.{lang}")["noun"]
    return tuple(
        (EntityKind(kind), re.compile(rf"(?:{any_of(nouns, lang)})$"))
        for kind, nouns in listed.items()
        if kind != EntityKind.CHARACTER
    )
