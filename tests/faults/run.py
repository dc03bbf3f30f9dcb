"""Every call that changes a file fails once, at every point of a small run of every holder of a journal.

At each point a write is torn once, and a call of another kind finds the disk full; at every second write another fault
follows, in turn, and at every other call of another kind.

Run as a program with `failing_disk.so` preloaded; prints one JSON object: cases tried, and what was lost.

    LD_PRELOAD=failing_disk.so python -m tests.faults.run FOLDER [HOLDER ...] [--every N]
"""

from __future__ import annotations

import argparse
import json
import shutil
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.faults.disk import OTHER_FAULTS, TORN, WRITE_FAULTS, Call, Disk, Fault
from tests.faults.holders import HOLDERS


def tried(name: str, disk: Disk, folder: Path, nth: int, fault: Fault) -> str:
    """What went wrong; empty when nothing that was reported as done is lost."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    holder = HOLDERS[name](folder / "run")
    try:
        with disk.failing(folder / "run", nth, fault):
            holder.work()
        holder.check()
    except Exception as error:  # noqa: BLE001 - reported by the case it happened in
        return f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-6)}"
    return ""


def _others(nth: int, fired: Call) -> Sequence[Fault]:
    """What follows a torn write, or a full disk, at that point."""
    if fired is not Call.WRITE:
        return OTHER_FAULTS if nth % 2 else ()
    return () if nth % 2 else [WRITE_FAULTS[nth // 2 % len(WRITE_FAULTS)]]


def main() -> None:
    reader = argparse.ArgumentParser()
    reader.add_argument("folder", type=Path)
    reader.add_argument("holders", nargs="*", default=list(HOLDERS))
    reader.add_argument("--every", type=int, default=1, help="only every n-th point")
    given = reader.parse_args()
    disk = Disk()
    cases: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    lost: list[str] = []
    for name in given.holders:
        folder = given.folder / name
        unharmed = tried(name, disk, folder, 0, TORN)
        if unharmed:
            lost.append(f"{name} unharmed: {unharmed}")
            continue
        for nth in range(1, disk.count + 1, given.every):
            faults, place = [TORN], 0
            while place < len(faults):
                why = tried(name, disk, folder, nth, faults[place])
                if disk.fired is Call.NONE:
                    break  # the work took fewer calls this time
                cases[name] += 1
                calls[disk.fired.name] += place == 0
                if why:
                    lost.append(f"{name}, call {nth} ({disk.fired.name}), {faults[place].name}: {why}")
                if not place:
                    faults += _others(nth, disk.fired)
                place += 1
    print(json.dumps({"cases": cases, "calls": calls, "lost": lost}, indent=1))


if __name__ == "__main__":
    main()
