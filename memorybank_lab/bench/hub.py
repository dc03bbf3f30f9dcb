"""Does the studio stay quick while a novel grows? (`memorybank_lab bench hub`)

One made-up story in one hub, all layers in it at once: a million characters in the archive, 50,000 facts over 3,000
entities and 120 chapters, 300 plans in four storylines. It is filled in ten steps, as a book is written; after each a
row says how long that took, how large the stores are on disk, and what an author's everyday questions and the page's
graph cost by then. Facts are spread as in a book: few characters are in very many of them. The text is random Chinese
characters with names among them; it has no meaning, so no model is loaded unless one is named.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from memorybank.embedding.hashed import HashedNgrams
from memorybank.embedding.models import resolve
from memorybank.embedding.process import shared
from memorybank.memory.types import Value
from memorybank.retrieval.chroma import Chroma, ChromaSettings
from memorybank.settings.config import Settings
from memorybank_lab.bench.table import Progress, seconds
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.connection import GraphConnection
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.types import (
    HAS_STATUS,
    IN_CHAPTER,
    RESOLVED,
    UNRESOLVED,
    Chunk,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    TaskId,
)

LIMIT_MS: Final = 50
"""What the median of a question may take."""
STEPS: Final = 10
AT_ONCE = 2_500
"""Facts in one settlement; an import's bulk review by chapter is of that size."""
SHOWN = 300
"""Entities that the page draws."""
CHARACTERS = 340
"""Of a chunk."""
NAMES = 300
STORYLINES = ("hero", "rival", "court", "sea")
_KINDS = {
    EntityKind.CHARACTER: 1_300,
    EntityKind.LOCATION: 400,
    EntityKind.ITEM: 400,
    EntityKind.EVENT: 380,
    EntityKind.HOOK: 300,
    EntityKind.FACTION: 50,
    EntityKind.TRAIT: 38,
    EntityKind.STATUS: 12,
}
_PREDICATES = ("KNOWS", "OWNS", "HATES", "LOVES", "LOCATED_IN", "MEMBER_OF", "FOUGHT", "CAUSES", "BEFORE", "SAW")
_HAN = "".join(map(chr, range(0x4E00, 0x4E00 + 2_000)))
_MADE_UP = Origin(task=TaskId("t0"))

Question = Callable[[], object]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size(Value):
    facts: int
    chapters: int
    chunks: int
    """Of a chapter."""
    asked: int
    """How often each question is asked after each step."""


FULL: Final = Size(facts=50_000, chapters=120, chunks=25, asked=40)
QUICK: Mapping[str, Any] = {"size": Size(facts=200, chapters=10, chunks=1, asked=4)}


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
    asked: Mapping[str, float]
    """Median milliseconds of the questions."""

    def cells(self) -> Mapping[str, str]:
        return {
            "facts": f"{self.facts:,}",
            "characters": f"{self.characters:,}",
            "seconds": f"{self.seconds:,.1f}",
            "graph MB": f"{self.graph / 1e6:,.1f}",
            "archive MB": f"{self.archive / 1e6:,.1f}",
            **{f"{name}, p50 ms": f"{ms:.1f}" for name, ms in self.asked.items()},
            f"within {LIMIT_MS} ms": "yes" if max(self.asked.values()) <= LIMIT_MS else "NO",
        }


def run(progress: Progress, settings: Settings, *, size: Size = FULL) -> list[HubGrowth]:
    model = settings.embedding_model
    embedder = HashedNgrams() if model in ("auto", HashedNgrams.name) else shared(resolve(model, ["山"]))
    rows: list[HubGrowth] = []
    with TemporaryDirectory() as folder:
        chroma = Chroma(ChromaSettings(folder=Path(folder) / "semantic"), embedder)
        with GraphConnection(Path(folder) / "graph") as connection, chroma:
            for row in _grow(_Hub(connection, chroma, size), Path(folder), size):
                progress(f"{row.facts:,} facts, {row.characters:,} characters: {row.seconds:.1f} s")
                rows.append(row)
    return rows


class _Hub:
    """The stores, and the story that goes into them."""

    def __init__(self, connection: GraphConnection, chroma: Chroma, size: Size) -> None:
        self.facts, self.plans, self.archive = Facts(connection.facts), Plans(connection.plans), Archive(chroma)
        self.entities = list(entities(size.chapters))
        self.story = facts_of(self.entities, size.facts, size.chapters)
        self.names = [
            f"{one}{other}{number}" for number, (one, other) in enumerate(zip(_HAN[:NAMES], _HAN[NAMES:], strict=False))
        ]
        self.chunks = list(_chunks(self.names, size.chapters, size.chunks))
        self._chapters = size.chapters

    def put_groundwork(self) -> None:
        """Write what stands from the beginning: who there is, and what is planned."""
        self.facts.apply(self.entities, [])
        self.plans.apply(list(plans()), [], "board")

    def write(self, step: int) -> None:
        """The step's share of the facts and of the chapters."""
        share = _share(self.story, step)
        for start in range(0, len(share), AT_ONCE):
            self.facts.apply([], share[start : start + AT_ONCE])
        self.archive.put(_share(self.chunks, step))

    def questions(self) -> Mapping[str, Question]:
        """What has to be answered at once (`docs/studio.md`)."""
        draw = random.Random(4)
        people = [one for one in self.entities if one.kind is EntityKind.CHARACTER]

        def chapter() -> int:
            return draw.randint(1, self._chapters)

        return {
            "state pointer": lambda: self.plans.pointer(chapter=chapter()),
            "facts as of chapter N": lambda: self.facts.about(draw.choice(people).key, chapter=chapter()),
            "archive, A and B present": lambda: self.archive.with_all(draw.sample(self.names[:40], 2)),
            "page's graph": lambda: self.facts.graph(chapter=chapter(), limit=SHOWN),
        }


