"""How a studio grows with a whole book: `memorybank_lab bench book --file BOOK [--out DIR]`, a row every few chapters.

What an author does, in order: the book is imported; its chapters are settled. After every few chapters a row says how
long it took so far, what there is by then, and how large each store is on disk. Rows are kept in the folder: stopped
and begun again, it goes on behind the last one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, cast

from pydantic import TypeAdapter, ValidationError

from memorybank.embedding.base import Embedder
from memorybank.errors import InputError
from memorybank.language.text import detect_lang
from memorybank.memory.types import Value
from memorybank.runs.files.plain import read_plain, write_whole
from memorybank.settings.config import Settings
from memorybank_lab.bench.table import aligned
from memorybank_studio.books.chapters import Book
from memorybank_studio.hub.archive import Archive
from memorybank_studio.studio import GRAPH_FOLDER, JOURNAL_FOLDER, Studio, StudioSettings

ROWS: Final = "growth.jsonl"
EVERY: Final = 10
"""Chapters between two rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookGrowth(Value):
    """What there is after a stretch of work."""

    stage: str
    """import or chapters."""
    chapter: int
    """The last one that was done."""
    chapters: int
    """Done so far in this stage."""
    characters: int
    """In these."""
    chunks: int
    """In the archive."""
    entities: int
    """Settled."""
    seconds: float
    """Of this stage so far, over all its runs; what opening the studio took is not in it."""
    journal: int
    graph: int
    archive: int
    """Bytes on disk."""
    resumed: bool
    """Whether the stretch began where an earlier run had stopped."""


_ROW: Final = TypeAdapter(BookGrowth)
Progress = Callable[[str], None]


def run(
    book: Book, folder: Path, embedder: Embedder, *, every: int = EVERY, progress: Progress = lambda line: None
) -> list[BookGrowth]:
    """Measure, in a folder that is empty or that an earlier run of the same book left. Raises InputError and what
    `Studio.open` raises."""
    folder.mkdir(parents=True, exist_ok=True)
    earlier = _earlier(folder / ROWS, book)
    settings = StudioSettings.of(Settings(), detect_lang(book.chapters[0].text))
    with Studio.open(folder, embedder, settings) as studio:
        measure = _Measure(studio, book, folder, every, earlier)
        for row in measure.rows():
            earlier.append(row)
            write_whole(folder / ROWS, "".join(json.dumps(asdict(one)) + "\n" for one in earlier).encode())
            progress(f"{row.stage}, chapter {row.chapter}: {row.seconds:.1f} s")
    return earlier


def shortened(book: Book, chapters: int | None) -> Book:
    """The first chapters of it; None: all. Raises InputError for a book without a chapter."""
    if not book.chapters:
        raise InputError(f"{book.title}: no text in it: give a book")
    return book if chapters is None else replace(book, chapters=book.chapters[:chapters])


def _earlier(path: Path, book: Book) -> list[BookGrowth]:
    """Rows of earlier runs. Raises InputError for a folder that holds another thing, or another book."""
    if not path.exists():
        if any(path.parent.iterdir()):
            raise InputError(f"{path.parent.name} holds something else: give an empty folder, or one of an earlier run")
        return []
    try:
        rows = [_ROW.validate_json(line) for line in read_plain(path).decode().splitlines()]
    except (ValidationError, UnicodeDecodeError):
        raise InputError(f"{path.name} in {path.parent.name} cannot be read: begin anew in an empty folder") from None
    if any(row.characters != _characters(book, row.chapters) for row in rows if row.stage == "import"):
        raise InputError(f"{path.parent.name} was begun with another book: give an empty folder")
    return rows


def _characters(book: Book, chapters: int) -> int:
    return sum(len(chapter.text) for chapter in book.chapters[:chapters])


class _Measure:
    def __init__(self, studio: Studio, book: Book, folder: Path, every: int, earlier: Sequence[BookGrowth]) -> None:
        self._studio = studio
        self._book = book
        self._folder = folder
        self._every = every
        self._earlier = {row.stage: row for row in earlier}
        """The last row of each stage."""

    def rows(self) -> Iterator[BookGrowth]:
        before, done = self._before("import")
        began = time.perf_counter()
        resumed = done > 0
        for progress in self._studio.gateway.by_hand.import_book(self._book):
            if progress.chapters <= done:
                began = time.perf_counter()  # what stood there costs next to nothing, and was counted then
            elif progress.chapters % self._every == 0 or progress.chapters == progress.chapters_in_all:
                yield self._row("import", progress.chapters, before + time.perf_counter() - began, resumed)
                resumed = False

    def _before(self, stage: str) -> tuple[float, int]:
        last = self._earlier.get(stage)
        return (last.seconds, last.chapters) if last else (0.0, 0)

    @property
    def _archive(self) -> Archive:
        return cast(Archive, self._studio.stores.archive)

    def _row(self, stage: str, chapters: int, seconds: float, resumed: bool) -> BookGrowth:
        own = {GRAPH_FOLDER, JOURNAL_FOLDER}
        rest = [path for path in self._folder.iterdir() if path.name not in own and path.name != ROWS]
        return BookGrowth(
            stage=stage,
            chapter=self._book.chapters[chapters - 1].number,
            chapters=chapters,
            characters=_characters(self._book, chapters),
            chunks=len(self._archive.all()),
            entities=self._studio.stores.facts.count()[0],
            seconds=round(seconds, 2),
            journal=_size(self._folder / JOURNAL_FOLDER),
            graph=_size(self._folder / GRAPH_FOLDER),
            archive=sum(map(_size, rest)),
            resumed=resumed,
        )


def _size(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; one that goes meanwhile (a database tidies up) is none."""
    files = path.rglob("*") if path.is_dir() else [path]
    total = 0
    for file in files:
        try:
            total += file.stat().st_size if file.is_file() else 0
        except FileNotFoundError:
            continue
    return total


def as_table(rows: Sequence[BookGrowth]) -> str:
    return aligned(
        [
            {
                "stage": row.stage,
                "to chapter": f"{row.chapter}",
                "characters": f"{row.characters:,}",
                "chunks": f"{row.chunks:,}",
                "entities": f"{row.entities:,}",
                "seconds": f"{row.seconds:,.1f}",
                "journal MB": f"{row.journal / 1e6:,.1f}",
                "graph MB": f"{row.graph / 1e6:,.1f}",
                "archive MB": f"{row.archive / 1e6:,.1f}",
                "resumed": "yes" if row.resumed else "",
            }
            for row in rows
        ]
    )


def as_json(rows: Sequence[BookGrowth]) -> str:
    return json.dumps([asdict(row) for row in rows], indent=2)
