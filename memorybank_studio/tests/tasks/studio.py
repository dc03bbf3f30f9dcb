"""A studio in a test: the gateway on real stores, with an engine and an extractor whose answers are known beforehand.

The extractor reads lines that a test author writes:

    fact: Lin OWNS Frost Sword @3      plan: The siege      status: The siege = InProgress      setting: Jade = cold
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import AgentError
from memorybank.memory.types import Lang
from memorybank.runs.journal import read
from memorybank_lab.commands.labelled import labelled
from memorybank_studio.drafts import DraftItem, Extracted, Item
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.context import BuiltContext, Taken, TurnKind
from memorybank_studio.journal.desk import JOURNAL
from memorybank_studio.journal.events import STUDIO, SettlementTable
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tasks.replies import Creation, Reply
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import Decide
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.types import (
    HAS_STATUS,
    Chunk,
    Command,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Role,
    Setting,
    Task,
    TaskId,
    TaskState,
    Turn,
    entity_key,
)
from memorybank_studio.writes import StatusChange

_LINE_RE = re.compile(
    r"fact: (?P<subject>[^@=\n]+?) (?P<predicate>[A-Z_]+) (?P<object>[^@=\n]+?)(?: @(?P<since>\d+))?"
    r"|plan: (?P<plan>.+)|status: (?P<title>.+) = (?P<status>\w+)|setting: (?P<key>.+?) = (?P<text>.+)"
)


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

    seen: list[tuple[TaskId, tuple[Turn, ...]]] = field(default_factory=list)

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        self.seen.append((task, tuple(turns)))
        lines = ((turn, line) for turn in turns if turn.role == "author" for line in turn.text.splitlines())
        return Extracted(drafts=tuple(draft for turn, line in lines for draft in read_line(line, turn.number, task)))


def read_line(line: str, number: int, task: TaskId) -> list[DraftItem]:
    match = _LINE_RE.fullmatch(line)
    items = _items(match, Origin(task=task, source=line, turns=(number,))) if match else ()
    return [DraftItem(item=item, turns=(number,)) for item in items]


def _items(found: re.Match[str], origin: Origin) -> Iterator[Item]:
    if found["plan"]:
        yield Plan(kind=PlanKind.GENERAL, title=found["plan"], origin=origin)
    elif found["title"]:
        key = Plan(kind=PlanKind.GENERAL, title=found["title"], origin=origin).key
        yield StatusChange(plan=key, status=PlanStatus(found["status"]))
    elif found["key"]:
        yield Setting(key=found["key"], text=found["text"], origin=origin)
    else:
        since = int(found["since"] or 0)
        origin = replace(origin, chapter=since if found["since"] else None)
        subject = Entity(kind=kind_of(found["subject"]), name=found["subject"], origin=origin)
        end = Entity(kind=kind_of(found["object"], found["predicate"]), name=found["object"], origin=origin)
        yield from (subject, end)
        yield Fact(subject=subject.key, predicate=found["predicate"], object=end.key, since=since, origin=origin)


@dataclass(slots=True)
class Echo:
    """A `Creative` that answers with what it was asked, and keeps every context."""

    contexts: list[BuiltContext] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, context: BuiltContext, asked: str, *_: object) -> Creation:
        with self._lock:
            self.contexts.append(context)
        return Creation(text=f"echo: {asked}")


def as_remark(context: BuiltContext, asked: str) -> Taken:
    """A `Decide` to which everything is a remark."""
    return Taken(kind=TurnKind.REMARK, reason="all are", by="rules")


def failing(*_: object) -> Creation:
    """A `Creative` whose model gives no usable answer."""
    raise AgentError("the model gave no usable answer")


NAMES = dict(zip("新建 切换 重启 结算 丢弃".split(), ("new", "switch", "restart", "settle", "discard"), strict=True))


def give(gateway: Gateway, line: str, task: TaskId | None = None, **more: Any) -> Reply:
    """What a button does, which tests write as `/new Title` or `/结算` above the author's words; else the words."""
    head, _, words = line.partition("\n")
    name, _, argument = head.removeprefix("/").partition(" ")
    if not line.startswith("/"):
        return gateway.handle(line, task=task, **more)
    return gateway.handle(words, task=task, command=Command(NAMES.get(name, name)), argument=argument, **more)


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

    def open_task(self, title: str, words: str = "") -> TaskId:
        return give(self.gateway, f"/new {title}\n{words}", task=None).task.id

    def said(self, task: TaskId, role: Role = "author") -> list[str]:
        return [turn.text for turn in self.gateway.history(task) if turn.role == role]

    def states(self) -> list[TaskState]:
        return [task.state for task in self.gateway.tasks()]

    def propose(self, task: TaskId) -> SettlementTable:
        return give(self.gateway, "/settle", task=task).table

    def settle(self, task: TaskId) -> None:
        assert self.gateway.confirm(task, self.propose(task).proposals).applied

    def examples(self) -> list[dict[str, Any]]:
        """The labelled data."""
        return examples(self.folder)

    def fail(self, words: str, task: TaskId, **more: Any) -> None:
        """Say something that the engine fails to answer."""
        self.gateway._creative = failing
        with pytest.raises(AgentError):
            self.gateway.handle(words, task=task, **more)
        self.gateway._creative = self.creative

    def reopened(self) -> Studio:
        self.gateway.close()
        return open_studio(self.folder, self.stores, clock=self.clock)


