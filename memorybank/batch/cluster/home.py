"""Where on shared storage a batch lies: a folder of its own in a place that other batches may use, too."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from memorybank.batch.plan import System
from memorybank.batch.shared.storage import checked_place
from memorybank.batch.store import FOLDERS
from memorybank.errors import InputError
from memorybank.runs.files.names import shown
from memorybank.runs.files.plain import read_plain, write_whole

FILE = "storage.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Written down in the batch's folder, so that the same command finds its runs again."""

    place: str
    """A path or a URL; it holds no key."""
    batch: str
    """A name by chance, which no other batch has."""

    @classmethod
    def of(cls, folder: Path, place: str | None) -> Self:
        """The batch's home: as it was, else a new one at `place`, by default a folder in the batch's own.

        Raises InputError for an address that cannot be used, and for another than it was.
        """
        given = None if place is None else _absolute(checked_place(place))
        try:
            known = json.loads(read_plain(folder / FILE))
            home = cls(place=checked_place(str(known["place"])), batch=str(known["batch"]))
        except FileNotFoundError:
            home = cls(place=given or str((folder / "shared").absolute()), batch=secrets.token_hex(8))
            write_whole(folder / FILE, json.dumps({"place": home.place, "batch": home.batch}).encode() + b"\n")
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError("batch.damaged", name=shown(folder.name), file=FILE) from None
        if given not in (None, home.place):
            raise InputError("batch.other_storage", name=shown(folder.name), place=shown(home.place))
        return home

    @property
    def inputs(self) -> str:
        """The folder of what its tasks read."""
        return f"{self.batch}/inputs"

    def run(self, id_: str, system: System) -> str:
        """The folder of a run on the storage."""
        return f"{self.batch}/{FOLDERS[system]}/{id_}"


def _absolute(place: str) -> str:
    return place if "://" in place else str(Path(place).absolute())
