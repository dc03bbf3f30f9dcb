"""Who may import: the pages, which import what is heavy where they use it, or the background, which does so ahead.

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
"""Seconds that either waits for the other, and then goes on: a tie is rare, a page that is never drawn is worse."""


class ImportTurns:
    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._changed = threading.Condition()
        self._drawing = 0
        self._importing = False

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Of a page, or of work that a page has begun. As many as like."""
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
        """Of the background's import of one module."""
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
"""Those of this process: its modules are imported once."""
