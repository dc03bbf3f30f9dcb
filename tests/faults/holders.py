"""Whoever holds a journal, at small work that goes on after an error, as a server does. Each tells what was reported.

A holder's `work` does its steps one by one; a step that fails is dropped and the next one is tried, on the same objects
as long as they say that they go on, on newly opened ones after that. `check` opens what is on the disk and compares.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import JournalBrokenError, MemoryBankError
from memorybank.hosting.run import Until
from memorybank.hosting.worker import Worker
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.mcp import Calls
from memorybank.integrations.turns import Turns
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, split_committed, state_at
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.tests.tasks.studio import Studio, open_studio
from tests.scripted import parts, source, start

TEXTS = ("willow qubits: 105\n", "willow qubits: 98\n")
WORLD = {"willow qubits": "105"}
GOAL = "How many qubits has Willow?"
PATIENCE = 20.0
"""Seconds that a worker may take for an order."""


class Lost(AssertionError):  # noqa: N818 - what a case comes to
    """What was reported as done is not there."""


class Holder(Protocol):
    """Made for one folder; `work` once, then `check`."""

    def work(self) -> None: ...
    def check(self) -> None: ...


@contextmanager
def going_on() -> Iterator[None]:
    """A step that may fail, in one of the ways that are told to a user."""
    with suppress(MemoryBankError, OSError):
        yield


def committed(records: Sequence[Record[Any]]) -> list[Record[Any]]:
    return split_committed(list(records))[0]


@dataclass
class OnRun:
    """A holder of a session's journal."""

    folder: Path
    reported: list[Record[Any]] = field(default_factory=list)

    def report(self, records: Sequence[Record[Any]]) -> None:
        done = committed(records)
        if len(done) > len(self.reported):
            self.reported = done

    def begin(self) -> Session:
        """The run as it stands, or a new one."""
        if (self.folder / "journal.jsonl").exists():
            return Session.open(self.folder, lambda _: parts(world=WORLD))
        return start(self.folder, *TEXTS, goal=GOAL, world=WORLD)

    def check(self) -> None:
        """Everything that was reported stands on the disk, folds, and can be gone on with to the end."""
        if not self.reported and not (self.folder / "journal.jsonl").exists():
            start(self.folder, *TEXTS, goal=GOAL, world=WORLD).close()
        disk = committed(load(self.folder))
        if disk[: len(self.reported)] != self.reported:
            raise Lost(f"{len(self.reported)} records were reported, the disk has {len(disk)}")
        state_at(disk)
        with Session.open(self.folder, lambda _: parts(world=WORLD)) as session:
            session.add(source("beta masts: 5\n", "after.txt"))
            result = session.run()
            session.export()
        if not result.result or "beta masts: 5" not in str(state_at(load(self.folder)).graph.nodes):
            raise Lost(f"the run does not go on: {result}")
        json.loads((self.folder / "memory.json").read_text("utf-8"))

    def hold(self, begin: Callable[[], Any], acts: Iterable[Callable[[Any], object]]) -> None:
        """Do the acts on what is begun, begun again where its journal has broken."""
        holder: Any = None
        for act in acts:
            with going_on():
                holder = holder or begin()
                try:
                    act(holder)
                except JournalBrokenError:
                    holder.close()
                    holder = None
                    raise
                finally:
                    if holder is not None:
                        self.report(getattr(holder, "session", holder).records)
        if holder is not None:
            with going_on():
                holder.close()


class OnSession(OnRun):
    """A program that uses the library, and goes on with its session after an error."""

    def work(self) -> None:
        self.hold(self.begin, _ACTS)


def _undo(session: Session) -> None:
    for merge in list(session.bank.graph.merges):
        session.undo_merge(merge)


_ACTS: tuple[Callable[[Session], object], ...] = (
    lambda session: None,
    lambda session: session.run(),
    lambda session: session.add(source("sycamore qubits: 53\n", "c.txt")),
    lambda session: session.run(),
    _undo,
    lambda session: session.change_settings(retrieval_k=3),
    lambda session: session.fork(len(session.records), session.folder.path / "branch"),
    lambda session: session.ask("Who made it?"),
    lambda session: session.run(),
)


class OnWorker(OnRun):
    """The app's worker. One that has ended is replaced, as the page does when the run is opened again."""

    def work(self) -> None:
        worker: Worker | None = None
        for order in (
            lambda worker: worker.go(Until.END),
            lambda worker: worker.obey(
                lambda session: session.add(source("sycamore qubits: 53\n", "c.txt")), Until.END
            ),
            lambda worker: worker.obey(lambda session: session.ask("Who made it?"), Until.END),
        ):
            if worker is None or worker.phase is Phase.FAILED:
                worker = Worker("0" * 32, self.begin)
                self._wait(worker)
            order(worker)
            self._wait(worker)
        if worker is not None and not worker.close(PATIENCE):
            raise Lost("the worker does not end")

    def _wait(self, worker: Worker) -> None:
        end = time.monotonic() + PATIENCE
        while worker.busy:
            if time.monotonic() > end:
                raise Lost("the worker does not come to rest")
            time.sleep(0.0005)
        if worker.error is not None and not isinstance(worker.error, MemoryBankError | OSError):
            raise Lost(f"the worker failed with {worker.error!r}")
        if worker.phase is not Phase.FAILED:
            self.report(worker.records)


