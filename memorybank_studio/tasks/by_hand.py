"""The author's work by hand: a book imported, a mark let stand. All of it is logged.

It is no part of any task. The journal has it before it is done; what then fails is raised, and logged too.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorybank.errors import InputError, MemoryBankError
from memorybank.language.text import encodable
from memorybank.memory.bounds import Seconds
from memorybank.runs.files.plain import read_plain, write_whole
from memorybank_studio.books.chapters import Book
from memorybank_studio.books.importing import ImportProgress, import_book
from memorybank_studio.continuity.findings import Intention
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.journal.desk import Clock, Desk
from memorybank_studio.journal.events import ByHandFailed, ChapterImported, FindingIntended, ImportBegun
from memorybank_studio.names import cast_of
from memorybank_studio.types import Entity


class ByHand:
    """Thread-safe: a change waits for its turn at the hub."""

    def __init__(self, desk: Desk, hub: SharedHub) -> None:
        self._desk = desk
        self._hub = hub

    @property
    def intended(self) -> frozenset[Intention]:
        """Return what the author lets stand in chapters, and against what."""
        return frozenset(self._desk.state.intended)

    def intend(self, intention: Intention, *, stands: bool = True) -> None:
        """Let words stand against something on record from now on, or have them marked again."""
        words, against = intention
        self._desk.append(FindingIntended(words=words, against=against, stands=stands, at=self._desk.clock()))

    def import_book(
        self, book: Book, remove: Sequence[int] = (), known: Sequence[Entity] = ()
    ) -> Iterator[ImportProgress]:
        """Write a book's chapters into the archive, and nothing else, one by one as the iterator is followed.

        What stands in the archive already is not written again: an import goes on where it was stopped. `remove`:
        chapters of the archive that go with the book's last one. `known`: names to look for in it besides those on
        record.

        Raises StoreUnavailableError, ModelUnavailableError, InputError.
        """
        begun = ImportBegun(
            title=book.title,
            chapters=len(book.chapters),
            characters=book.characters,
            remove=tuple(remove),
            at=self._desk.clock(),
        )
        self._desk.append(begun)
        try:
            stores = self._hub.step_by_step()
            on_record = stores.facts.entities(stores.facts.names().values())
            cast_ = cast_of((*on_record.values(), *known))
            for progress in import_book(book, stores.archive, cast_, remove=remove):
                if not progress.unchanged:
                    done = ChapterImported(number=progress.number, title=progress.title, at=self._desk.clock())
                    self._desk.append(done)
                yield progress
        except MemoryBankError as error:
            self._desk.append(ByHandFailed(what="import", reason=str(error), at=self._desk.clock()))
            raise


FILE: Final = "typed.json"
SEARCH: Final = "-search"
"""The end of the name of a field that is typed into to search."""
LONGEST: Final = 2_000_000
"""Characters of a text."""
MOST: Final = 200
"""The most texts that are kept; of more, those that were changed longest ago go."""
_TICK: Final = 0.001
"""Seconds between two changes, at least: a text's time names its stage."""


class KeptText(BaseModel):
    model_config = ConfigDict(frozen=True)

    text: str
    at: Seconds
    """The time at which it was saved, in seconds since the epoch."""


def beside(field: str) -> str:
    """Return the name under which the text of another tab is kept."""
    return f"{field}-beside"


class _File(BaseModel):
    texts: dict[str, KeptText] = Field(default_factory=dict)


class TypedTexts:
    """The texts typed in one open studio, by the field that they are typed into. Thread-safe."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._path = folder / FILE
        self._clock = clock
        self._lock = threading.Lock()
        self._texts = _read(self._path)

    def all(self) -> Mapping[str, str]:
        """Return the texts by field, but what is searched for: that is no text of the story."""
        with self._lock:
            return {field: kept.text for field, kept in self._texts.items() if not field.endswith(SEARCH)}

    def get(self, field: str) -> KeptText | None:
        with self._lock:
            return self._texts.get(field)

    def put(self, field: str, text: str, *, seen: float = 0.0) -> KeptText | None:
        """Keep the text, on the disk when this returns; an empty one is let go. `seen`: the time of the text that this
        one grew out of: where another tab has saved a different one since, that stands beside it from now on. Raises
        InputError for one that is too long; OSError."""
        text = encodable(text)
        if len(text) > LONGEST:
            raise InputError("typed.too_long", count=len(text), limit=LONGEST)
        with self._lock:
            held = self._texts.get(field)
            if held is not None and held.text == text:
                return held
            other = {beside(field): held} if held is not None and held.at != seen else {}
            latest = max((kept.at for kept in self._texts.values()), default=0.0)
            kept = KeptText(text=text, at=max(self._clock(), latest + _TICK)) if text else None
            self._write({**self._without(field), **({field: kept} if kept else {}), **other})
            return kept

    def drop(self, field: str) -> None:
        """Drop the field's text, as it was handed over. Raises OSError."""
        with self._lock:
            if field in self._texts:
                self._write(self._without(field))

    def _without(self, field: str) -> dict[str, KeptText]:
        return {name: kept for name, kept in self._texts.items() if name != field}

    def _write(self, texts: dict[str, KeptText]) -> None:
        newest = sorted(texts.items(), key=lambda each: each[1].at)[-MOST:]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, _File(texts=dict(newest)).model_dump_json().encode(), mode=0o600)
        self._texts = dict(newest)


def _read(path: Path) -> dict[str, KeptText]:
    """Read the kept texts; any other file is renamed and left beside. Raises OSError, UnsafeInputError."""
    with suppress(FileNotFoundError):
        try:
            return _File.model_validate_json(read_plain(path)).texts
        except ValidationError:
            path.rename(path.with_suffix(".broken.json"))
    return {}
