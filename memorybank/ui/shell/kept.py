"""Problems of callbacks, which cannot draw: they are kept until the page is drawn (problems.py)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memorybank.errors import MemoryBankError
from memorybank.ui.shell.tab import this_tab


@contextmanager
def problems_kept() -> Iterator[None]:
    """For callbacks, which cannot draw: what goes wrong inside is kept, and shown above the page that follows."""
    try:
        yield
    except (MemoryBankError, OSError) as error:
        this_tab().problems.waiting = error
