"""How fast a long novel's hub answers, and how it grows: `memorybank_lab bench hub`.

One made-up story in one hub, all layers in it at once: a million characters in the archive, 50,000 facts over 3,000
entities and 120 chapters, 300 plans in four storylines, 500 settings. It is filled in ten steps, as a book is written;
after each step a row says how long it took, how large the stores are on disk, and what an author's three everyday
questions cost by then. When all is in, every kind of question is asked, of all layers.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from memorybank.embedding.base import Embedder
from memorybank.memory.types import Value
from memorybank.retrieval.chroma import Chroma, ChromaSettings
from memorybank_lab.bench.hub import graph, semantic
from memorybank_lab.bench.table import Progress, TimingRow, aligned, timed_row
from memorybank_lab.bench.table import as_json_by_kind as as_json
from memorybank_lab.bench.table import as_table as rows_as_table
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.connection import GraphConnection
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans

__all__ = ["FULL", "QUICK", "HubGrowth", "Size", "as_json", "as_table", "run"]

LIMIT_MS: Final = 50
"""What the median of an author's everyday question may take."""
STEPS: Final = 10

Question = Callable[[], object]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size(Value):
    facts: int
    chapters: int
    chunks: int
    """Of a chapter."""
    asked: int
    """How often a question is asked when all is in."""
    everyday: int
    """How often an everyday question is asked after each step."""


FULL: Final = Size(facts=50_000, chapters=120, chunks=25, asked=200, everyday=40)
QUICK: Final = Size(facts=200, chapters=10, chunks=1, asked=2, everyday=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class HubGrowth(Value):
    """The hub after a step."""

    facts: int
    characters: int
    seconds: float
    """It took to write what is in so far."""
    graph: int
    archive: int
    """Bytes on disk."""
    everyday: Mapping[str, float]
    """Median milliseconds of the everyday questions."""


def run(progress: Progress, embedder: Embedder, size: Size = FULL) -> list[HubGrowth | TimingRow]:
    with TemporaryDirectory() as made:
        folder = Path(made)
        chroma = Chroma(ChromaSettings(folder=folder / "semantic"), embedder)
        with GraphConnection(folder / "graph") as connection, chroma:
            hub = _Hub(connection, chroma, size)
            rows: list[HubGrowth | TimingRow] = []
            for row in _grow(hub, folder):
                progress(f"{row.facts:,} facts, {row.characters:,} characters: {row.seconds:.1f} s")
                rows.append(row)
            for name, question in hub.questions():
                asked = timed_row(name, len(hub.told), _timings(question, size.asked))
                rows.append(asked)
                progress(f"{name}: {asked.p50_ms:g} ms")
            return rows


class _Hub:
    """The stores, and the story that goes into them."""

    def __init__(self, connection: GraphConnection, chroma: Chroma, size: Size) -> None:
        self.connection = connection
        self.facts, self.plans = Facts(connection.facts), Plans(connection.plans)
        self.archive, self.settings = Archive(chroma), Settings(chroma)
        self.entities = list(graph.entities(size.chapters))
        self.told = graph.facts_of(self.entities, size.facts, size.chapters)
        self.names = semantic.names()
        self.chunks = list(semantic.chunks(self.names, size.chapters, size.chunks))
        self.chapters, self.times = size.chapters, size.everyday

    def put_groundwork(self) -> None:
        """Write what stands from the beginning: who there is, what is planned, what holds in this world."""
        self.facts.apply(self.entities, [])
        self.plans.apply(list(graph.plans()), [], "board")
        self.settings.put(semantic.settings(self.names))

    def write(self, step: int) -> None:
        """The step's share of the facts and of the chapters."""
        share = _share(self.told, step)
        for start in range(0, len(share), graph.AT_ONCE):
            self.facts.apply([], share[start : start + graph.AT_ONCE])
        self.archive.put(_share(self.chunks, step))

    def everyday(self) -> Mapping[str, Question]:
        """What has to be answered at once (`docs/studio.md`)."""
        return {
            "state pointer": graph.pointer(self.plans, self.chapters),
            "facts as of chapter N": graph.as_of_chapter(self.facts, self.entities, self.chapters),
            "archive, filtered": semantic.filtered(self.archive, self.names),
        }

    def questions(self) -> Iterator[tuple[str, Question]]:
        yield from graph.questions(self.facts, self.plans, self.entities, self.chapters)
        yield from semantic.questions(self.archive, self.settings, self.names, self.chapters)


def _grow(hub: _Hub, folder: Path) -> Iterator[HubGrowth]:
    began = time.perf_counter()
    hub.put_groundwork()
    seconds = time.perf_counter() - began
    for step in range(STEPS):
        began = time.perf_counter()
        hub.write(step)
        seconds += time.perf_counter() - began
        done = (step + 1) / STEPS
        yield HubGrowth(
            facts=round(len(hub.told) * done),
            characters=sum(len(chunk.text) for chunk in hub.chunks[: round(len(hub.chunks) * done)]),
            seconds=round(seconds, 2),
            graph=_bytes(folder / "graph"),
            archive=_bytes(folder / "semantic"),
            everyday={name: _median_ms(question, hub.times) for name, question in hub.everyday().items()},
        )


def _share(whole: Sequence[T], step: int) -> Sequence[T]:
    return whole[round(len(whole) * step / STEPS) : round(len(whole) * (step + 1) / STEPS)]


def _median_ms(question: Question, times: int) -> float:
    return round(statistics.median(_timings(question, times)) * 1e3, 1)


def _timings(question: Question, times: int) -> list[float]:
    """Seconds of each; a few are asked before that do not count."""
    for _ in range(max(3, times // 10)):
        question()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        question()
        taken.append(time.perf_counter() - began)
    return taken


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# -- table ------------------------------------------------------------------------------------------------------------


def as_table(rows: Sequence[HubGrowth | TimingRow]) -> str:
    growth = [row for row in rows if isinstance(row, HubGrowth)]
    asked = [row for row in rows if isinstance(row, TimingRow)]
    held = all(ms <= LIMIT_MS for row in growth for ms in row.everyday.values())
    verdict = f"Everyday questions: median within {LIMIT_MS} ms at every size: {'yes' if held else 'NO'}"
    return "\n\n".join((aligned([_cells(row) for row in growth]), verdict, rows_as_table(asked)))


def _cells(row: HubGrowth) -> Mapping[str, str]:
    cells: dict[str, Any] = {
        "facts": f"{row.facts:,}",
        "characters": f"{row.characters:,}",
        "seconds": f"{row.seconds:,.1f}",
        "graph MB": f"{row.graph / 1e6:,.1f}",
        "archive MB": f"{row.archive / 1e6:,.1f}",
    }
    return cells | {f"{name}, p50 ms": f"{ms:.1f}" for name, ms in row.everyday.items()}
