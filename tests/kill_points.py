"""Kill a session with SIGKILL at every append, torn lines included, resume it, and compare with a whole run.

Run as a program (it forks, which a test process with threads must not): prints one JSON object.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path

from memorybank.events import AgentCalled, EntryRecorded, StageStarted
from memorybank.export import fingerprint
from memorybank.files.growing import GrowingFile
from memorybank.run_folder import load, state_at
from memorybank.session import Session
from tests.scripted import parts, start

TEXTS = ("willow qubits: 105\n\nsycamore qubits: 53\n", "willow qubits: 98\n", "willow maker: Google\n")
WORLD = {"willow qubits": "105"}


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


def work(folder: Path) -> None:
    with start(folder, *TEXTS, goal="How many qubits has Willow?", world=WORLD) as session:
        session.run()


def finish(folder: Path) -> None:
    """Resume; a run that was killed before its first commit never began, and is begun again."""
    if not state_began(folder):
        for path in folder.iterdir():
            if path.is_file():
                path.unlink()
        work(folder)
        return
    with Session.open(folder, lambda _: parts(world=WORLD)) as session:
        session.run()


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


def calls(folder: Path) -> int:
    return sum(isinstance(record.event, AgentCalled) for record in load(folder))


def facts(folder: Path) -> list[object]:
    """Everything but what tells of resuming and of time."""
    kept = []
    for record in load(folder):
        if type(record.event).__name__ in ("SessionStarted", "SessionResumed", "StageFinished", "StageStarted"):
            continue
        event = json.loads(json.dumps(_json(record.event)))
        for field in ("ms", "at"):
            event.pop(field, None)
        kept.append(event)
    return kept


def _json(event: object) -> dict[str, object]:
    from memorybank.events import EVENT

    dumped: dict[str, object] = EVENT.dump_python(event, mode="json")
    return dumped


def main(root: Path) -> None:
    whole = root / "whole"
    assert in_child(work, whole) == 0
    expected, journal = fingerprint(state_at(load(whole))), facts(whole)
    appends = 2 + sum(
        isinstance(record.event, AgentCalled | StageStarted)
        or type(record.event).__name__ in ("ToolUsed", "StageFinished")
        for record in load(whole)
    )
    report = {"points": 0, "differ": [], "not_killed": [], "journals_differ": [], "extra_calls": 0, "lost": []}
    for append in range(1, appends):
        folder = root / str(append)
        status = in_child(killed, folder, append)
        if status != -signal.SIGKILL:
            report["not_killed"].append([append, status])
            continue
        before = (
            [r.event.entry.text for r in load(folder) if isinstance(r.event, EntryRecorded)]
            if state_began(folder)
            else []
        )
        assert in_child(finish, folder) == 0, append
        after = state_at(load(folder))
        report["points"] += 1
        if fingerprint(after) != expected:
            report["differ"].append(append)
        if facts(folder) != journal:
            report["journals_differ"].append(append)
        if not set(before) <= {entry.text for entry in after.tree.entries.values()}:
            report["lost"].append(append)
        report["extra_calls"] = max(report["extra_calls"], calls(folder) - calls(whole))
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
