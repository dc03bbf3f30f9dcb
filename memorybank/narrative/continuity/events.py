"""Events on record that a draft tells of, recognised as a plan is: by the names and words of their titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memorybank.language.han import HAN
from memorybank.language.inflection import base_of
from memorybank.language.stemming import stem
from memorybank.language.text import Piece
from memorybank.memory.types import Lang
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.types import EntityKey, EntityKind

SHARE: Final = 0.75
"""Of an event's words that must be in the sentence; its names must all be."""
_EMPTY: Final = frozenset("the and of at in on for with from a an 的 了 在 与 和 之 案".split())
_UNIT_RE: Final = re.compile(rf"[{HAN}]|[A-Za-z]{{3,}}")


@dataclass(frozen=True, slots=True)
class Event:
    key: EntityKey
    names: frozenset[EntityKey]
    words: frozenset[str]


def _events(scene: Scene) -> list[Event]:
    events = []
    for name, key in scene.record.facts.names((EntityKind.EVENT,)).items():
        mentions = scene.names.find(name)
        rest = name
        for mention in reversed(mentions):
            rest = rest[: mention.start] + " " + rest[mention.end :]
        words = _words(rest, scene.lang)
        if words:
            events.append(Event(key, frozenset(mention.named.key for mention in mentions), words))
    return events


def _words(text: str, lang: Lang) -> frozenset[str]:
    units = (match[0].lower() for match in _UNIT_RE.finditer(text))
    return frozenset((stem(base_of(unit)) if lang == "en" else unit) for unit in units if unit not in _EMPTY)


def narrated_events(scene: Scene) -> Iterator[tuple[EntityKey, Piece]]:
    """Events with the sentences that tell of them as happened."""
    events = _events(scene)
    for piece in scene.story.sentences if events else ():
        clauses = [
            judged
            for judged in scene.story.within(piece)
            if judged.modality is Modality.HAPPENED and not judged.clause.spoken
        ]
        text = "，".join(scene.text[judged.clause.start : judged.clause.end] for judged in clauses)
        for event in _named_in(scene, events, text):
            yield event.key, piece


def _named_in(scene: Scene, events: list[Event], text: str) -> list[Event]:
    words = _words(text, scene.lang)
    names = {mention.named.key for mention in scene.names.find(text)}
    return [event for event in events if event.names <= names and len(event.words & words) >= SHARE * len(event.words)]
