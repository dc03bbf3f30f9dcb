"""A studio in a test: the gateway on real stores, with an engine and an extractor whose answers are known beforehand.

The extractor reads lines that a test author writes:

    fact: Lin OWNS Frost Sword @3      plan: The siege      status: The siege = InProgress      setting: Jade = cold
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank.narrative.drafts import DraftItem, Extracted
from memorybank.narrative.hub.archive import Archive
from memorybank.narrative.hub.chroma import Chroma, ChromaSettings
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.hub.settings import Settings
from memorybank.narrative.hub.shared import SharedHub
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.journal.context import BuiltContext
from memorybank.narrative.tasks.gateway import Gateway, MakeQueues
from memorybank.narrative.tasks.replies import Creation
from memorybank.narrative.tasks.settings import TaskSettings
from memorybank.narrative.types import (
    HAS_STATUS,
    Chunk,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    TaskId,
    Turn,
    entity_key,
)
from memorybank.narrative.writes import StatusChange

_FACT_RE = re.compile(
    r"fact: (?P<subject>[^@=\n]+?) (?P<predicate>[A-Z_]+) (?P<object>[^@=\n]+?)(?: @(?P<since>\d+))?$"
)
_PLAN_RE = re.compile(r"plan: (?P<title>.+)$")
_STATUS_RE = re.compile(r"status: (?P<title>.+) = (?P<status>\w+)$")
_SETTING_RE = re.compile(r"setting: (?P<key>.+?) = (?P<text>.+)$")


def kind_of(name: str, predicate: str = "") -> EntityKind:
    """Statuses by their predicate, items by their last word; everyone else is a character."""
    if predicate == HAS_STATUS:
        return EntityKind.STATUS
    if name.endswith(("Sword", "剑", "Jade")):
        return EntityKind.ITEM
    return EntityKind.HOOK if name.startswith("Hook") else EntityKind.CHARACTER


@dataclass(slots=True)
class LineExtract:
    """An `Extract` that keeps what it was given."""

    window: int = 2_000
    seen: list[tuple[TaskId, tuple[Turn, ...]]] = field(default_factory=list)

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        self.seen.append((task, tuple(turns)))
        drafts = [
            draft
            for turn in turns
            if turn.role == "author"
            for line in turn.text.splitlines()
            for draft in read_line(line, turn.number, task)
        ]
        return Extracted(drafts=tuple(drafts))


def read_line(line: str, number: int, task: TaskId) -> list[DraftItem]:
    origin = Origin(task=task, source=line, turns=(number,))
    if match := _FACT_RE.match(line):
        return _fact(match, number, origin)
    if match := _PLAN_RE.match(line):
        plan = Plan(kind=PlanKind.GENERAL, title=match["title"], origin=origin)
        return [DraftItem(item=plan, turns=(number,))]
    if match := _STATUS_RE.match(line):
        key = Plan(kind=PlanKind.GENERAL, title=match["title"], origin=origin).key
        change = StatusChange(plan=key, status=PlanStatus(match["status"]))
        return [DraftItem(item=change, turns=(number,))]
    if match := _SETTING_RE.match(line):
        return [DraftItem(item=Setting(key=match["key"], text=match["text"], origin=origin), turns=(number,))]
    return []


def _fact(match: re.Match[str], number: int, origin: Origin) -> list[DraftItem]:
    since = int(match["since"] or 0)
    origin = Origin(
        task=origin.task, source=origin.source, turns=origin.turns, chapter=since if match["since"] else None
    )
    subject = Entity(kind=kind_of(match["subject"]), name=match["subject"], origin=origin)
    end = Entity(kind=kind_of(match["object"], match["predicate"]), name=match["object"], origin=origin)
    fact = Fact(subject=subject.key, predicate=match["predicate"], object=end.key, since=since, origin=origin)
    return [DraftItem(item=item, turns=(number,)) for item in (subject, end, fact)]


@dataclass(slots=True)
class Echo:
    """A `Creative` that answers with what it was asked, and keeps every context."""

    contexts: list[BuiltContext] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, context: BuiltContext, asked: str) -> Creation:
        with self._lock:
            self.contexts.append(context)
        return Creation(text=f"echo: {asked}")


@dataclass(slots=True)
class FixedClock:
    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Studio:
    folder: Path
    hub: SharedHub
    stores: Stores
    creative: Echo
    extract: LineExtract
    clock: FixedClock
    gateway: Gateway

    def open_task(self, title: str) -> TaskId:
        task = self.gateway.handle(f"/new {title}", task=None).task
        assert task is not None
        return task.id

    def settle(self, task: TaskId) -> None:
        table = self.gateway.handle("/settle", task=task).table
        assert table is not None
        assert self.gateway.confirm(task, table.proposals).applied


def stores_in(folder: Path) -> Stores:
    """Graph layers in memory, settings and archive in a real Chroma."""
    chroma = Chroma(ChromaSettings(folder=folder), HashedNgrams())
    return Stores(facts=FactsInMemory(), plans=PlansInMemory(), settings=Settings(chroma), archive=Archive(chroma))


def open_studio(
    folder: Path,
    stores: Stores,
    *,
    settings: TaskSettings | None = None,
    queues: MakeQueues | None = None,
    clock: FixedClock | None = None,
    extract: LineExtract | None = None,
) -> Studio:
    creative, extract, clock = Echo(), extract or LineExtract(), clock or FixedClock()
    hub = SharedHub(stores)
    gateway = Gateway(folder, hub, creative=creative, extract=extract, settings=settings, queues=queues, clock=clock)
    return Studio(folder, hub, stores, creative, extract, clock, gateway)


# -- what stands in a hub beforehand ----------------------------------------------------------------------------------

IMPORT = Origin(task=TaskId("import"))


def character(name: str, *, note: str = "", kind: EntityKind = EntityKind.CHARACTER) -> Entity:
    return Entity(kind=kind, name=name, note=note, origin=IMPORT)


def key(name: str, kind: EntityKind = EntityKind.CHARACTER) -> object:
    return entity_key(kind, name)


def chunk(chapter: int, place: int, text: str, *names: str) -> Chunk:
    return Chunk(
        chapter_id=chapter,
        chapter_title=f"Title {chapter}",
        place=place,
        start=0,
        end=len(text),
        text=text,
        entity_list=names,
    )
