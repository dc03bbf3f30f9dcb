"""A worker's side of shared storage: a run is claimed and fetched, worked on here, and sent stage by stage.

What is sent at the end of a stage is there before the next one begins, so whoever takes over a run whose worker was
lost does one stage again, at most. The cost of it: a list and a write a stage, for which the session waits.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Self

from memorybank.batch.shared.claims import Claim, PartName, chain_to, newest_part, read_names
from memorybank.batch.shared.parts import PartReader, restore
from memorybank.batch.shared.storage import SharedStorage
from memorybank.errors import LockedError
from memorybank.runs.run_folder import RunFolder


class SyncedRun:
    """A run that this process holds, in a folder of this machine."""

    def __init__(self, claim: Claim, run: RunFolder) -> None:
        self._claim = claim
        self._reader = PartReader(run)
        self._last = claim.name
        self.is_held = True
        """False once somebody else was found to have taken the run over."""

    @classmethod
    def take(cls, storage: SharedStorage, place: str, run: RunFolder) -> Self:
        """Claim a run and fetch what is there of it. Raises LockedError, StoreUnavailableError, OSError."""
        claim = Claim.take(storage, place)
        if claim.base is not None:
            _fetch(storage, place, claim.base, run)
        return cls(claim, run)

    @classmethod
    def hold(cls, storage: SharedStorage, place: str, run: RunFolder) -> Self:
        """Claim a run that is here and not there. Raises LockedError, StoreUnavailableError."""
        return cls(Claim.take(storage, place), run)

    def send(self) -> None:
        """Send what is new. Raises LockedError, once the run is somebody else's, StoreUnavailableError."""
        try:
            self._claim.check()
        except LockedError:
            self.is_held = False
            raise
        part = self._reader.take()
        if part is not None:
            self._last = self._last.next()
            self._claim.storage.write(self._claim.run, str(self._last), part)


def fetch(storage: SharedStorage, place: str, folder: Path) -> PartName | None:
    """Make `folder` the run as it stands on the storage, in the place of what it held; None: nothing is there.

    Raises StoreUnavailableError, OSError; then the folder is as it was.
    """
    last = newest_part(read_names(storage.names(place)))
    if last is not None:
        beside = folder.with_name(f".{folder.name}.new")
        shutil.rmtree(beside, ignore_errors=True)
        _fetch(storage, place, last, RunFolder(beside))
        if folder.exists():
            shutil.rmtree(folder)
        beside.rename(folder)
    return last


def _fetch(storage: SharedStorage, place: str, last: PartName, run: RunFolder) -> None:
    chain = list(map(str, chain_to(storage, place, last)))
    parts = storage.read(place, chain)
    restore((parts[name] for name in chain), run)
