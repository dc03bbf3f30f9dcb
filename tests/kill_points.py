"""Kill a session with SIGKILL at an append of each kind, torn lines included, resume it, and compare with a whole run.

Run as a program (it forks, which a test process with threads must not): prints one JSON object. With `images` it is a
session that meets images while it reads; with `failing` one whose agents fail on some of it, which is filed again.
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

from memorybank.memory.events import EVENT, AgentCalled, EntryRecorded, StageFinished, StageStarted, ToolUsed
from memorybank.runs.export import fingerprint
from memorybank.runs.files.growing import GrowingFile
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, state_at
from memorybank.session.assembly import Parts
from memorybank.session.session import Session
from memorybank.tools.corpus import Corpus
from tests.picturing import picture
from tests.scripted import Reader, numbered, parts

TEXTS = ("willow qubits: 105\n\nsycamore qubits: 53\n", "willow qubits: 98\n", "willow maker: Google\n")
WORLD = {"willow qubits": "105"}
IMAGES, FAILING = "images", "failing"
mended: set[str] = set()
"""Agents that work by now."""
FAILS: dict[str, Callable[[Any], bool]] = {
    "classification": lambda given: "maker" in given.text,
    "structure": lambda given: "structure" not in mended and "sycamore" in given.content,
    "integration": lambda given: True,
}


def die_at(append: int) -> None:
    """Make this process kill itself in the n-th append, with a random part of its bytes written."""
    write = GrowingFile.write
    count = 0

    def torn(self: GrowingFile, data: bytes, *, durable: bool) -> None:
        nonlocal count
        count += 1
        if count == append:
            os.write(self._descriptor, data[: random.Random(append).randint(0, len(data) - 1)])
            os.kill(os.getpid(), signal.SIGKILL)
        write(self, data, durable=durable)

    GrowingFile.write = torn  # type: ignore[method-assign]


def made(folder: Path) -> Parts:
    """The parts of the session in a folder."""
    if IMAGES not in sys.argv:
        return parts(world=WORLD, failing=FAILS if FAILING in sys.argv else {})
    corpus = folder.parent / "corpus"
    if not corpus.is_dir():
        corpus.mkdir()
        for name in ("one", "two", "alone"):
            (corpus / f"{name}.png").write_bytes(picture(name))
        (corpus / "a.md").write_text("vault maps: 3\n\n![](one.png) ![](two.png)\n", "utf-8")
        (corpus / "b.md").write_text("vault keys: 4\n\n![](two.png)\n", "utf-8")
    reads = {"one.png": "vault maps: 417", "two.png": "vault age: 9"}
    return parts(corpus=Corpus.open(corpus), executor=Reader(("a.md", "b.md"), reads))


def work(folder: Path) -> None:
    texts = () if IMAGES in sys.argv else TEXTS
    with Session.start(folder, made(folder), goal="How many qubits has Willow?", sources=numbered(*texts)) as session:
        complete(session)


def complete(session: Session) -> None:
    """To its end, wherever it stands. What failed is filed once more, in part in vain."""
    refiled = any(getattr(record.event, "stage", "") == "refile" for record in session.records)
    if FAILING in sys.argv and not refiled:
        session.run()
        session.refile()
    mended.add("structure")
    session.run()


def finish(folder: Path) -> None:
    """Resume; a run that was killed before its first commit never began, and is begun again."""
    if not state_began(folder):
        for path in folder.iterdir():
            if path.is_file():
                path.unlink()
        work(folder)
        return
    with Session.open(folder, lambda _: made(folder)) as session:
        complete(session)


def state_began(folder: Path) -> bool:
    try:
        return state_at(load(folder)).settings is not None
    except Exception:  # noqa: BLE001 - any refusal means the same here: nothing was committed
        return False


def in_child(task: object, *arguments: object) -> int:
    child = os.fork()
    if child == 0:
        try:
            task(*arguments)  # type: ignore[operator]
        except BaseException as error:  # noqa: BLE001 - the parent reports it
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def killed(folder: Path, append: int) -> None:
    die_at(append)
    work(folder)


def facts(records: list[Record[Any]]) -> list[object]:
    """Everything but what tells of resuming and of time. A failed call that a kill left last is made once more."""
    kept: list[object] = []
    for record in records:
        if type(record.event).__name__ in ("SessionStarted", "SessionResumed", "StageFinished", "StageStarted"):
            continue
        event = {
            name: value
            for name, value in EVENT.dump_python(record.event, mode="json").items()
            if name not in ("ms", "at")
        }
        if not (event.get("outcome") == "failed" and kept[-1:] == [event]):
            kept.append(event)
    return kept


def main(root: Path) -> None:
    whole = root / "whole"
    work(whole)  # here: what a session imports while it runs would be imported again in each child
    mended.clear()
    records = load(whole)
    expected, journal = fingerprint(state_at(records)), facts(records)
    calls = sum(isinstance(record.event, AgentCalled) for record in records)
    written = [r.event for r in records if isinstance(r.event, AgentCalled | StageStarted | ToolUsed | StageFinished)]
    kinds = [(type(event), *(getattr(event, name, "") for name in ("stage", "role", "outcome"))) for event in written]
    if IMAGES in sys.argv:  # from the round that meets them to the one that reads them
        first = next(at for at, kind in enumerate(kinds) if kind[0] is ToolUsed)
        appends = list(range(first, first + 12))
    elif FAILING in sys.argv:  # what fails and what follows it, and all that is filed again
        again = kinds.index((StageFinished, "refile", "", ""))
        appends = [at + 2 for at in range(1, len(kinds)) if "failed" in kinds[at - 1] + kinds[at] or at > again]
    else:
        appends = [1, *(at + 2 for at, kind in enumerate(kinds) if kind not in kinds[:at])]  # the session's start too
    report = {"points": 0, "differ": [], "not_killed": [], "journals_differ": [], "extra_calls": 0, "lost": []}
    for append in appends:
        folder = root / str(append)
        status = in_child(killed, folder, append)
        if status != -signal.SIGKILL:
            report["not_killed"].append([append, status])
            continue
        begun = load(folder) if state_began(folder) else []
        before = [record.event.entry.text for record in begun if isinstance(record.event, EntryRecorded)]
        assert in_child(finish, folder) == 0, append
        resumed = load(folder)
        after = state_at(resumed)
        report["points"] += 1
        if fingerprint(after) != expected:
            report["differ"].append(append)
        if facts(resumed) != journal:
            report["journals_differ"].append(append)
        if not set(before) <= {entry.text for entry in after.tree.entries.values()}:
            report["lost"].append(append)
        more = sum(isinstance(record.event, AgentCalled) for record in resumed) - calls
        report["extra_calls"] = max(report["extra_calls"], more)
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