def examples(folder: Path) -> list[dict[str, Any]]:
    """The labelled data of the journal in a folder."""
    return [json.loads(line) for line in labelled(read(folder / JOURNAL, STUDIO)[0])]


def offered(gateway: Gateway, title: str, drafts: Sequence[DraftItem]) -> SettlementTable:
    """The table of a task of its own, of rows that no turn of it says."""
    task = give(gateway, f"/new {title}", task=None).task.id
    return gateway._settler.propose(task, (), Extracted(drafts=tuple(drafts)))


def stores_in(folder: Path) -> Stores:
    """Graph layers in memory, settings and archive in a real Chroma."""
    chroma = Chroma(ChromaSettings(folder=folder), HashedNgrams())
    return Stores(facts=FactsInMemory(), plans=PlansInMemory(), settings=Settings(chroma), archive=Archive(chroma))


def open_studio(
    folder: Path,
    stores: Stores,
    *,
    settings: TaskSettings | None = None,
    clock: FixedClock | None = None,
    extract: LineExtract | None = None,
    reader: Any = None,
    decide: Decide = as_remark,
    creative: Any = None,
) -> Studio:
    """`reader`: reads drafts, as a model does; None: nobody does."""
    creative, extract, clock = creative or Echo(), extract or LineExtract(), clock or FixedClock()
    hub = SharedHub(stores)
    gateway = Gateway(
        folder, hub, decide=decide, creative=creative, extract=extract, settings=settings, clock=clock, reader=reader
    )
    return Studio(folder, hub, stores, creative, extract, clock, gateway)


# -- what stands in a hub beforehand ----------------------------------------------------------------------------------

IMPORT = Origin(task=TaskId("import"))


def character(name: str, *, note: str = "", kind: EntityKind = EntityKind.CHARACTER) -> Entity:
    return Entity(kind=kind, name=name, note=note, origin=IMPORT)


def fact(
    subject: Entity, predicate: str, object_: Entity, since: int = 0, until: int | None = None, **properties: str
) -> Fact:
    keys = {"subject": subject.key, "object": object_.key}
    return Fact(**keys, predicate=predicate, properties=properties, since=since, until=until, origin=IMPORT)


def outline(
    titles: Sequence[str] = ("All", "Book", "Road"), steps: Sequence[str] = (), storyline: str = "", **first: Any
) -> list[Plan]:
    """A general, a long and a short outline, each below the one before, then steps, each after the one before, of which
    `first` is more about the first one."""
    plans: list[Plan] = []
    for kind, title in zip(PlanKind, titles, strict=False):
        line, above = storyline if kind is PlanKind.SHORT else "", plans[-1].key if plans else None
        plans.append(Plan(kind=kind, title=title, parent=above, storyline=line, origin=IMPORT))
    of: dict[str, Any] = {"kind": PlanKind.STEP, "parent": plans[-1].key, "storyline": storyline, "origin": IMPORT}
    for place, title in enumerate(steps):
        plans.append(Plan(title=title, after=plans[-1].key if place else None, **of, **first))
        first = {}
    return plans


def said(*texts: str) -> list[Turn]:
    """The texts as turns of the author's."""
    return [Turn(number=number, role="author", text=text, at=0.0) for number, text in enumerate(texts, start=1)]


TASK = Task(id=TaskId("t1"), title="Title", state=TaskState.OPEN, opened_at=0.0)


def context(asked: str = "", *, lang: Lang = "en", chapter: int = 1, budget: int | None = None) -> BuiltContext:
    """What the engine is told of a task, before anything is in it."""
    return BuiltContext(
        command=Command.CONTINUE,
        task=TASK,
        lang=lang,
        asked=asked,
        shown=asked,
        chapter=chapter,
        why="why",
        budget=budget,
    )


def turns_of(texts: Sequence[str]) -> list[Turn]:
    """The texts as turns, the author's first."""
    return [
        Turn(number=number, role="author" if number % 2 else "assistant", text=text, at=0.0)
        for number, text in enumerate(texts, start=1)
    ]


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
