"""A run at any of its moments, from its records alone: live, replayed and scrubbed are the same code.

`Playback` reads the records it has not read yet, and answers `at(k)` with
the moment after k events. Only what is new is folded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from memorybank.contradiction.disputes import Dispute, disputes_of
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import NodeId
from memorybank.runs.banks import Banks
from memorybank.runs.journal import Record
from memorybank.views.graph.layout import Layout, Point
from memorybank.views.memory.doc_diff import DocHistory, DocVersion
from memorybank.views.run.badge import Origin
from memorybank.views.run.feed import Feed
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.origin import answer_origin, origin_of
from memorybank.views.run.stage_table import StageTable, Strip


@dataclass(frozen=True, kw_only=True)
class Moment:
    """All that a page shows after `at` events."""

    at: int
    bank: MemoryBank
    points: Mapping[NodeId, Point]
    """A place for every node born so far, and perhaps for later ones."""
    new: frozenset[NodeId]
    """Born in the stage that ended last."""
    merged: frozenset[NodeId]
    """Made by a merge that stands."""
    strip: Strip
    feed: Sequence[FeedItem]
    """Oldest first."""
    doc: DocVersion = field(default_factory=DocVersion)
    """The Insight Doc, and the stage that changed it last."""
    doc_before: DocVersion = field(default_factory=DocVersion)
    """What it was before that."""
    origin: Origin = field(default_factory=lambda: Origin(engine=""))
    """What makes this run's memory, the answer cache of its last round included."""
    answered: Origin = field(default_factory=lambda: Origin(engine=""))
    """What gave the answer: an outside agent, where one did."""

    @cached_property
    def disputes(self) -> tuple[Dispute, ...]:
        """What a person is told of as conflicts: each counted once, in however many pairs of memories it was found."""
        return disputes_of(self.bank)


class Playback:
    """The moments of one run. `records` may grow between two calls; it is never changed otherwise."""

    def __init__(self) -> None:
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
        self._last: Moment | None = None

    def at(self, records: Sequence[Record[Any]], k: int | None = None) -> Moment:
        """The moment after `k` events (all, when None). Raises JournalError for records that contradict each other."""
        self._read_on(records)
        k = self._read if k is None else max(0, min(k, self._read))
        if self._last is None or self._last.at != k:
            self._last = self._moment(records, k)
        return self._last

    def bank_at(self, records: Sequence[Record[Any]], k: int) -> MemoryBank:
        """The memory after `k` events, for who needs nothing else of the moment. Raises JournalError likewise."""
        self._read_on(records)
        return self._banks.at(records, max(0, min(k, self._read)))

    # -- reading on ---------------------------------------------------------------------------------------------------

    def _read_on(self, records: Sequence[Record[Any]]) -> None:
        if self._newest is not None and list(records[self._read - 1 : self._read]) != [self._newest]:
            self.__init__()  # type: ignore[misc]  # a writer took the run over and cut off what was not committed
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
                self._feed.settle(self._banks.newest, record.seq)

    # -- a moment -----------------------------------------------------------------------------------------------------

    def _moment(self, records: Sequence[Record[Any]], k: int) -> Moment:
        bank = self._banks.at(records, k)
        ended = bisect_right(self._borders, k)
        since = self._borders[ended - 2] if ended > 1 else 0
        merges = bank.tree.merge_events.values()
        doc_before, doc = self._docs.at(k)
        until = records[:k]
        return Moment(
            at=k,
            bank=bank,
            points=self._layout,
            new=frozenset(node_id for seq, node_id in self._born if since < seq <= k and node_id in bank.graph.nodes),
            merged=frozenset(merge.new_node_id for merge in merges if not merge.undone),
            strip=self._stages.at(k),
            feed=self._feed.until(k),
            doc=doc,
            doc_before=doc_before,
            origin=origin_of(until),
            answered=answer_origin(until),
        )
