"""A run at any of its moments, from its records alone: live, replayed and scrubbed are the same code.

`Playback` reads the records it has not read yet, and answers `at(k)` with the moment after k events. Only what is new
is folded, and once in a process: all tabs that look at a run have one (`shared`).
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from memorybank.contradiction.disputes import Dispute, disputes_of
from memorybank.memory.events import AgentCalled, TaskReceived, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.memory.types import NodeId
from memorybank.runs.banks import Banks
from memorybank.runs.journal import Record
from memorybank.runs.stages import Border, StageReader
from memorybank.views.graph.layout import Layout, Point
from memorybank.views.memory.doc_history import DocHistory, DocVersion
from memorybank.views.run.badge import Origin
from memorybank.views.run.feed import Feed, by_dispute
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.origin import answer_origin, origin_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    stage: str
    runs: int = 0
    """How often it has ended."""
    seconds: float = 0.0
    """Computing time of those."""
    calls: int = 0
    """Calls of agents, with those of the run that goes on."""
    failed: int = 0
    """Calls of agents and tools without an answer."""
    tools: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The stages at a moment."""

    current: str = ""
    """The stage at work; empty between two."""
    last: str = ""
    """The stage that ended last."""
    round: int = 0
    rows: Mapping[str, StageRow] = field(default_factory=dict)
    """A row by stage, for those that ran since the task was given."""

    @property
    def seconds(self) -> Mapping[str, float]:
        return {name: row.seconds for name, row in self.rows.items() if row.runs}

    @property
    def total(self) -> float:
        return sum(row.seconds for row in self.rows.values())


@dataclass(frozen=True, slots=True)
class _Mark:
    """A stage began or ended, or something was asked in it."""

    seq: int
    event: Border | AgentCalled | ToolUsed
    stage: str


class StageTable:
    def __init__(self) -> None:
        self._marks: list[_Mark] = []
        self._tasks: list[int] = []
        self._reader = StageReader()
        self._known = (0, 0, Strip())
        """First mark, the mark after the last, and what was found: a moment later on goes on from there."""

    def take(self, record: Record[Any]) -> None:
        """Read one more event."""
        event = self._reader.take(record) or record.event
        if isinstance(event, TaskReceived):
            self._tasks.append(record.seq)
        elif isinstance(event, Border | AgentCalled | ToolUsed):
            self._marks.append(_Mark(record.seq, event, self._reader.stage))

    def at(self, k: int) -> Strip:
        """After `k` events, counted from the task that is being worked on then."""
        task = bisect_right(self._tasks, k)
        since = self._tasks[task - 1] if task else 0
        first = bisect_right(self._marks, since, key=lambda mark: mark.seq)
        end = bisect_right(self._marks, k, key=lambda mark: mark.seq)
        known_first, start, known = self._known
        if known_first != first or start > end:
            start, known = first, Strip()
        rows, current, last, round_ = dict(known.rows), known.current, known.last, known.round
        for mark in self._marks[start:end]:
            row = rows.get(mark.stage) or StageRow(stage=mark.stage)
            match mark.event:
                case Border(side="begin") as border:
                    current, round_ = mark.stage, border.round
                case Border() as border:
                    current, last, round_ = "", mark.stage, border.round
                    row = replace(row, runs=row.runs + 1, seconds=row.seconds + border.seconds)
                case AgentCalled() as event:
                    row = replace(row, calls=row.calls + 1, failed=row.failed + (event.outcome == "failed"))
                case ToolUsed() as event:
                    row = replace(row, tools=row.tools + 1, failed=row.failed + (event.outcome == "failed"))
            rows[mark.stage] = row
        strip = Strip(current=current, last=last, round=round_, rows=rows)
        self._known = (first, end, strip)
        return strip


@dataclass(frozen=True, kw_only=True)
class Moment:
    """All that a page shows after `at` events."""

    at: int
    bank: MemoryState
    points: Mapping[NodeId, Point]
    """A place for every node born so far, and perhaps for later ones."""
    new: frozenset[NodeId]
    """Born in the stage that ended last."""
    merged: frozenset[NodeId]
    """Made by a merge that stands."""
    strip: Strip
    lines: Sequence[FeedItem]
    """A line for each event that has one, oldest first."""
    borders: Sequence[int]
    """The numbers of the events with which stages ended."""
    doc: DocVersion = field(default_factory=DocVersion)
    """The Insight Doc and the answer."""
    origin: Origin = field(default_factory=lambda: Origin(engine=""))
    """What makes this run's memory, the answer cache of its last round included."""
    answered: Origin = field(default_factory=lambda: Origin(engine=""))
    """What gave the answer: an outside agent, where one did."""

    @cached_property
    def disputes(self) -> tuple[Dispute, ...]:
        """What a person is told of as conflicts: each counted once, in however many pairs of memories it was found."""
        return disputes_of(self.bank)

    @cached_property
    def feed(self) -> Sequence[FeedItem]:
        """The lines as they are read, oldest first: what a stage did on one dispute is one."""
        return by_dispute(self.lines, self.disputes, self.borders)


MOMENTS = 3
"""Moments that are kept, those that were asked for last: the newest, and those that other tabs look at."""


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
        """Where stages ended."""
        self._stages = StageTable()
        self._feed = Feed()
        self._docs = DocHistory()
        self._kept: dict[int, Moment] = {}

    def at(self, records: Sequence[Record[Any]], k: int | None = None) -> Moment:
        """The moment after `k` events (all, when None). Raises JournalError for records that contradict each other."""
        with self._turn:
            self._read_on(records)
            k = self._read if k is None else max(0, min(k, self._read))
            self._kept[k] = moment = self._kept.pop(k, None) or self._moment(records, k)
            if len(self._kept) > MOMENTS:
                del self._kept[next(iter(self._kept))]
            return moment

    def bank_at(self, records: Sequence[Record[Any]], k: int) -> MemoryState:
        """The memory after `k` events, for who needs nothing else of the moment. Raises JournalError likewise."""
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
            self._docs.take(record)
            self._stages.take(record)
            self._born += [(record.seq, node_id) for node_id in self._layout.take(record.event)]
            if self._banks.take(record):
                self._borders.append(record.seq)

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
            strip=self._stages.at(k),
            lines=self._feed.until(k),
            borders=self._borders[:ended],
            doc=self._docs.at(k),
            origin=origin_of(until),
            answered=answer_origin(until),
        )


_shared: WeakValueDictionary[tuple[str, int], Playback] = WeakValueDictionary()
_sharing = threading.Lock()


def shared(run_id: str, records: Sequence[Record[Any]]) -> Playback:
    """Return the playback of a run's records that all who ask in this process have; it goes with the last of them."""
    with _sharing:
        return _shared.setdefault((run_id, id(records)), Playback())
