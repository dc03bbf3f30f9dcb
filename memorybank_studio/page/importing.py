"""A book on its way into the archive, in a thread: chapter by chapter, with progress, to be stopped and gone on with.

Only chapters are written. People and facts found in them are proposals, each for a settlement of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank_studio.books.chapters import Book
from memorybank_studio.books.importing import ImportProgress
from memorybank_studio.page.jobs import Job

if TYPE_CHECKING:
    from memorybank_studio.studio import Studio


class Import(Job[None]):
    """An import that begins when it is made, one at a time in a studio."""

    def __init__(self, studio: Studio, book: Book, remove: Sequence[int] = ()) -> None:
        """`remove`: chapters of the archive that the book does not have and that go with its last one."""
        self.book = book
        self.remove = tuple(remove)
        self.progress: ImportProgress | None = None
        self._stopping = threading.Event()
        self._studio = studio
        super().__init__("import", self._import)

    def _import(self) -> None:
        for progress in self._studio.gateway.by_hand.import_book(self.book, self.remove):
            self.progress = progress
            if self._stopping.is_set():
                return

    @property
    def stopped(self) -> bool:
        """Whether it ended before its last chapter because it was asked to."""
        done = self.progress is not None and self.progress.chapters == self.progress.chapters_in_all
        return not self.running and self._stopping.is_set() and not done

    def stop(self) -> None:
        """It ends after the chapter that is being written."""
        self._stopping.set()
