"""Import of a book: its chapters go into the archive, one by one, and nothing goes anywhere else.

What is done is known from the archive itself, which holds a digest of each chapter, so an import that was stopped goes
on where it was, and importing an unchanged book again costs next to nothing. Names and facts are not its business:
a passage is indexed by the names that are on record, and nobody is guessed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memorybank.memory.types import Value
from memorybank_studio.books.chapters import Book
from memorybank_studio.books.chunks import chunks
from memorybank_studio.hub.archive import Archive, version_of
from memorybank_studio.hub.contracts import EpisodicArchive
from memorybank_studio.names import Cast


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress(Value):
    """After each chapter."""

    number: int
    """Of the chapter, as the archive has it."""
    title: str
    unchanged: bool
    """It stood in the archive already."""
    chapters: int
    """Done so far."""
    chapters_in_all: int
    characters: int
    """Done so far."""
    seconds: float
    """Since the import began."""


def surplus_chapters(book: Book, archive: EpisodicArchive) -> tuple[tuple[int, str], ...]:
    """Chapters of the archive, with their titles, that a book which replaces what was imported does not have.

    A book that begins later than with chapter 1 is taken for a part: what comes before it is not left over.
    """
    own = {chapter.number for chapter in book.chapters}
    first = min(own, default=0)
    return tuple(
        (number, title) for number, title in archive.chapters() if number not in own and (first <= 1 or number > first)
    )


def import_book(
    book: Book,
    archive: Archive,
    cast: Cast,
    *,
    remove: Sequence[int] = (),
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[ImportProgress]:
    """Write the chapters, in order, and take out those to `remove` with the last. Stopping between two values leaves
    whole chapters; a kill, at worst one that the next import writes again. Raises as `Archive.put`, and
    ModelUnavailableError."""
    began = clock()
    versions = archive.versions()
    characters = 0
    for done, chapter in enumerate(book.chapters, start=1):
        passages = chunks(chapter, cast)
        unchanged = versions.get(chapter.number) == version_of(passages)
        if not unchanged:
            archive.put(passages)
        if done == len(book.chapters):
            archive.remove(remove)
        characters += len(chapter.text)
        yield ImportProgress(
            number=chapter.number,
            title=chapter.title,
            unchanged=unchanged,
            chapters=done,
            chapters_in_all=len(book.chapters),
            characters=characters,
            seconds=clock() - began,
        )
