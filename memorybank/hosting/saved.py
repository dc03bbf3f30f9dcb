"""The runs that are saved below a folder, each in a few words: read from its journal's lines, without opening the run.

A journal is not checked here (opening it does that): what cannot be read of it is left blank. One of which nothing can
be read is a damaged run: it is listed all the same, for it has a name, and may be deleted.

The words are kept beside the run, so that a server that has just started reads no journal that has not changed since.
They serve the list alone: whatever opens a run reads its journal.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from memorybank.errors import InputError, MemoryBankError, UnsafeInputError
from memorybank.memory.bounds import LATEST, Count, Seconds, loads
from memorybank.runs.files.plain import read_plain, write_whole
from memorybank.runs.label import LABEL, read_label

JOURNAL, SUMMARY = "journal.jsonl", ".summary.json"
"""The names of two files in a run's folder, as in run_folder.py, whose imports the first page is spared."""
RUN_ID_RE = re.compile(r"[0-9a-f]{32}")
"""Matches the name of a run's folder, which is its address."""

_SUMMARY_EVENTS = (
    "SessionStarted",
    "SessionForked",
    "TaskReceived",
    "SessionFinished",
    "StageFinished",
    "MemoryImported",
    "ConflictFound",
    "ConflictClosed",
)
_TYPE_RE = re.compile(rb'"type": ?"(' + "|".join(_SUMMARY_EVENTS).encode() + rb')"\s*\}\s*\}\s*$')
"""Matches the events that say what a run is: the journal writes an event's type at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    address: str
    """Name of the run's folder."""
    run_id: str
    """The id that the journal states; a run that was opened from a file has another address."""
    goal: str = ""
    """The task it works on, the last one; empty for a run that only files documents."""
    name: str = ""
    """The name that a person has given it; empty when it is called by its task."""
    pinned: bool = False
    is_damaged: bool = False
    """Whether nothing of its journal can be read."""
    begun: Seconds
    changed: Seconds
    """Time of the journal's last commit."""
    events: Count = 0
    result: str = ""
    """The result of the last task; empty while there is something to do."""
    engine: str = ""
    model: str = ""
    lang: str = ""
    conflicts: Count = 0
    """Number of disputes, which is what a person is told of as conflicts."""
    settled: Count = 0
    """Counts those of them that were closed with more than "inconclusive"."""
    parent: str = ""
    """The run id of the run it was branched off; empty for one that was begun."""
    parted: Count = 0
    """The event up to which it is the same as its parent."""
    size: Count
    """Size of its journal in bytes."""


Version = tuple[int, int, int]
"""The version of a run: when its journal was written and how long it is, and when it was named."""


class StoredRuns:
    """The runs below a folder; a journal, and what a person has called it, is read again only when it has changed.

    `keeps_summaries`: what was read is written beside the run, for the next server.
    """

    def __init__(self, root: Path, *, keeps_summaries: bool = False) -> None:
        self._root, self._keeps_summaries = root, keeps_summaries
        self._known: dict[str, tuple[Version, StoredRun]] = {}

    def newest_first(self) -> list[StoredRun]:
        """Return the runs, the latest first: by their last commit, and copies of one run by when each was laid down."""
        found = list(self._read())
        return sorted(found, key=lambda run: (run.changed, self._known[run.address][0]), reverse=True)

    def at(self, address: str) -> StoredRun | None:
        """Return the run at an address; None where there is none to tell of."""
        is_run = RUN_ID_RE.fullmatch(address) and not (self._root / address).is_symlink()
        return self._look(address) if is_run else None

    def by_run_id(self, run_id: str) -> StoredRun | None:
        """Return the run with this id of its own, wherever it lies."""
        return next((run for run in self.newest_first() if run_id and run.run_id == run_id), None)

    def branches_of(self, run_id: str) -> list[StoredRun]:
        """Return the runs that were branched off this one, the latest first."""
        return [run for run in self.newest_first() if run_id and run.parent == run_id]

    def _read(self) -> Iterator[StoredRun]:
        if not self._root.is_dir():
            return
        with os.scandir(self._root) as entries:
            names = [entry.name for entry in entries if RUN_ID_RE.fullmatch(entry.name) and not entry.is_symlink()]
        yield from filter(None, map(self._look, names))

    def _look(self, address: str) -> StoredRun | None:
        folder = self._root / address
        try:
            version = _version(str(folder))
            if self._known.get(address, (None, None))[0] != version:
                self._known[address] = (version, self._read_run(folder, version))
        except (OSError, UnsafeInputError):
            return None
        return self._known[address][1]

    def _read_run(self, folder: Path, version: Version) -> StoredRun:
        kept = _kept_summary(folder, version)
        if kept is not None:
            return kept
        run = _described(folder)
        if self._keeps_summaries:
            # Where it cannot be written, the journal is read again next time.
            summary = {"form": _FORM, "version": version, "run": asdict(run)}
            with suppress(OSError, InputError):
                write_whole(folder / SUMMARY, json.dumps(summary).encode(), durable=False)
        return run


