"""Work that may take longer than a redraw: it goes on in a thread, and the page looks whether it is done.

A script that waits would hold up the tab's every other page (Streamlit runs one script a tab at a time).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from memorybank.ui.shell.import_turns import turns

T = TypeVar("T")


class Job(Generic[T]):
    """Begun when it is made. Whatever the work raises is raised by `result`."""

    def __init__(self, name: str, work: Callable[[], T]) -> None:
        self.name = name
        self.began = time.monotonic()
        self._work = work
        self._result: T | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=f"studio-{name}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with turns.drawing():  # it imports, too
                self._result = self._work()
        except BaseException as error:  # noqa: BLE001 - raised again where the page asks for the result
            self._error = error

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.began

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether it is done."""
        self._thread.join(seconds)
        return not self.running

    @property
    def error(self) -> BaseException | None:
        """What the work raised, once it is over."""
        return self._error

    def result(self) -> T:
        """What the work gave, or raised. Waits for the end."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]
