"""A run at any of its moments, from its records alone: live, replayed and scrubbed are the same code.

`Playback` reads the records it has not read yet, and answers `at(k)` with the moment after k events. Only what is new
is folded, and once in a process: all tabs that look at a run have one (`shared`).
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from memorybank.contradiction.disputes.dispute import Dispute
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import TaskReceived
from memorybank.memory.state import MemoryState
from memorybank.memory.types import NodeId
from memorybank.runs.banks import Banks
from memorybank.runs.journal import Record
from memorybank.runs.stages import border_of
from memorybank.views.graph.layout import Layout, Point
from memorybank.views.run.feed import Feed, FeedItem, by_dispute
from memorybank.views.run.origin import Origin, answer_origin, origin_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The stages at a moment, counted from the task that is being worked on then."""

    current: str = ""
    """The stage at work; empty between two."""
    last: str = ""
    """The stage that ended last."""
    round: int = 0
    total: float = 0.0
    """Computing time in seconds of the stages that have ended."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """All that a page shows after `at` events."""

    at: int
    bank: MemoryState
    points: Mapping[NodeId, Point]
    """The places of every node born so far, and perhaps of later ones."""
    new: frozenset[NodeId]
    """The nodes born in the stage that ended last."""
    merged: frozenset[NodeId]
    """The nodes made by a merge that stands."""
    strip: Strip
    told: Feed
    """The lines of the run, those of later events too."""
    borders: Sequence[int]
    """The numbers of the events with which stages ended."""
    origin: Origin = field(default_factory=lambda: Origin(engine=""))
    """The origin of this run's memory, the answer cache of its last round included."""
    answered: Origin = field(default_factory=lambda: Origin(engine=""))
    """The origin of the answer: an outside agent, where one gave it."""
    _views: dict[tuple[Hashable, ...], Any] = field(default_factory=dict, repr=False)
    _turn: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @cached_property
    def disputes(self) -> tuple[Dispute, ...]:
        """The conflicts that a person is told of: each counted once, in however many pairs of memories it was found."""
        return disputes_of(self.bank)

    @cached_property
    def feed(self) -> Sequence[FeedItem]:
        """The lines as they are read, oldest first: what a stage did on one dispute is one."""
        return by_dispute(self.told.until(self.at), self.disputes, self.borders)

    def once(self, name: tuple[Hashable, ...], build: Callable[[], T]) -> T:
        """Return what is worked out of this moment under a name: once, for all tabs that look at it."""
        with self._turn:
            value: T = self._views.pop(name) if name in self._views else build()
            self._views[name] = value
            if len(self._views) > MOST_VIEWS:
                del self._views[next(iter(self._views))]
            return value

    def read(self, records: Sequence[Record[Any]], build: Callable[[Sequence[Record[Any]]], T]) -> T:
        """Return what is read out of the run's records up to this moment, once for all tabs."""
        return self.once((build,), lambda: build(records[: self.at]))


MOST_VIEWS = 24
"""The number of results that a moment keeps, those asked for last."""
MOMENTS = 3
"""The number of moments kept, those asked for last; beside them stay those that a tab looks at."""


class Playback:
    """The moments of one run, for any number of threads. `records` may grow between two calls; it is never changed
    otherwise."""

    def __init__(self) -> None:
        self._turn = threading.RLock()
        self._begin()

    def _begin(self) -> None:
        self._newest: Record[Any] | None = None
        self._read = 0
        self._banks = Banks()
        self._layout = Layout()
        self._born: list[tuple[int, NodeId]] = []
        self._borders: list[int] = []
        """The numbers of the events with which stages ended."""
        self._strips = [(0, Strip())]
        """The stages after each event that begins or ends one, or brings a task."""
        self._feed = Feed()
        self._kept: dict[int, Moment] = {}
        self._looked_at: WeakValueDictionary[int, Moment] = WeakValueDictionary()

    def at(self, records: Sequence[Record[Any]], k: int | None = None) -> Moment:
        """Return the moment after `k` events (None: all). Raises JournalError for contradictory records."""
        with self._turn:
            self._read_on(records)
            k = self._read if k is None else max(0, min(k, self._read))
            known = self._kept.pop(k, None) or self._looked_at.get(k)
            self._kept[k] = self._looked_at[k] = moment = known or self._moment(records, k)
            if len(self._kept) > MOMENTS:
                del self._kept[next(iter(self._kept))]
            return moment

    def bank_at(self, records: Sequence[Record[Any]], k: int) -> MemoryState:
        """Return the memory after `k` events, where nothing else is needed. Raises JournalError likewise."""
        with self._turn:
            self._read_on(records)
            return self._banks.at(records, max(0, min(k, self._read)))

    # -- reading on ---------------------------------------------------------------------------------------------------

    def _read_on(self, records: Sequence[Record[Any]]) -> None:
        if self._newest is not None and list(records[self._read - 1 : self._read]) != [self._newest]:
            self._begin()  # a writer took the run over and cut off what was not committed
        self._take(records[self._read : len(records)])

    def _take(self, records: Iterable[Record[Any]]) -> None:
        for record in records:
            self._read, self._newest = record.seq, record
            self._feed.take(record)
            self._follow(record)
            self._born += [(record.seq, node_id) for node_id in self._layout.take(record.event)]
            if self._banks.take(record):
                self._borders.append(record.seq)

    def _follow(self, record: Record[Any]) -> None:
        strip, border = self._strips[-1][1], border_of(record.event)
        if isinstance(record.event, TaskReceived):
            strip = Strip()
        elif border is None:
            return
        elif border.side == "begin":
            strip = replace(strip, current=border.stage, round=border.round)
        else:
            total = strip.total + border.seconds
            strip = Strip(last=border.stage, round=border.round, total=total)
        self._strips.append((record.seq, strip))

    # -- a moment -----------------------------------------------------------------------------------------------------

    def _moment(self, records: Sequence[Record[Any]], k: int) -> Moment:
        bank = self._banks.at(records, k)
        ended = bisect_right(self._borders, k)
        since = self._borders[ended - 2] if ended > 1 else 0
        merges = bank.tree.merge_events.values()
        until = records[:k]
        return Moment(
            at=k,
            bank=bank,
            points=self._layout,
            new=frozenset(node_id for seq, node_id in self._born if since < seq <= k and node_id in bank.graph.nodes),
            merged=frozenset(merge.new_node_id for merge in merges if not merge.undone),
            strip=self._strips[bisect_right(self._strips, k, key=lambda strip: strip[0]) - 1][1],
            told=self._feed,
            borders=self._borders[:ended],
            origin=origin_of(until),
            answered=answer_origin(until),
        )


_shared: WeakValueDictionary[tuple[str, int], Playback] = WeakValueDictionary()
_sharing = threading.Lock()


def shared(run_id: str, records: Sequence[Record[Any]]) -> Playback:
    """Return the playback of a run's records that all who ask in this process have; it goes with the last of them."""
    with _sharing:
        return _shared.setdefault((run_id, id(records)), Playback())
