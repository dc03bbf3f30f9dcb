"""Kill a studio with SIGKILL in the middle of a settlement, open it again: is all of it there, or none?

It forks, which a test process with threads must not: tests/killing.py is the program. The stores are real: an embedded
graph engine, which outlives the studio or dies with it, and Chroma in a folder.

A point is the n-th of the steps that a settlement takes: a write to the journal, torn or whole; one to the graph,
before it is committed and after; one to Chroma, after it (kill_put.py kills in the middle of one).
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memorybank.embedding.hashed import HashedNgrams
from memorybank.runs.files.growing import GrowingFile
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.connection import USER, Ask, EmbeddedEngine, GraphConnection, GraphServer, LayerDatabase
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.desk import Desk
from memorybank_studio.tests.tasks.studio import Studio, open_studio, read_line
from memorybank_studio.types import EntityKind, PlanStatus, TaskId, TaskState, entity_key

KILLED = -signal.SIGKILL
UNCOMMITTED = 7
"""The step in which the second write to the graph waits to be committed, the first being there: confirmed and begun
are the journal's four before it."""


# -- a studio on real stores ------------------------------------------------------------------------------------------


def stores_of(root: Path, server: GraphServer | None) -> Stores:
    graph = GraphConnection(root / "graph", server)
    chroma = Chroma(ChromaSettings(folder=root / "semantic"), HashedNgrams())
    return Stores(
        facts=Facts(graph.facts), plans=Plans(graph.plans), settings=Settings(chroma), archive=Archive(chroma)
    )


def lines_of(point: int) -> tuple[str, str]:
    """What is settled beforehand, and what is settled when the studio is killed: it ends one fact and adds others."""
    before = f"fact: Lin{point} OWNS Sword{point} Sword @3\nplan: Siege {point}\nsetting: Key {point} = before"
    then = (
        f"fact: Shu{point} OWNS Sword{point} Sword @7\nfact: Shu{point} HATES Lin{point} @7\n"
        f"plan: March {point}\nstatus: Siege {point} = Completed\nsetting: Key {point} = after"
    )
    return before, then


def prepare(studio: Studio, point: int) -> Any:
    before, then = lines_of(point)
    *entities, fact, plan, setting = (
        draft.item for line in before.splitlines() for draft in read_line(line, 1, TaskId("before"))
    )
    with studio.hub.changing() as stores:
        stores.facts.apply(entities, [fact])
        stores.plans.apply([plan], [])
        stores.settings.put([setting])
    return studio.propose(studio.open_task("second", then))


# -- dying ------------------------------------------------------------------------------------------------------------


class Steps:
    """Counts what a settlement does, and dies at one of it."""

    def __init__(self, dies_at: int | None) -> None:
        self._dies_at = dies_at
        self.count = 0

    def step(self, last: Callable[[], None] = lambda: None) -> None:
        self.count += 1
        if self.count == self._dies_at:
            last()
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        write = GrowingFile.write

        def torn(journal: GrowingFile, data: bytes, *, durable: bool) -> None:
            def half() -> None:
                os.write(journal._descriptor, data[: random.Random(self.count).randint(0, len(data) - 1)])

            self.step(half)
            write(journal, data, durable=durable)
            self.step()

        commit, put = LayerDatabase.write, Settings.put

        def committed(layer: LayerDatabase, work: Callable[[Ask], Any]) -> Any:
            def uncommitted(ask: Ask) -> Any:
                result = work(ask)
                self.step()
                return result

            result = commit(layer, uncommitted)
            self.step()
            return result

        def kept(settings: Settings, entries: Any) -> None:
            put(settings, entries)
            self.step()

        GrowingFile.write = torn  # type: ignore[method-assign]
        LayerDatabase.write = committed  # type: ignore[method-assign]
        Settings.put = kept  # type: ignore[method-assign]


def in_child(work: Callable[[], object]) -> tuple[int, Any]:
    """Exit status (negative: a signal) and what the work came to."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            os.write(writing, json.dumps(work()).encode())
        except BaseException as error:  # noqa: BLE001 - the parent reports it
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return code, json.loads(told) if told else None


def settle(root: Path, point: int, server: GraphServer | None, step: int | None) -> object:
    """Steps taken, if it lives."""
    studio = open_studio(root / f"studio{point}", stores_of(root, server))
    table = prepare(studio, point)
    steps = Steps(step)
    steps.watch()
    studio.gateway.confirm(table.task, table.proposals)
    return steps.count


# -- looking ----------------------------------------------------------------------------------------------------------


def look(root: Path, point: int, server: GraphServer | None) -> object:
    """What the hub holds of a settlement, as a reader of the studio that was opened again finds it."""
    desk = Desk(root / f"studio{point}")
    confirmed = desk.state.settlements == 1
    desk.close()
    studio = open_studio(root / f"studio{point}", stores_of(root, server))
    sword = entity_key(EntityKind.ITEM, f"Sword{point} Sword")
    shu = entity_key(EntityKind.CHARACTER, f"Shu{point}")
    with studio.hub.reading() as hub:
        owners = [fact.subject for fact in hub.facts.about(sword)]
        setting = hub.settings.exact(f"Key {point}")
        plans = {plan.title: plan.status for plan in hub.plans.all()}
        parts = [
            owners == [shu],
            bool(hub.facts.matching(shu, "HATES")),
            f"March {point}" in plans,
            plans[f"Siege {point}"] is PlanStatus.COMPLETED,
            setting is not None and setting.text == "after",
        ]
        facts = len(hub.facts.history(sword))
    closed = studio.gateway.tasks()[0].state is TaskState.CLOSED
    waiting = len(studio.gateway.waiting())
    return {"confirmed": confirmed, "parts": parts, "facts": facts, "closed": closed, "waiting": waiting}


def is_whole(seen: Any) -> bool:
    """All of it if it was confirmed, none of it if it was not; nothing twice, nothing left over."""
    all_there, none = all(seen["parts"]), not any(seen["parts"])
    fits = all_there and seen["facts"] == 2 if seen["confirmed"] else none and seen["facts"] == 1
    return bool(fits and seen["closed"] is seen["confirmed"] and seen["waiting"] == 0)


def kill(root: Path, point: int, server: GraphServer | None, step: int) -> dict[str, Any]:
    """What is there after a kill at a step."""
    code, _ = in_child(lambda: settle(root, point, server, step))
    looked, seen = in_child(lambda: look(root, point, server))
    whole = looked == 0 and is_whole(seen)
    return {"step": step, "killed": code == KILLED, "whole": whole, "confirmed": whole and seen["confirmed"]}


def main(root: Path) -> list[dict[str, Any]]:
    """Every step on an engine that outlives the studio, and one with its own, in the middle of a write to the graph:
    each opening starts an engine then, which is long."""
    engine = EmbeddedEngine(root / "engine", ("facts",))
    server = GraphServer(uri=engine.uri, user=USER, password=engine.password, database="facts")
    code, steps = in_child(lambda: settle(root, 0, server, None))
    assert code == 0, code
    points = [kill(root, step, server, step) for step in range(1, steps + 1)]
    engine.close()
    return [*points, kill(root / "own", 0, None, UNCOMMITTED)]