def _grow(hub: _Hub, folder: Path, size: Size) -> Iterator[HubGrowth]:
    took = seconds(hub.put_groundwork)
    for step in range(STEPS):
        took += seconds(hub.write, step)
        done = (step + 1) / STEPS
        yield HubGrowth(
            facts=round(len(hub.story) * done),
            characters=sum(len(chunk.text) for chunk in hub.chunks[: round(len(hub.chunks) * done)]),
            seconds=round(took, 2),
            graph=_bytes(folder / "graph"),
            archive=_bytes(folder / "semantic"),
            asked={name: _median_ms(question, size.asked) for name, question in hub.questions().items()},
        )


def _share(whole: Sequence[T], step: int) -> Sequence[T]:
    return whole[round(len(whole) * step / STEPS) : round(len(whole) * (step + 1) / STEPS)]


def _median_ms(question: Question, times: int) -> float:
    """Of so many askings, behind three that do not count."""
    return round(median([seconds(question) for _ in range(times + 3)][3:]) * 1e3, 1)


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# -- made-up story ----------------------------------------------------------------------------------------------------


def entities(chapters: int) -> Iterator[Entity]:
    for number in range(1, chapters + 1):
        yield Entity(kind=EntityKind.CHAPTER, name=str(number), origin=_MADE_UP)
    for kind, count in _KINDS.items():
        for number in range(count):
            name = f"{kind.value} {number}"
            yield Entity(kind=kind, name=name, aliases=(f"the {name}",), note="made up", origin=_MADE_UP)
    for name in (UNRESOLVED, RESOLVED):
        yield Entity(kind=EntityKind.STATUS, name=name, origin=_MADE_UP)


def facts_of(made: Sequence[Entity], count: int, chapters: int) -> list[Fact]:
    """So many facts, each hook's state among them; a third of those between people end."""
    draw = random.Random(1)
    of_kind = {kind: [entity for entity in made if entity.kind is kind] for kind in EntityKind}
    people, things = of_kind[EntityKind.CHARACTER], [*of_kind[EntityKind.LOCATION], *of_kind[EntityKind.ITEM]]
    unresolved, resolved = (entity for entity in made if entity.name in (UNRESOLVED, RESOLVED))
    facts: dict[str, Fact] = {}

    def add(subject: Entity, predicate: str, object_: Entity, since: int, until: int | None = None) -> None:
        task = TaskId(f"t{draw.randrange(100)}")
        fact = Fact(
            subject=subject.key,
            predicate=predicate,
            object=object_.key,
            properties={"reason": "made up"},
            since=since,
            until=until,
            origin=Origin(task=task, chapter=since, source="as it is told " * 4, turns=(3, 4)),
        )
        facts[fact.key] = fact

    for number, hook in enumerate(of_kind[EntityKind.HOOK]):
        until = draw.randint(chapters // 2 + 1, chapters) if number % 2 else None
        add(hook, HAS_STATUS, unresolved, draw.randint(1, chapters // 2), until)
        if until is not None:
            add(hook, HAS_STATUS, resolved, until)
    while len(facts) < count:
        # The square makes a few busy, as in any book.
        who, since = people[int(draw.random() ** 2 * len(people))], draw.randint(1, chapters)
        match draw.randrange(10):
            case 0:
                add(who, IN_CHAPTER, of_kind[EntityKind.CHAPTER][since - 1], since)
            case 1 | 2 | 3:
                add(who, draw.choice(_PREDICATES), draw.choice(things), since)
            case _:
                until = since + draw.randint(1, 20) if draw.random() < 0.3 else None
                add(who, draw.choice(_PREDICATES), draw.choice(people), since, until)
    return list(facts.values())


def plans() -> Iterator[Plan]:
    """A long plan with a storyline for each of four, of 73 steps, of which one is under way."""
    general = Plan(kind=PlanKind.GENERAL, title="the whole", origin=_MADE_UP)
    long = Plan(kind=PlanKind.LONG, title="book one", parent=general.key, origin=_MADE_UP)
    yield from (general, long)
    for storyline in STORYLINES:
        short = Plan(kind=PlanKind.SHORT, title=storyline, parent=long.key, storyline=storyline, origin=_MADE_UP)
        yield short
        before = None
        for number in range(73):
            done = PlanStatus.COMPLETED if number < 30 else PlanStatus.PENDING
            step = Plan(
                kind=PlanKind.STEP,
                title=f"step {number}",
                text="what is to happen " * 5,
                parent=short.key,
                after=before,
                due=number + 5,
                status=PlanStatus.IN_PROGRESS if number == 30 else done,
                origin=_MADE_UP,
            )
            yield step
            before = step.key


def _chunks(names: Sequence[str], chapters: int, count: int) -> Iterator[Chunk]:
    """The first names are in half of the chunks, the last in a few, as in a real cast."""
    draw = random.Random(8)
    weights = [1 / (1 + place) for place in range(len(names))]
    for chapter in range(1, chapters + 1):
        for place in range(count):
            present = tuple(dict.fromkeys(draw.choices(names, weights, k=6)))
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
