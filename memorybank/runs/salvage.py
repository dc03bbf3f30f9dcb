"""A damaged run, opened up to the last good of it, for whoever asks by name (`--to-last-good`).

Good are the stages that ended before the damage, and the answers (observations) that are whole behind the last of them:
they save calls when the next stage is run again. A reader passes over the rest. A writer puts it aside, in a file
beside the journal, before the journal is cut: nothing is destroyed.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from memorybank.errors import JournalError
from memorybank.runs import run_folder
from memorybank.runs.files.growing import GrowingFile, sync_folder
from memorybank.runs.files.plain import write_whole
from memorybank.runs.journal import JournalReading, read_as_far, take_lock
from memorybank.runs.stages import ends_stage

_STAGE = b'"type": "StageFinished"'


@dataclass(frozen=True, slots=True, kw_only=True)
class DamagedPart:
    """The part of a damaged run without which it was opened."""

    line: int
    """The first line of the journal that is left out."""
    lines: int
    bytes: int
    stages: int
    """Ended stages that seem to be among them."""
    damage: str
    """The fault of the first line that is left out."""
    events: int
    """Number of events that were opened."""
    file: str = ""
    """The file in the run's folder that keeps them; empty when the journal was only read."""

    def __str__(self) -> str:
        kept = f" and kept in {self.file}" if self.file else ""
        return (
            f"opened up to event {self.events}; left out{kept}: all from line {self.line} on "
            f"(lines: {self.lines:,}, bytes: {self.bytes:,}, ended stages: {self.stages:,}), for {self.damage}"
        )


def load_to_last_good(run: Path) -> tuple[run_folder.Records, DamagedPart | None]:
    """Loads a run; of a damaged one its good part, and what was left out. Raises JournalError where nothing is good."""
    journal, left_out = _read(run)
    return (run_folder.load(run), None) if left_out is None else (journal.records[: left_out.events], left_out)


def put_aside(folder: run_folder.RunFolder) -> DamagedPart | None:
    """Cut a damaged run down to the last good of it, once what is cut stands in a file beside the journal.

    None when the run is not damaged: it is not touched then. Raises JournalError where nothing is good, LockedError,
    UnsafeInputError.
    """
    folder.check_plain()
    if _read(folder.path)[1] is None:
        return None
    with ExitStack() as held:
        held.callback(take_lock(folder.journal).release)
        reading, damaged = _read(folder.path)
        if damaged is None:
            return None
        names = (folder.path / f"journal.left-out-{number}.jsonl" for number in count(1))
        aside = next(name for name in names if not os.path.lexists(name))
        start = reading.ends[damaged.events]
        write_whole(aside, reading.data[start:])
        sync_folder(folder.path)  # it stands there before anything is cut, whatever happens to the machine
        journal = GrowingFile(folder.journal)
        held.callback(journal.close)
        journal.cut(start)
    return replace(damaged, file=aside.name)


def _read(run: Path) -> tuple[JournalReading[Any], DamagedPart | None]:
    journal = read_as_far(run_folder.journal_path(run), run_folder.SESSION)
    good, damage = _good(journal)
    if damage is None:
        return journal, None
    records = journal.records[:good]
    if not any(map(ends_stage, records)):
        raise JournalError("journal.nothing_whole", reason=damage)
    rest = journal.data[journal.ends[good] :]
    return journal, DamagedPart(
        line=good + 2,
        lines=rest.count(b"\n") + (not rest.endswith(b"\n")),
        bytes=len(rest),
        stages=rest.count(_STAGE),
        damage=str(damage),
        events=good,
    )


def _good(journal: JournalReading[Any]) -> tuple[int, JournalError | None]:
    """Counts the good records, and states what is wrong behind them."""
    contradiction = run_folder.contradiction_of(journal.records)
    if contradiction is not None:
        return run_folder.consistent_prefix(journal.records), contradiction
    return len(journal.records), journal.damage
