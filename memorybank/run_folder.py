"""A run's folder: what is where, and how its journal is opened, read, and copied.

journal.jsonl    every event                 blobs/    prompts, raw answers, tool results, by hash
files/           originals (formal store)    temp/     images that wait for recognition
memory.json      the export                  answer.md the last answer             .lock   one writer
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.bank import MemoryBank, fold
from memorybank.errors import JournalError, MemoryBankError
from memorybank.events import EVENT, OBSERVATIONS, Observation, SessionStarted, StageFinished
from memorybank.files.blobs import BlobStore
from memorybank.files.formal import FormalStore
from memorybank.files.temp import TempStore
from memorybank.journal import Format, Journal, Record, read
from memorybank.text import sha256

SESSION: Format[Any] = Format(kind="memorybank", schema=1, events=EVENT, upcasts={})
"""Sessions' journals. A change that is not a new field with a default raises `schema` and adds an upcast."""

JOURNAL = "journal.jsonl"
OWNED = (JOURNAL, "blobs", "files", "temp", "memory.json", "answer.md", ".lock")


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    temp_dir: Path | None = None
    """Another place for images that wait: one folder a run in it."""

    @property
    def journal(self) -> Path:
        return self.path / JOURNAL

    @property
    def blobs(self) -> BlobStore:
        return BlobStore(self.path / "blobs")

    @property
    def files(self) -> FormalStore:
        return FormalStore(self.path / "files")

    @property
    def temp(self) -> TempStore:
        if self.temp_dir is None:
            return TempStore(self.path / "temp")
        return TempStore(self.temp_dir / sha256(str(self.path.resolve()))[:32])

    def image(self, state: MemoryBank, sha256_: str) -> bytes:
        """An image's bytes by its hash: filed, or still waiting. Raises InputError when this run has none such."""
        for attachment in state.tree.attachments.values():
            if attachment.sha256 == sha256_:
                return self.files.read(attachment.path)
        return self.temp.read(sha256_)

    def remove(self) -> None:
        """Delete what a run wrote here, nothing else, and the folder if that leaves it empty."""
        if not self.journal.is_file():
            raise JournalError(f"{self.path.name} holds no run, so nothing was removed")
        self._empty()

    @contextmanager
    def beginning(self) -> Iterator[None]:
        """Around what begins a run: one that cannot be begun leaves nothing, no original either."""
        try:
            yield
        except BaseException:  # a Ctrl-C too; it is raised again
            if self.path.is_dir() and not self.journal.exists():
                self._empty()
            raise

    def _empty(self) -> None:
        self.temp.empty()
        for name in OWNED:
            target = self.path / name
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            else:
                target.unlink(missing_ok=True)
        if not any(self.path.iterdir()):
            self.path.rmdir()

    def copy_stores(self, target: RunFolder) -> None:
        """Take blobs and originals over to another run (a fork)."""
        for name in ("blobs", "files"):
            if (self.path / name).is_dir():
                shutil.copytree(self.path / name, target.path / name, dirs_exist_ok=True)


Records = list[Record[Any]]


def split(records: Records) -> tuple[Records, list[tuple[Observation, float]]]:
    """Committed records, and the memo: observations after the last `StageFinished`.

    Facts after it were part of a commit that never ended; they are dropped.
    """
    last = max((place for place, record in enumerate(records) if isinstance(record.event, StageFinished)), default=-1)
    rest = [(record.event, record.at) for record in records[last + 1 :] if isinstance(record.event, OBSERVATIONS)]
    return records[: last + 1], rest


def open_journal(folder: RunFolder) -> tuple[Journal[Any], Records, list[tuple[Observation, float]]]:
    """Take the run over for writing: what is not committed is cut off, except for the memo."""
    journal, records = Journal.open(folder.journal, SESSION)
    committed, memo = split(records)
    if len(committed) + len(memo) != len(records):
        kept = committed + [record for record in records[len(committed) :] if isinstance(record.event, OBSERVATIONS)]
        journal.rewrite(kept)
        committed = [Record(seq, record.at, record.event) for seq, record in enumerate(kept[: len(committed)], start=1)]
    return journal, committed, memo


def journal_path(run: Path) -> Path:
    """A run is named by its folder or by its journal."""
    return run / JOURNAL if run.is_dir() else run


def load(run: Path) -> Records:
    """Read a run without taking it over: all whole records of its journal. Raises JournalError."""
    records, _ = read(journal_path(run), SESSION)
    if not records or not isinstance(records[0].event, SessionStarted):
        raise JournalError(f"{journal_path(run).name} does not begin with SessionStarted: no session's journal")
    return records


def state_at(records: Sequence[Record[Any]], at: int | None = None) -> MemoryBank:
    """The state after `at` events (all, when None). Any place is allowed; an unfinished commit is left out."""
    seen = list(records if at is None else records[: max(0, at)])
    facts = [(record.event, record.at) for record in split(seen)[0] if not isinstance(record.event, OBSERVATIONS)]
    try:
        return fold(facts)
    except (KeyError, IndexError, ValueError) as error:
        raise JournalError(f"the journal contradicts itself ({error!r}); restore it from a copy") from None
    except JournalError:
        raise
    except MemoryBankError as error:
        raise JournalError(f"the journal contradicts itself: {error}") from None
