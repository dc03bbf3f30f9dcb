"""The people of a book for which no cast is known, by how often the book lets them speak. No dictionary, no model.

A passage's entities should be found before anybody has entered a single fact, so the import asks here. It errs towards
too few: who never speaks is not found, and comes in by the fact layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorybank.narrative.books.chapters import Chapter
from memorybank.narrative.books.people_en import speakers as english_speakers
from memorybank.narrative.books.people_zh import speakers as chinese_speakers
from memorybank.narrative.names import Cast
from memorybank.narrative.types import Entity, EntityKind, Origin, TaskId
from memorybank.text import detect_lang
from memorybank.types import Value

_SAMPLE = 5_000
"""Characters of each chapter by which the book's language is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person(Value):
    """A name that the book uses of somebody."""

    name: str
    aliases: tuple[str, ...]
    count: int
    """How often the book speaks of them, under any of these names."""
    chapters: tuple[int, ...]
    """Numbers of the chapters that do."""


def people(chapters: Sequence[Chapter]) -> tuple[Person, ...]:
    """Most spoken of first. Costs seconds for a million characters."""
    sample = "".join(chapter.text[:_SAMPLE] for chapter in chapters)
    texts = [chapter.text for chapter in chapters]
    names = chinese_speakers(texts) if detect_lang(sample) == "zh" else english_speakers(texts)
    cast = Cast((written, name) for name, aliases in names.items() for written in (name, *aliases))
    counts = dict.fromkeys(names, 0)
    places: dict[str, dict[int, None]] = {name: {} for name in names}
    for chapter in chapters:
        for mention in cast.mentions(chapter.text):
            for name in mention.names:
                counts[name] += 1
                places[name][chapter.number] = None
    found = [
        Person(name=name, aliases=tuple(aliases), count=counts[name], chapters=tuple(places[name]))
        for name, aliases in names.items()
    ]
    return tuple(sorted(found, key=lambda person: (-person.count, person.name)))


def characters(found: Sequence[Person], task: TaskId) -> tuple[Entity, ...]:
    """As entities for the fact layer, which takes them when the author has confirmed them."""
    return tuple(
        Entity(
            kind=EntityKind.CHARACTER,
            name=person.name,
            aliases=person.aliases,
            origin=Origin(task=task, chapter=person.chapters[0] if person.chapters else None),
        )
        for person in found
    )
