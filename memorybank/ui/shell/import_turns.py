"""Pages and the background import in turns: pages where they use what is heavy, the background ahead of them.

Two threads that import modules of one package in different orders can wait for each other, and Python ends such a tie
by failing one of them (`_DeadlockError`, or a module that is only half there). So what is imported ahead is imported
while no page is drawn, module by module, and a page that is to be drawn waits for the module that is being imported.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

LONGEST: Final = 30.0
"""The longest that either waits for the other, in seconds: a tie is rare, a page that is never drawn is worse."""


class ImportTurns:
    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._changed = threading.Condition()
        self._drawing = 0
        self._importing = False

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Hold off the background's imports while a page, or work that it has begun, is drawn; many may be at once."""
        with self._changed:
            self._changed.wait_for(lambda: not self._importing, self._longest)
            self._drawing += 1
        try:
            yield
        finally:
            with self._changed:
                self._drawing -= 1
                self._changed.notify_all()

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Hold off pages while the background imports one module."""
        with self._changed:
            self._changed.wait_for(lambda: not self._drawing and not self._importing, self._longest)
            self._importing = True
        try:
            yield
        finally:
            with self._changed:
                self._importing = False
                self._changed.notify_all()


turns = ImportTurns()
"""The turns of this process, in which each module is imported once."""