def _version(folder: str) -> Version:
    """Return a run's version by two looks at files, which are all that a run costs that has not changed."""
    journal = os.lstat(os.path.join(folder, JOURNAL))  # noqa: PTH118 - a Path costs as much as the look
    try:
        label = os.lstat(os.path.join(folder, LABEL)).st_mtime_ns  # noqa: PTH118
    except FileNotFoundError:
        label = 0
    return journal.st_mtime_ns, journal.st_size, label


def _described(folder: Path) -> StoredRun:
    run = summarise(folder.name, read_plain(folder / JOURNAL))
    if run is None:
        status = (folder / JOURNAL).lstat()
        run = StoredRun(
            address=folder.name,
            run_id="",
            begun=status.st_mtime,
            changed=status.st_mtime,
            size=status.st_size,
            is_damaged=True,
        )
    label = read_label(folder)
    return replace(run, name=label.name, pinned=label.pinned)


_FORM = 2
"""Raised when `summarise` comes to say something else of the same journal, so that what was kept is read anew."""


class _Summary(BaseModel):
    """The content of the file `SUMMARY`."""

    form: int
    version: Version
    run: StoredRun


def _kept_summary(folder: Path, version: Version) -> StoredRun | None:
    """Return the summary that was kept; None where none can be read, and where the run has changed since."""
    try:
        summary = _Summary.model_validate_json(read_plain(folder / SUMMARY))
    except (OSError, InputError, ValidationError):
        return None
    is_current = (summary.form, summary.version) == (_FORM, version)
    return replace(summary.run, address=folder.name) if is_current else None


def summarise(address: str, journal: bytes) -> StoredRun | None:
    """Summarise a journal; None when it is none, or was never begun."""
    lines = journal.split(b"\n")[1:-1]
    events: dict[str, tuple[Mapping[str, Any], float]] = {}
    result, conflicts = "", list[Mapping[str, Any]]()
    for line in lines:
        match = _TYPE_RE.search(line[-400:])
        if match is None:
            continue
        event, at = _event(line)
        name = event.get("type")
        if name in ("ConflictFound", "ConflictClosed"):
            conflicts.append(event)
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
        lang=_text(begun, "lang"),
        conflicts=len(states := _states(conflicts)),
        settled=sum(state in ("resolved", "false_alarm") for state in states),
        parent=_text(forked, "parent_run_id"),
        parted=parted if isinstance(parted, int) else 0,
        size=len(journal),
    )


def _states(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return how the disputes stand that were found and closed."""
    if not events:
        return []
    from memorybank.contradiction.disputes.gathering import disputes  # heavy, and a list of runs mostly does without
    from memorybank.memory.events import EVENT
    from memorybank.memory.layers.conflicts import Conflicts

    conflicts = Conflicts()
    for event in events:
        with suppress(ValidationError, MemoryBankError):
            conflicts.apply(EVENT.validate_python(event))
    return [dispute.status.value for dispute in disputes(conflicts.all.values())]


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
