"""What the runs and the answer cache take on disk, and many runs deleted at once. Only folders of runs are touched."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from memorybank.errors import InputError, LockedError
from memorybank.hosting.registry import Runs
from memorybank.hosting.saved import StoredRun
from memorybank.hosting.trash import discard, remove_old
from memorybank.runs import local_state
from memorybank.settings.config import Settings

DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSize:
    run: StoredRun
    size: int
    """Bytes of its whole folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The outcome of a clean-up."""

    runs: tuple[str, ...] = ()
    """Addresses of those that are in the trash now."""
    open: int = 0
    """Runs that were left, for they are open."""
    problem: InputError | OSError | None = None
    """Why it stopped short."""


def sizes(root: Path, runs: Iterable[StoredRun]) -> list[RunSize]:
    """Measures the runs' folders, in their order; links are not followed."""
    return [RunSize(run=run, size=folder_size(root / run.address)) for run in runs]


def folder_size(folder: Path) -> int:
    """Its files, which are many: a look at each, and no Path."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # it went away meanwhile
                status = os.lstat(os.path.join(place, name))  # noqa: PTH118
                total += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return total


def older_than(sizes: Sequence[RunSize], days: float, now: float | None = None) -> list[RunSize]:
    limit = (time.time() if now is None else now) - days * DAY
    return [run_size for run_size in sizes if run_size.run.changed < limit]


def clean_up(runs: Runs, addresses: Iterable[str], *, keep: Collection[str], owner: str) -> Deleted:
    """Put these runs in the trash but those in `keep`, those that are written, and those that another tab reads.

    What has been in it for too long is removed.
    """
    removed: list[str] = []
    left = 0
    problem: InputError | OSError | None = None
    try:
        remove_old(runs)
        for address in addresses:
            if address not in keep and _try_discard(runs, address, owner):
                removed.append(address)
            else:
                left += 1
    except (InputError, OSError) as error:
        problem = error
    return Deleted(runs=tuple(removed), open=left, problem=problem)


def _try_discard(runs: Runs, address: str, owner: str) -> bool:
    """Put a run in the trash; False where it is open."""
    try:
        discard(runs, address, owner=owner)
    except LockedError:
        return False
    return True


# -- the answer cache -------------------------------------------------------------------------------------------------


def cache_path(settings: Settings) -> Path:
    """Where answers of language models are kept (session/assembly.py puts them there)."""
    return (settings.storage_dir or local_state.cache_folder()) / "answers.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheSize:
    answers: int | None
    """None when the file cannot be read."""
    size: int
    """Bytes, with what is not yet folded in."""


def cache_size(path: Path) -> CacheSize:
    files = [file for end in ("", "-wal", "-shm") if (file := path.with_name(path.name + end)).is_file()]
    if path not in files:
        return CacheSize(answers=0, size=0)
    return CacheSize(answers=_count(path), size=sum(file.stat().st_size for file in files))


def _count(path: Path) -> int | None:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=1.0)) as database:
            answers: int = database.execute("SELECT count(*) FROM answers_1").fetchone()[0]
    except sqlite3.Error:
        return None
    return answers


def clear_cache(path: Path) -> int:
    """Forget all answers; others may go on using the file. Answers with how many there were. Raises InputError."""
    try:
        with closing(sqlite3.connect(path, timeout=5.0, isolation_level=None)) as database:
            removed = database.execute("DELETE FROM answers_1").rowcount
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise InputError("cache.not_emptied", name=path.name, why=error) from None
    return removed
