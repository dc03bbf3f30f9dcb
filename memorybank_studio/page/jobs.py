"""Work that may take longer than a redraw: it goes on in a thread, and the page looks whether it is done.

A script that waits would hold up the tab's every other page (Streamlit runs one script a tab at a time).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from memorybank.ui.shell.import_turns import turns
from memorybank_studio.books.chapters import Book
from memorybank_studio.books.importing import ImportProgress

if TYPE_CHECKING:
    from memorybank_studio.chapters.manuscript import ChapterId, Manuscript
    from memorybank_studio.studio import Studio

T = TypeVar("T")
Stopped = Callable[[], bool]
"""Whether the work should end."""


class Job(Generic[T]):
    """Begun when it is made. Whatever the work raises is raised by `result`."""

    def __init__(self, name: str, work: Callable[[Stopped], T]) -> None:
        """`work` is told by its argument when it should end."""
        self.name = name
        self.began = time.monotonic()
        self._work = work
        self._result: T | None = None
        self.error: BaseException | None = None
        """What the work raised, once it is over; else None."""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"studio-{name}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with turns.drawing():  # it imports, too
                self._result = self._work(self._stopping.is_set)
        except BaseException as error:  # noqa: BLE001 - raised again where the page asks for the result
            self.error = error

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    @property
    def seconds(self) -> float:
        """Return the seconds since the job began."""
        return time.monotonic() - self.began

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether it is done."""
        self._thread.join(seconds)
        return not self.running

    def result(self) -> T:
        """Wait for the end and return what the work gave, or raise what it raised."""
        self._thread.join()
        if self.error is not None:
            raise self.error
        return self._result  # type: ignore[return-value]

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def stop(self) -> None:
        """Ask it to end, within the call or after the chapter that is under way; what is done stays."""
        self._stopping.set()


class ChapterWork(Job["Manuscript"]):
    """Begun when it is made, one at a time in a studio."""

    def __init__(self, chapter: ChapterId, work: Callable[[Stopped], Manuscript]) -> None:
        self.chapter = chapter
        super().__init__("chapter", work)


class Import(Job[None]):
    """An import that begins when it is made, one at a time in a studio."""

    def __init__(self, studio: Studio, book: Book, remove: Sequence[int] = ()) -> None:
        """`remove`: chapters of the archive that the book does not have and that go with its last one."""
        self.book = book
        self.remove = tuple(remove)
        self.progress: ImportProgress | None = None
        self._studio = studio
        super().__init__("import", self._import)

    def _import(self, stopped: Stopped) -> None:
        for progress in self._studio.gateway.by_hand.import_book(self.book, self.remove):
            self.progress = progress
            if stopped():
                return

    @property
    def stopped(self) -> bool:
        """Whether it ended before its last chapter because it was asked to."""
        done = self.progress is not None and self.progress.chapters == self.progress.chapters_in_all
        return not self.running and self.stopping and not done
