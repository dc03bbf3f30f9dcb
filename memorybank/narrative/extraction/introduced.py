"""Names that an author's turns bring in: on cards, by saying what something is called, or in a settled line.

Found before anything is read, so that a turn may speak of what a later one introduces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Final

from memorybank.narrative.extraction.calling import renamed, told_names
from memorybank.narrative.extraction.causes import new_events
from memorybank.narrative.extraction.markers import Line, given_names, lines
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.extraction.newcomers import kind_of_name, newcomers
from memorybank.narrative.extraction.renaming import planned, renamings
from memorybank.narrative.extraction.statements import is_denied
from memorybank.narrative.extraction.taking import Taken
from memorybank.narrative.types import EntityKind, entity_key, normal
from memorybank.text import detect_lang
from memorybank.types import Lang


def given(said: Sequence[Taken], cards: Mapping[str, EntityKind], on_record: Names) -> Iterator[Named]:
    """Names that the texts themselves bring in: on cards, and where they say what something is called."""
    cards_so_far: dict[str, Named] = {}
    for one in said:
        lang = detect_lang(one.text)
        for line in lines(one.text, lang):
            if line.mark == "entity" and line.entity is not None:
                for named in _on_card(line, line.entity, lambda name: on_record.named(name) or cards_so_far.get(name)):
                    cards_so_far.setdefault(named.name, named)
                    yield named
            elif not line.text.endswith(("?", "？")):
                new = [again.alias for again in renamed(line.text, on_record, lang)]
                for name in given_names(line.text, lang):
                    if not any(alias in name.name for alias in new):
                        yield _named(name.name, name.kind, cards)


def _on_card(line: Line, kind: EntityKind, named: Callable[[str], Named | None]) -> Iterator[Named]:
    """A former name that is on record tells whose card it is, unless the new one is somebody's, too."""
    key = entity_key(kind, line.name)
    before = [one for name in line.former if (one := named(name)) is not None and one.kind is kind]
    own = named(line.name)
    if before and (own is None or own.key == before[0].key):
        key = before[0].key
    for name in (line.name, *line.aliases):
        bearer = named(name)
        if name == line.name or bearer is None or bearer.key == key:
            yield Named(key, kind, name)


def other_names(said: Sequence[Taken], known: Names) -> list[Named]:
    """Names that somebody known is said to have as well, or to have now."""
    found: list[Named] = []
    for one in said:
        lang = detect_lang(one.text)
        for line in lines(one.text, lang):
            if line.mark in ("", "settled"):
                told = list(told_names(line.text, known, lang))
                told += [
                    (again.who, again.alias)
                    for again in renamed(line.text, known, lang)
                    if again.shade is None or (line.mark == "settled" and again.shade.telling is Telling.TOLD)
                ]
                new = [Named(who.key, who.kind, alias) for who, alias in told if not known.knows(alias)]
                found += new
                known = Names([*known.all, *new]) if new else known  # who has a new name may be renamed by it
    return found


def new(said: Sequence[Taken], cards: Mapping[str, EntityKind], told: Container[str]) -> Iterator[Named]:
    """Names that a settled line brings in without more."""
    for one in said:
        lang = detect_lang(one.text)
        for line in lines(one.text, lang):
            if line.mark == "settled":
                found = unknown(line.text, lang, told)
                yield from (_named(name, kind, cards) for name, kind in found)


def new_names(said: Sequence[Taken], told: Container[str]) -> Iterator[str]:
    """Names that nobody known has now: those of newcomers who are renamed in a settled line."""
    for one in said:
        lang = detect_lang(one.text)
        for line in lines(one.text, lang):
            for two in renamings(line.text, lang) if line.mark == "settled" else ():
                pair = [line.text[part.start : part.end] for part in (two.first, two.second)]
                denied = is_denied(line.text[two.first.end : two.second.start], lang) or planned(line.text, two, lang)
                if not denied and not any(normal(bare(name)) in told for name in pair):
                    yield normal(bare(pair[1]))


def _named(name: str, kind: EntityKind, cards: Mapping[str, EntityKind]) -> Named:
    kind = cards.get(normal(name), kind)
    return Named(entity_key(kind, name), kind, name)


def carded(text: str) -> Iterator[tuple[str, EntityKind]]:
    """Names with a card of their own, on which the author says what they are; nothing guesses beside that."""
    for line in lines(text, detect_lang(text)):
        if line.mark == "entity" and line.entity is not None:
            yield normal(line.name), line.entity


_ARTICLE_RE: Final = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)


def bare(name: str) -> str:
    return _ARTICLE_RE.sub("", name)


def unknown(text: str, lang: Lang, told: Container[str]) -> Iterator[tuple[str, EntityKind]]:
    """Without what is known, and without what stands in the name of an event: the Great Flood is nobody. Two names of
    one bearer are one newcomer, by the first of them."""
    events = new_events(text, lang)
    again = tuple(renamings(text, lang))
    for one in again:
        name = text[one.first.start : one.first.end]
        if normal(bare(name)) not in told:
            yield name, kind_of_name(name, lang)
    for name, kind in newcomers(text, lang):
        known = normal(bare(name)) in told or _goes_on(name, kind, told)
        renamed_there = any(name in text[one.said.start : one.said.end] for one in again)
        if not known and not renamed_there and not any(name in event for event in events):
            yield name, kind


def _goes_on(name: str, kind: EntityKind, told: Container[str]) -> bool:
    """Whether it is a Chinese name on record with the beginning of what is said of its bearer: 文澜 in 文澜将死于…"""
    chinese = kind is EntityKind.CHARACTER and detect_lang(name) == "zh"
    return chinese and any(normal(name[:end]) in told for end in range(2, len(name)))
