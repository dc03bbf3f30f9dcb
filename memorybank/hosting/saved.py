"""The runs that are saved below a folder, each in a few words: read from its journal's lines, without opening the run.

A journal is not checked here (opening it does that): what cannot be read is left blank, or the run is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.errors import UnsafeInputError
from memorybank.memory.bounds import LATEST, loads
from memorybank.runs.files.plain import read_plain

RUN_ID_RE = re.compile(r"[0-9a-f]{32}")
"""Matches the name of a run's folder, which is its address."""

_SUMMARY_EVENTS = (
    "SessionStarted",
    "SessionForked",
    "TaskReceived",
    "SessionFinished",
    "StageFinished",
    "MemoryImported",
)
_TYPE_RE = re.compile(rb'"type": ?"(' + "|".join(_SUMMARY_EVENTS).encode() + rb')"\s*\}\s*\}\s*$')
"""Matches the events that say what a run is: the journal writes an event's type at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    address: str
    """Its folder's name."""
    run_id: str
    """The id that the journal states; a run that was opened from a file has another address."""
    goal: str
    """The task it works on, the last one; empty for a run that only files documents."""
    begun: float
    changed: float
    """Seconds since the epoch, by the journal."""
    events: int
    result: str
    """The result of the last task; empty while there is something to do."""
    engine: str
    model: str
    parent: str
    """The run id of the run it was branched off; empty for one that was begun."""
    parted: int
    """The event up to which it is the same as its parent."""
    size: int
    """Bytes of its journal."""


class StoredRuns:
    """The runs below a folder; a journal is read again only when it has changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, tuple[tuple[int, int], StoredRun | None]] = {}

    def newest_first(self) -> list[StoredRun]:
        """The one that was written last comes first."""
        runs = [run for run in self._read() if run is not None]
        return sorted(runs, key=lambda run: (-run.changed, run.address))

    def by_run_id(self, run_id: str) -> StoredRun | None:
        """The run with this id of its own, wherever it lies."""
        return next((run for run in self.newest_first() if run_id and run.run_id == run_id), None)

    def branches_of(self, run_id: str) -> list[StoredRun]:
        """The runs that were branched off this one, the latest first."""
        return [run for run in self.newest_first() if run_id and run.parent == run_id]

    def _read(self) -> Iterator[StoredRun | None]:
        folders = sorted(self._root.iterdir()) if self._root.is_dir() else []
        for folder in folders:
            journal = folder / "journal.jsonl"
            if not RUN_ID_RE.fullmatch(folder.name) or folder.is_symlink():
                continue
            try:
                status = journal.lstat()
                version = (status.st_mtime_ns, status.st_size)
                if self._known.get(folder.name, (None, None))[0] != version:
                    self._known[folder.name] = (version, summarise(folder.name, read_plain(journal)))
            except (OSError, UnsafeInputError):
                continue
            yield self._known[folder.name][1]


def summarise(address: str, journal: bytes) -> StoredRun | None:
    """Summarises a journal; None when it is none, or was never begun."""
    lines = journal.split(b"\n")[1:-1]
    events: dict[str, tuple[Mapping[str, Any], float]] = {}
    result = ""
    for line in lines:
        match = _TYPE_RE.search(line[-400:])
        if match is None:
            continue
        event, at = _event(line)
        name = event.get("type")
        if name == "StageFinished":
            events["StageFinished"] = event, at
        elif isinstance(name, str):
            events[name] = event, at
            result = _text(event, "result") if name == "SessionFinished" else "" if name == "TaskReceived" else result
    if "SessionStarted" not in events:
        return None
    begun, began_at = events["SessionStarted"]
    forked = events.get("SessionForked", ({}, 0.0))[0]
    parted = forked.get("parent_seq")
    return StoredRun(
        address=address,
        run_id=_text(forked, "run_id") or _text(begun, "run_id"),
        goal=_text(events.get("TaskReceived", ({}, 0.0))[0], "goal"),
        begun=began_at,
        changed=events.get("StageFinished", ({}, began_at))[1],
        events=len(lines),
        result=result,
        engine=_text(begun, "engine"),
        model=_text(begun, "model"),
        parent=_text(forked, "parent_run_id"),
        parted=parted if isinstance(parted, int) else 0,
        size=len(journal),
    )


def _event(line: bytes) -> tuple[Mapping[str, Any], float]:
    try:
        record = loads(line)
        event, at = record["event"], float(record["at"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return {}, 0.0
    return (event, at) if isinstance(event, dict) and 0 <= at < LATEST else ({}, 0.0)


def _text(event: Mapping[str, Any], name: str) -> str:
    value = event.get(name, "")
    return value if isinstance(value, str) else ""
