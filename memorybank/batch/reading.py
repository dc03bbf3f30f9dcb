"""A batch as those see it who only read it, also while it goes on: a file is read again only when it has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memorybank.batch.plan import System
from memorybank.batch.results import RESULTS, TaskRow, read_results
from memorybank.batch.store import BATCH, BatchFolder, Begun
from memorybank.runs.journal import is_written
from memorybank.runs.run_folder import JOURNAL

Stamp = tuple[int, int]
"""When a file was written, in ns, and its bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One task under one system, as it stands."""

    folder: Path
    id: str
    task: str
    system: System
    state: str
    """Its row's outcome, or `running`, `begun` where nobody works on it any more, `waiting`."""
    row: TaskRow | None
    has_run: bool
    """Whether its run has written anything."""

    @property
    def tokens(self) -> int:
        return sum(use.input + use.output for use in self.row.tokens.values()) if self.row else 0


def is_live(path: Path) -> bool:
    """Whether somebody is at work on the batch now."""
    return (path / BATCH).is_file() and is_written(path / BATCH)


def begun_of(path: Path) -> Begun | None:
    """What the batch was begun with; None before that. Raises InputError for a file that is no batch's, OSError."""
    stamp = _stamp(path / BATCH)
    return _begun(path, stamp) if stamp else None


def run_folders(path: Path) -> tuple[Path, ...]:
    """The folders of all its runs, those that are still to begin too, and none beside it. Raises as `begun_of`."""
    stamp = _stamp(path / BATCH)
    return tuple(run for run in _run_folders(path, stamp) if not run.parent.is_symlink()) if stamp else ()


def lines_of(path: Path, *, live: bool) -> list[Line]:
    """All its lines, in the order of the batch's tasks. Raises as `begun_of`."""
    begun = begun_of(path)
    if begun is None:
        return []
    folder, rows = BatchFolder(path), _rows_of(path)
    lines: list[Line] = []
    for task in begun.tasks:
        for system in dict.fromkeys(begun.plan.systems):
            run, row = folder.run_folder(task.id, system), rows.get((task.id, system))
            leads_out = run.is_symlink() or run.parent.is_symlink()
            has_run = not leads_out and _stamp(run / JOURNAL) is not None
            unended = "waiting" if not has_run else "running" if live else "begun"
            state = row.outcome if row is not None else unended
            lines.append(
                Line(folder=run, id=task.id, task=task.task, system=system, state=state, row=row, has_run=has_run)
            )
    return lines


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=8)
def _begun(path: Path, stamp: Stamp) -> Begun | None:
    return BatchFolder(path).begun()


@lru_cache(maxsize=8)
def _run_folders(path: Path, stamp: Stamp) -> tuple[Path, ...]:
    begun, folder = _begun(path, stamp), BatchFolder(path)
    if begun is None:
        return ()
    return tuple(folder.run_folder(task.id, system) for task in begun.tasks for system in begun.plan.systems)


def _rows_of(path: Path) -> Mapping[tuple[str, System], TaskRow]:
    stamp = _stamp(path / RESULTS)
    return _rows(path, stamp) if stamp else {}


@lru_cache(maxsize=8)
def _rows(path: Path, stamp: Stamp) -> Mapping[tuple[str, System], TaskRow]:
    return read_results(path)
