"""How fast the semantic layer answers: `python -m memorybank.narrative.hub.bench_semantic [model]`.

A made-up book of a million characters, 3,000 chunks and 300 names goes through the real Chroma; the table tells what
writing cost, and median and 95th percentile of each kind of query. The model is `hashed-ngrams` unless another is
named; with another, embedding the question is part of the time of a search, as it is for an author.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from memorybank.embedding.base import Embedder
from memorybank.embedding.hashed import NAME, HashedNgrams
from memorybank.embedding.models import resolve
from memorybank.embedding.process import shared
from memorybank.narrative.hub.archive import Archive
from memorybank.narrative.hub.chroma import Chroma, ChromaSettings
from memorybank.narrative.hub.settings import Settings
from memorybank.narrative.types import Chunk, Origin, Setting, TaskId

CHAPTERS = 120
CHUNKS = 25
"""A chapter."""
CHARACTERS = 340
"""A chunk."""
NAMES = 300
SETTINGS = 500
ROUNDS = 60
_SEED = 7
_HAN = "".join(map(chr, range(0x4E00, 0x4E00 + 2_000)))


def run(model: str = NAME) -> str:
    """Measure, and give the table."""
    embedder: Embedder = HashedNgrams() if model == NAME else shared(resolve(model))
    chance = random.Random(_SEED)  # noqa: S311 (made-up text)
    names = [f"{chance.choice(_HAN)}{chance.choice(_HAN)}{number}" for number in range(NAMES)]
    chunks = list(_chunks(chance, names))
    lines = [f"{len(chunks)} chunks, {sum(len(chunk.text) for chunk in chunks)} characters, model {embedder.name}"]
    with tempfile.TemporaryDirectory() as folder, Chroma(ChromaSettings(folder=Path(folder)), embedder) as chroma:
        archive, settings = Archive(chroma), Settings(chroma)
        lines.append(f"archive written in {_seconds(lambda: archive.put(chunks)):.1f} s")
        lines.append(f"written again, unchanged, in {_seconds(lambda: archive.put(chunks)):.2f} s")
        lines.append(f"{SETTINGS} settings written in {_seconds(lambda: settings.put(_settings(names))):.1f} s")
        lines.append(f"first look of a reader (what a killed writer left) {_seconds(Archive(chroma).chapters):.2f} s")
        lines.append(f"{'query':44}{'median ms':>10}{'p95 ms':>10}")
        for name, query in _queries(chance, names, archive, settings):
            lines.append(f"{name:44}" + "".join(f"{value:10.1f}" for value in _times(query)))
    return "\n".join(lines)


def _chunks(chance: random.Random, names: list[str]) -> Iterator[Chunk]:
    """The first names are in half of the chunks, the last in a few, as in a real cast."""
    weights = [1 / (1 + place) for place in range(len(names))]
    for chapter in range(1, CHAPTERS + 1):
        for place in range(CHUNKS):
            present = tuple(dict.fromkeys(chance.choices(names, weights, k=6)))
            text = "".join(chance.choices(_HAN, k=CHARACTERS)) + "，".join(present)
            yield Chunk(
                chapter_id=chapter,
                chapter_title=f"第{chapter}章",
                place=place,
                start=place * CHARACTERS,
                end=place * CHARACTERS + len(text),
                text=text,
                entity_list=present,
            )


def _settings(names: list[str]) -> list[Setting]:
    origin = Origin(task=TaskId("bench"))
    return [
        Setting(key=f"{names[number % NAMES]}·{number}", text=names[-number % NAMES] * 20, origin=origin)
        for number in range(SETTINGS)
    ]


_Query = Callable[[], object]


def _queries(
    chance: random.Random, names: list[str], archive: Archive, settings: Settings
) -> Iterator[tuple[str, _Query]]:
    def asked() -> str:
        return "".join(chance.choices(_HAN, k=20)) + chance.choice(names)

    yield "A and B both present (two frequent names)", lambda: archive.with_all(names[:2])
    yield "A and B both present (any two)", lambda: archive.with_all(chance.sample(names[:40], 2))
    yield "A present, before chapter 60", lambda: archive.with_all(names[:1], before=60)
    yield "the five chapters before N", lambda: archive.before(chance.randint(6, CHAPTERS))
    yield "one chapter", lambda: archive.chapter(chance.randint(1, CHAPTERS))
    yield "search, no filter", lambda: archive.search(asked())
    yield "search, A present", lambda: archive.search(asked(), entities=names[:1])
    yield "search, A and B present, before chapter 60", lambda: archive.search(asked(), entities=names[:2], before=60)
    yield "all chapters' titles", archive.chapters
    yield "setting by key", lambda: settings.exact(f"{names[5]}·5")
    yield "setting by meaning", lambda: settings.search(asked())


def _times(query: _Query) -> tuple[float, float]:
    """Median and 95th percentile, in milliseconds."""
    taken = [_seconds(query) * 1_000 for _ in range(ROUNDS)]
    return statistics.median(taken), statistics.quantiles(taken, n=20)[-1]


def _seconds(work: _Query) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.stdout.write(run(*sys.argv[1:2]) + "\n")
