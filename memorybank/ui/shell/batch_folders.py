"""The batches that the app can show, and the folders of their runs, which are only read here."""

from __future__ import annotations

from pathlib import Path

from memorybank.batch.store import BATCH, run_folders
from memorybank.errors import InputError
from memorybank.ui.shell.serving import is_served_here


def batches(named: Path | None, root: Path) -> list[Path]:
    """Return the batch of the settings, then those below the app's own folder, where only this machine is served."""
    own = sorted(path.parent.resolve() for path in root.glob(f"*/{BATCH}")) if is_served_here() else []
    first = [named.resolve()] if named is not None else []
    return list(dict.fromkeys((*first, *own)))


def batch_runs(named: Path | None, root: Path) -> list[Path]:
    """Return the folders of all runs of these batches; one that cannot be read is told where it is shown."""
    folders: list[Path] = []
    for path in batches(named, root):
        try:
            folders += run_folders(path)
        except (InputError, OSError):
            continue
    return folders
