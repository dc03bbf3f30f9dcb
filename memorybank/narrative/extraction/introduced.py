"""Names that an author's turns bring in: on cards, by saying what something is called, or in a settled line.

Found before anything is read, so that a turn may speak of what a later one introduces.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from memorybank.narrative.extraction.calling import told_names
from memorybank.narrative.extraction.causes import new_events
from memorybank.narrative.extraction.markers import given_names, lines
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.extraction.newcomers import newcomers
from memorybank.narrative.extraction.taking import Taken
from memorybank.narrative.types import EntityKind, entity_key, normal
from memorybank.text import detect_lang
from memorybank.types import Lang


def given(said: Sequence[Taken], cards: Mapping[str, EntityKind]) -> Iterator[Named]:
    """Names that the texts themselves bring in: on cards, and where they say what something is called."""
    for one in said:
        lang = detect_lang(one.text)
        for line in lines(one.text, lang):
            if line.mark == "entity" and line.entity is not None:
                key = entity_key(line.entity, line.name)
                yield from (Named(key, line.entity, name) for name in (line.name, *line.aliases))
            elif not line.text.endswith(("?", "？")):
                yield from (_named(name.name, name.kind, cards) for name in given_names(line.text, lang))


def other_names(said: Sequence[Taken], known: Names) -> Iterator[Named]:
    """Names that somebody known is said to have as well."""
    for one in said:
        lang = detect_lang(one.text)
        for line in lines(one.text, lang):
            if line.mark in ("", "settled"):
                told = told_names(line.text, known, lang)
                yield from (Named(who.key, who.kind, alias) for who, alias in told if not known.knows(alias))


def new(said: Sequence[Taken], cards: Mapping[str, EntityKind], told: Container[str]) -> Iterator[Named]:
    """Names that a settled line brings in without more."""
    for one in said:
        lang = detect_lang(one.text)
        for line in lines(one.text, lang):
            if line.mark == "settled":
                found = unknown(line.text, lang, told)
                yield from (_named(name, kind, cards) for name, kind in found)


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
    """Without what is known, and without what stands in the name of an event: the Great Flood is nobody."""
    events = new_events(text, lang)
    for name, kind in newcomers(text, lang):
        known = normal(bare(name)) in told or _goes_on(name, kind, told)
        if not known and not any(name in event for event in events):
            yield name, kind


def _goes_on(name: str, kind: EntityKind, told: Container[str]) -> bool:
    """Whether it is a Chinese name on record with the beginning of what is said of its bearer: 文澜 in 文澜将死于…"""
    chinese = kind is EntityKind.CHARACTER and detect_lang(name) == "zh"
    return chinese and any(normal(name[:end]) in told for end in range(2, len(name)))
