"""The disk space of runs, the trash, and many runs deleted at once.

Only folders of runs are touched. A deleted run goes to a folder beside the others, whole, and comes back when asked;
the old ones are removed.

runs/<address>/…        runs/.trash/<address>/…
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memorybank.errors import InputError, LockedError
from memorybank.hosting.registry import Runs, remove_run
from memorybank.hosting.saved import RUN_ID_RE, StoredRun, StoredRuns
from memorybank.runs.files.plain import check_folder, make_folder
from memorybank.runs.journal import is_written
from memorybank.runs.run_folder import RunFolder

TRASH = ".trash"
KEPT_DAYS = 30
"""The days after which a deleted run is removed for good."""
_DAY = 86_400.0


def discard(runs: Runs, run_id: str, *, owner: str) -> None:
    """Put a saved run, that nobody writes and no tab but the `owner` reads, in the trash.

    Raises InputError for an id that names none, or one that lies elsewhere, LockedError else.
    """
    folder = runs.folder(run_id)
    is_written_here = run_id == runs.watched_id or runs.is_alive(run_id)
    if is_written_here or is_written(folder.journal) or runs.looks.is_seen(run_id, but_by=owner):
        raise LockedError("run.open_elsewhere")
    runs.check_own(run_id)
    make_folder(_folder(runs))
    if (_folder(runs) / run_id).exists():
        _remove(runs, run_id)
    os.rename(folder.path, _folder(runs) / run_id)  # noqa: PTH104 - it says "rename", which takes the folder whole
    os.utime(_folder(runs) / run_id)


def restore(runs: Runs, run_id: str) -> None:
    """Take a run out of the trash again. Raises InputError for an id that names none in it."""
    path = _folder(runs) / run_id
    if not RUN_ID_RE.fullmatch(run_id) or path.is_symlink() or not path.is_dir() or (runs.root / run_id).exists():
        raise InputError("run.not_in_trash")
    os.rename(path, runs.root / run_id)  # noqa: PTH104


def discarded(runs: Runs) -> list[StoredRun]:
    return StoredRuns(_folder(runs)).newest_first()


def empty(runs: Runs) -> None:
    """Remove all that is in the trash, for good."""
    for path in _runs_in(_folder(runs)):
        _remove(runs, path.name)


def _runs_in(trash: Path) -> list[Path]:
    return [path for path in trash.glob("*") if RUN_ID_RE.fullmatch(path.name) and not path.is_symlink()]


def _folder(runs: Runs) -> Path:
    """Return the folder of the trash. Raises UnsafeInputError for a link in its place."""
    check_folder(runs.root / TRASH)
    return runs.root / TRASH


def _remove(runs: Runs, run_id: str) -> None:
    """Remove what a run wrote, and nothing else that lies in its folder."""
    if runs.local.temp_dir is not None:  # images that waited there, under the name of the place where the run was
        waiting = RunFolder(runs.root / run_id, runs.local.temp_dir).stores()["temp"]
        if waiting.is_dir():
            shutil.rmtree(waiting)
    remove_run(RunFolder(_folder(runs) / run_id), run_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The outcome of a clean-up."""

    runs: tuple[str, ...] = ()
    """The addresses of the runs that are in the trash now."""
    open: int = 0
    """The number of runs that were left, for they are open."""
    problem: InputError | OSError | None = None
    """The fault for which it stopped short."""


def folder_size(folder: Path) -> int:
    """Sum up the bytes of a folder's files, which are many: a look at each, and no Path."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # it went away meanwhile
                status = os.lstat(os.path.join(place, name))  # noqa: PTH118
                total += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return total


def clean_up(runs: Runs, addresses: Iterable[str], *, keep: Collection[str], owner: str) -> Deleted:
    """Put these runs in the trash but those in `keep`, those that are written, and those that another tab reads.

    What has been in it for too long is removed.
    """
    removed: list[str] = []
    left = 0
    problem: InputError | OSError | None = None
    try:
        limit = time.time() - KEPT_DAYS * _DAY
        for path in _runs_in(_folder(runs)):
            if path.stat().st_mtime < limit:
                _remove(runs, path.name)
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
