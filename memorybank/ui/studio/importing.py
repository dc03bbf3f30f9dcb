"""A book on its way into the archive, in a thread: chapter by chapter, with progress, to be stopped and gone on with.

Only chapters are written. People and facts found in them are proposals, each for a settlement of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank.narrative.books.chapters import Book
from memorybank.narrative.books.importing import ImportProgress
from memorybank.ui.studio.jobs import Job

if TYPE_CHECKING:
    from memorybank.narrative.studio import Studio


class Import:
    """Begun when it is made. One a studio at a time."""

    def __init__(self, studio: Studio, book: Book, remove: Sequence[int] = ()) -> None:
        """`remove`: chapters of the archive that the book does not have and that go with its last one."""
        self.book = book
        self.remove = tuple(remove)
        self.progress: ImportProgress | None = None
        self._stopping = threading.Event()
        self._studio = studio
        self._job = Job("import", self._run)

    def _run(self) -> None:
        for progress in self._studio.gateway.import_book(self.book, self.remove):
            self.progress = progress
            if self._stopping.is_set():
                return

    @property
    def running(self) -> bool:
        return self._job.running

    @property
    def stopped(self) -> bool:
        """Ended before its last chapter because it was told to."""
        return not self.running and self._stopping.is_set() and not self.complete

    @property
    def complete(self) -> bool:
        return self.progress is not None and self.progress.chapters == self.progress.chapters_in_all

    @property
    def error(self) -> BaseException | None:
        return self._job.error

    def stop(self) -> None:
        """After the chapter that is being written."""
        self._stopping.set()

    def wait(self, seconds: float) -> bool:
        return self._job.wait(seconds)
