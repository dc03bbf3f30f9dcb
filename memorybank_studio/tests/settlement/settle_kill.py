"""Kill a studio with SIGKILL in the middle of a settlement, open it again: is all of it there, or none?

Run as a program (it forks, which a test process with threads must not): prints one JSON object. The stores are real:
an embedded graph engine, which outlives the studio (`shared`) or dies with it (`own`), and Chroma in a folder.

A point is the n-th of the steps that a settlement takes (a write to the journal, torn or whole; a store before or after
it writes), or a moment: so many milliseconds after the author confirmed.
"""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chromadb.api.rust  # noqa: F401 - loaded once, not by each of the hundred children

from memorybank.embedding.hashed import HashedNgrams
from memorybank.runs.files.growing import GrowingFile
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.connection import USER, EmbeddedEngine, GraphConnection, GraphServer
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import EVENT
from memorybank_studio.tests.tasks.studio import Studio, open_studio
from memorybank_studio.types import EntityKind, PlanStatus, TaskState, entity_key
from memorybank_studio.wording import say

POINTS = 14
"""Every step once, a dozen, and a few moments between them: a settlement is dead at any of them in the same
few ways. More can be asked for by hand:  python -m memorybank_studio.tests.settlement.settle_kill FOLDER shared 200
"""
FEW = 5
"""So many points are steps alone, evenly spread from the first: no moments between them."""
KILLED = -signal.SIGKILL


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

    def watch(self, studio: Studio) -> None:
        write = GrowingFile.write

        def torn(journal: GrowingFile, data: bytes, *, durable: bool) -> None:
            def half() -> None:
                os.write(journal._descriptor, data[: random.Random(self.count).randint(0, len(data) - 1)])

            self.step(half)
            write(journal, data, durable=durable)
            self.step()

        GrowingFile.write = torn  # type: ignore[method-assign]
        for store, name in (
            (studio.stores.facts, "apply"),
            (studio.stores.plans, "apply"),
            (studio.stores.settings, "put"),
        ):
            self._around(store, name)

    def _around(self, store: Any, name: str) -> None:
        method = getattr(store, name)

        def watched(*arguments: Any) -> None:
            self.step()
            method(*arguments)
            self.step()

        setattr(store, name, watched)


def die_in(seconds: float) -> None:
    def wait() -> None:
        time.sleep(seconds)  # the moment of death is what is tested
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


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


def settle(root: Path, point: int, server: GraphServer | None, step: int | None, seconds: float | None) -> object:
    """Steps taken and seconds it took, if it lives."""
    studio = open_studio(root / f"studio{point}", stores_of(root, server))
    before, then = lines_of(point)
    studio.settle(studio.open_task("first", before))
    table = studio.propose(studio.open_task("second", then))
    steps = Steps(step)
    steps.watch(studio)
    if seconds is not None:
        die_in(seconds)
    began = time.perf_counter()
    studio.gateway.confirm(table.task, table.proposals)
    return steps.count, time.perf_counter() - began


# -- looking ----------------------------------------------------------------------------------------------------------


def look(root: Path, point: int, server: GraphServer | None) -> object:
    """What the hub holds of a settlement, as a reader of the studio that was opened again finds it."""
    desk = Desk(root / f"studio{point}")
    confirmed = desk.state.settlements == 2
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
    closed = studio.gateway.tasks()[1].state is TaskState.CLOSED
    waiting = len(studio.gateway.waiting())
    return {"confirmed": confirmed, "parts": parts, "facts": facts, "closed": closed, "waiting": waiting}


def is_whole(seen: Any) -> bool:
    """All of it if it was confirmed, none of it if it was not; nothing twice, nothing left over."""
    all_there, none = all(seen["parts"]), not any(seen["parts"])
    fits = all_there and seen["facts"] == 2 if seen["confirmed"] else none and seen["facts"] == 1
    return bool(fits and seen["closed"] is seen["confirmed"] and seen["waiting"] == 0)


def main(root: Path, mode: str, points: int) -> None:
    # What each child would read and build anew is there once for all of them. No thread is started by it.
    say("frame", "en")
    EVENT.rebuild()
    gc.collect()
    gc.freeze()  # or each child would walk over it, and copy it
    engine = EmbeddedEngine(root / "engine", ("facts",)) if mode == "shared" else None
    server = GraphServer(uri=engine.uri, user=USER, password=engine.password, database="facts") if engine else None
    report: dict[str, Any] = {"killed": 0, "lived": 0, "confirmed": 0, "unconfirmed": 0, "wrong": [], "failed": []}
    for point in (0, 1) if points > FEW else (0,):  # the first one makes the hub: too long for moments of the others
        code, whole = in_child(lambda: settle(root, point, server, None, None))  # noqa: B023 - called at once
        assert code == 0, code
    steps, seconds = whole
    report |= {"steps": steps}
    chance = random.Random(6)
    chosen = list(range(1, steps + 1, max(1, steps // points)))
    for point in range(2, 3 * points):
        if report["killed"] == points:
            break
        step = chosen[point - 2] if point - 2 < len(chosen) else None
        moment = None if step else chance.uniform(0, seconds)
        code, whole = in_child(lambda: settle(root, point, server, step, moment))  # noqa: B023 - called at once
        if code == 0:
            report["lived"] += 1
            seconds = min(seconds, whole[1])  # a machine that is less busy by now: later moments were too late to kill
        elif code == KILLED:
            report["killed"] += 1
        else:
            report["failed"].append([point, step, code])
            continue
        code, seen = in_child(lambda: look(root, point, server))  # noqa: B023 - called at once
        if code != 0 or not is_whole(seen):
            report["wrong"].append([point, step, moment, code, seen])
        else:
            report["confirmed" if seen["confirmed"] else "unconfirmed"] += 1
    if engine:
        engine.close()
    report["seconds"] = round(seconds, 3)
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
