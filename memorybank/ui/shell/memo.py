"""What a tab has worked out, kept until what it was worked out of changes.

A page is drawn again at every click; what it shows changes only with the records.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from memorybank.ui.shell.tab import this_tab
from memorybank.views.run.commits import Records

T = TypeVar("T")


def remembered(run_id: str, records: Records, at: int, build: Callable[[Records], T]) -> T:
    """`build(records[:at])`, one value a builder and tab."""
    name = (f"{build.__module__}.{build.__qualname__}", *past(run_id, records, at))
    return kept(name, lambda: build(records[:at]))


def past(run_id: str, records: Records, at: int) -> tuple[str, int, float]:
    """A name for the first `at` records of a run.

    The time of the last one belongs to it: a writer that takes a run over may have written another one in its place.
    """
    return run_id, at, records[at - 1].at if at else 0.0


def kept(name: tuple[Any, ...], build: Callable[[], T], *, most: int = 1) -> T:
    """The value of a name; of the names with the same first part, the `most` that were built last are kept."""
    known: dict[tuple[Any, ...], T] = this_tab().memo.setdefault(name[0], {})
    if name not in known:
        while len(known) >= most:
            del known[next(iter(known))]
        known[name] = build()
    return known[name]


def forget(first: str) -> None:
    """What was `kept` under names with this first part is built anew."""
    this_tab().memo.pop(first, None)
