"""The semantic layer of a made-up book, and what it is asked: random Chinese characters with names among them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.collection import Settings
from memorybank_studio.types import Chunk, Origin, Setting, TaskId

CHARACTERS = 340
"""A chunk."""
NAMES = 300
SETTINGS = 500
_SEED = 7
_HAN = "".join(map(chr, range(0x4E00, 0x4E00 + 2_000)))
Question = Callable[[], object]


# -- what is asked ----------------------------------------------------------------------------------------------------


def filtered(archive: Archive, named: Sequence[str]) -> Question:
    """Where any two of the frequent names are both present."""
    draw = random.Random(6)
    return lambda: archive.with_all(draw.sample(list(named[:40]), 2))


def questions(
    archive: Archive, settings: Settings, named: Sequence[str], chapters: int
) -> Iterator[tuple[str, Question]]:
    draw = random.Random(_SEED)

    def query() -> str:
        return "".join(draw.choices(_HAN, k=20)) + draw.choice(named)

    def half(entities: int) -> object:
        return archive.search(query(), entities=named[:entities], before=chapters // 2)

    yield "archive: A and B both present, frequent", lambda: archive.with_all(named[:2])
    yield "archive: A and B both present, any two", filtered(archive, named)
    yield "archive: A present, in the first half", lambda: archive.with_all(named[:1], before=chapters // 2)
    yield "archive: the five chapters before N", lambda: archive.before(draw.randint(6, chapters))
    yield "archive: one chapter", lambda: archive.chapter(draw.randint(1, chapters))
    yield "archive: search, no filter", lambda: archive.search(query())
    yield "archive: search, A present", lambda: archive.search(query(), entities=named[:1])
    yield "archive: search, A and B, in the first half", lambda: half(2)
    yield "archive: all chapters' titles", archive.chapters
    yield "setting by key", lambda: settings.exact(f"{named[5]}·5")
    yield "setting by meaning", lambda: settings.search(query())


# -- made-up book -----------------------------------------------------------------------------------------------------


def names() -> list[str]:
    draw = random.Random(_SEED)
    return [f"{draw.choice(_HAN)}{draw.choice(_HAN)}{number}" for number in range(NAMES)]


def chunks(named: Sequence[str], chapters: int, count: int) -> Iterator[Chunk]:
    """The first names are in half of the chunks, the last in a few, as in a real cast."""
    draw = random.Random(_SEED + 1)
    weights = [1 / (1 + place) for place in range(len(named))]
    for chapter in range(1, chapters + 1):
        for place in range(count):
            present = tuple(dict.fromkeys(draw.choices(named, weights, k=6)))
            text = "".join(draw.choices(_HAN, k=CHARACTERS)) + "，".join(present)
            yield Chunk(
                chapter_id=chapter,
                chapter_title=f"第{chapter}章",
                place=place,
                start=place * CHARACTERS,
                end=place * CHARACTERS + len(text),
                text=text,
                entity_list=present,
            )


def settings(named: Sequence[str]) -> list[Setting]:
    origin = Origin(task=TaskId("bench"))
    return [
        Setting(key=f"{named[number % NAMES]}·{number}", text=named[-number % NAMES] * 20, origin=origin)
        for number in range(SETTINGS)
    ]
