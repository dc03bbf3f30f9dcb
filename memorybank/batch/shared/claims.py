"""Who holds a run on shared storage: the newest claim. Nothing is locked, so a machine that is gone holds nothing.

    000001-9f2c64ab        the first claim of a run
    000001-9f2c64ab.0003   what its holder sent at the end of its third stage
    000002-04d1e7f0        a claim of whoever took the run over, and what it goes on from

A claim is newer by its number, then by the chance behind it. Whoever claims looks again after it has written: of two
at once, the older sees the newer and stops. A holder looks before each part that it sends; one that was cut off finds
the claim of another, and what it sent in between stands under its own name, where nobody reads it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from memorybank.batch.shared.storage import SharedStorage
from memorybank.errors import LockedError, StoreUnavailableError

_NAME_RE = re.compile(r"(?P<number>\d{6})-(?P<chance>[0-9a-f]{8})(?:\.(?P<part>\d{4,9}))?")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PartName:
    """A claim (part 0), or the part of that number that its holder sent."""

    number: int
    chance: str
    part: int = 0

    @classmethod
    def read(cls, name: str) -> Self | None:
        match = _NAME_RE.fullmatch(name)
        return match and cls(number=int(match["number"]), chance=match["chance"], part=int(match["part"] or 0))

    @property
    def claim(self) -> PartName:
        return PartName(number=self.number, chance=self.chance)

    def next(self) -> PartName:
        return PartName(number=self.number, chance=self.chance, part=self.part + 1)

    def __str__(self) -> str:
        claim = f"{self.number:06}-{self.chance}"
        return f"{claim}.{self.part:04}" if self.part else claim


def read_names(names: Iterable[str]) -> list[PartName]:
    return sorted(filter(None, map(PartName.read, names)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A run that is held, until somebody else claims it."""

    storage: SharedStorage
    run: str
    """The run's folder on the storage."""
    name: PartName
    base: PartName | None
    """The newest part when it was claimed; None for a run that has none."""

    @classmethod
    def take(cls, storage: SharedStorage, run: str) -> Self:
        """Claim a run. Raises LockedError where somebody claims it in this moment, StoreUnavailableError."""
        names = read_names(storage.names(run))
        base = newest_part(names)
        number = names[-1].number + 1 if names else 1
        claim = cls(storage=storage, run=run, name=PartName(number=number, chance=secrets.token_hex(4)), base=base)
        who = {"host": socket.gethostname(), "pid": os.getpid()}  # for a person who looks
        storage.write(run, str(claim.name), json.dumps({"base": base and str(base), **who}).encode())
        claim.check()
        return claim

    def check(self) -> None:
        """Raises LockedError where somebody else has claimed the run since."""
        names = read_names(self.storage.names(self.run))
        if names[-1].claim > self.name:
            raise LockedError("batch.run_taken_over", name=self.run)


def newest_part(names: Iterable[PartName]) -> PartName | None:
    """What a run is gone on from."""
    return max((name for name in names if name.part), default=None)


def chain_to(storage: SharedStorage, run: str, last: PartName) -> list[PartName]:
    """All parts that a run consists of, in order, up to `last`. Raises StoreUnavailableError where a claim is none."""
    chain: list[PartName] = []
    step: PartName | None = last
    while step is not None:
        chain[:0] = [PartName(number=step.number, chance=step.chance, part=part) for part in range(1, step.part + 1)]
        before = _base_of(storage, run, step.claim)
        if before is not None and before >= step.claim:
            raise StoreUnavailableError("batch.damaged_claim", name=run)
        step = before
    return chain


def _base_of(storage: SharedStorage, run: str, claim: PartName) -> PartName | None:
    try:
        base = json.loads(storage.read(run, [str(claim)])[str(claim)])["base"]
        if base is None:
            return None
        if (name := PartName.read(base)) is not None and name.part:
            return name
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise StoreUnavailableError("batch.damaged_claim", name=run)