class OnMcp(OnRun):
    """The MCP server's tools, called as a client calls them."""

    def work(self) -> None:
        asyncio.run(self._work())

    async def _work(self) -> None:
        bank = self._bank()
        calls = Calls(bank)
        for name, arguments in (
            ("ingest", {"text": TEXTS[0], "source": "a.txt"}),
            ("ingest", {"text": TEXTS[1], "source": "b.txt"}),
            ("resolve", {"conflict_id": "c1", "status": "resolved", "winner": "left", "reasoning": "a.txt says so"}),
            ("search_memory", {"query": "willow"}),
            ("ingest", {"text": "sycamore qubits: 53\n", "source": "c.txt"}),
        ):
            await calls.call(name, {"wait": 600, **arguments}, _unheard)
            if bank._closed:
                bank = self._bank()
                calls = Calls(bank)
            elif bank._session is not None:
                self.report(bank._session.records)
        with going_on():
            bank.close()

    def _bank(self) -> BankTools:
        def begin(sources: Sequence[Any]) -> Session:
            return Session.start(self.folder, parts(world=WORLD), sources=sources)

        began = (self.folder / "journal.jsonl").exists()
        return BankTools(self.begin() if began else None, begin=begin)


async def _unheard(seconds: float, doing: str) -> None:
    """Let progress pass."""


def _take_turn(place: int) -> Callable[[Turns], object]:
    def act(turns: Turns) -> object:
        if turns.enhance_prompt() is None:
            return turns.ask(f"What else, {place}?")
        return turns.intercept(f"answer {place}", sources={f"page{place}.txt": f"page{place} rank: {place}\n"})

    return act


class OnTurns(OnRun):
    """A loop of somebody else's."""

    def work(self) -> None:
        self.hold(self._turns, map(_take_turn, range(5)))

    def _turns(self) -> Turns:
        if (self.folder / "journal.jsonl").exists():
            return Turns.open(self.folder, parts=parts(world=WORLD))
        return Turns.start(self.folder, GOAL, sources=[source(TEXTS[0])], parts=parts(world=WORLD))


@dataclass
class OnStudio:
    """The writing studio's journal. Its stores stand elsewhere: Chroma's engine is not ours, and waits for ever at some
    calls that fail under it."""

    folder: Path
    turns: dict[str, list[str]] = field(default_factory=dict)
    """What was reported of each task: its turns."""
    applied: set[str] = field(default_factory=set)
    facts: FactsInMemory = field(default_factory=FactsInMemory)
    plans: PlansInMemory = field(default_factory=PlansInMemory)
    chroma: Chroma = field(init=False)

    def work(self) -> None:
        studio: Studio | None = None
        for act in _STUDIO_ACTS:
            with going_on():
                if studio is None:
                    studio = self._open()
                act(studio)
                self._report(studio)
            if studio is not None and studio.gateway.broken:
                self._close(studio)
                studio = None
        if studio is not None:
            self._close(studio)

    def check(self) -> None:
        studio = self._open()
        try:
            tasks = {task.id: task for task in studio.gateway.tasks()}
            for task, said in self.turns.items():
                have = [turn.text for turn in studio.gateway.history(task)] if task not in self.applied else said
                if have[: len(said)] != said:
                    raise Lost(f"task {task} had {said}, now {have}")
            if open_again := [task for task in self.applied if tasks[task].state.value == "open"]:
                raise Lost(f"settled tasks are open again: {open_again}")
            task = studio.open_task("afterwards")
            studio.gateway.handle("fact: Mara OWNS Dawn Sword @9", task=task)
            studio.settle(task)
        finally:
            self._close(studio)

    def _open(self) -> Studio:
        self.chroma = chroma = Chroma(ChromaSettings(folder=self.folder.parent / "semantic"), HashedNgrams())
        stores = Stores(facts=self.facts, plans=self.plans, settings=Settings(chroma), archive=Archive(chroma))
        try:
            return open_studio(self.folder, stores)
        except BaseException:
            chroma.close()
            raise

    def _close(self, studio: Studio) -> None:
        with going_on():
            studio.gateway.close()
        self.chroma.close()

    def _report(self, studio: Studio) -> None:
        for task in studio.gateway.tasks():
            if task.state.value == "open":
                self.turns[task.id] = [turn.text for turn in studio.gateway.history(task.id)]
            else:
                self.applied.add(task.id)


def _settle(studio: Studio) -> None:
    open_ones = [task.id for task in studio.gateway.tasks() if task.state.value == "open"]
    for task in open_ones[:1]:
        studio.settle(task)


def _say(text: str) -> Callable[[Studio], object]:
    def act(studio: Studio) -> object:
        open_ones = [task.id for task in studio.gateway.tasks() if task.state.value == "open"]
        return studio.gateway.handle(text, task=open_ones[0] if open_ones else studio.open_task("again"))

    return act


_STUDIO_ACTS: tuple[Callable[[Studio], object], ...] = (
    lambda studio: studio.open_task("one"),
    _say("fact: Lin OWNS Frost Sword @3"),
    _say("setting: Jade = cold"),
    _settle,
    _say("fact: Shu HATES Lin @4"),
    _settle,
)

HOLDERS: dict[str, Callable[[Path], Holder]] = {
    "session": OnSession,
    "worker": OnWorker,
    "mcp": OnMcp,
    "turns": OnTurns,
    "studio": OnStudio,
}
