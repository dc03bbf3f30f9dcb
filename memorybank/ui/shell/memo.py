"""What a tab has worked out, kept until what it was worked out of changes.

A page is drawn again at every click; what it shows changes only with the records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from memorybank.runs.journal import Record
from memorybank.ui.shell.tab import this_tab
from memorybank.views.run.commits import Records


class Reader(Protocol):
    """Follows one run, whose records are taken one by one as they come."""

    def take(self, record: Record[Any]) -> object: ...


T = TypeVar("T")
R = TypeVar("R", bound=Reader)


def remembered(run_id: str, records: Records, at: int, build: Callable[[Records], T]) -> T:
    """`build(records[:at])`, one value a builder and tab."""
    name = (f"{build.__module__}.{build.__qualname__}", *past(run_id, records, at))
    return kept(name, lambda: build(records[:at]))


@dataclass(slots=True)
class _Reading(Generic[R]):
    reader: R
    count: int = 0
    """Records that it has taken."""
    newest: Record[Any] | None = None

    def goes_on(self, records: Records, at: int) -> bool:
        """Whether what it has taken is the beginning of the first `at` records."""
        return self.count <= at and (self.newest is None or records[self.count - 1] == self.newest)


def read_on(run_id: str, records: Records, at: int, begin: Callable[[], R]) -> R:
    """A reader that has taken the first `at` records, one a kind and tab.

    While a run goes on it takes only those that are new. It begins anew where the tab looks back, and where a writer
    that took the run over has written others in their place.
    """
    first = f"{begin.__module__}.{begin.__qualname__}"
    reading = kept((first, run_id), lambda: _Reading(begin()))
    if not reading.goes_on(records, at):
        forget(first)
        reading = kept((first, run_id), lambda: _Reading(begin()))
    for record in records[reading.count : at]:
        reading.count, reading.newest = record.seq, record
        reading.reader.take(record)
    return reading.reader


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
