"""Work on a chapter that takes as long as a model does, in a thread of its own: any tab sees it, and can stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from memorybank_studio.page.jobs import Job

if TYPE_CHECKING:
    from memorybank_studio.chapters.manuscript import ChapterId, Manuscript

Stopped = Callable[[], bool]
"""Whether the work should end."""


class ChapterWork(Job["Manuscript"]):
    """Begun when it is made, one at a time in a studio."""

    def __init__(self, chapter: ChapterId, work: Callable[[Stopped], Manuscript]) -> None:
        self.chapter = chapter
        self._stopping = threading.Event()
        super().__init__("chapter", lambda: work(self._stopping.is_set))

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def stop(self) -> None:
        """It ends within the call that is under way; what was written by then stays."""
        self._stopping.set()
