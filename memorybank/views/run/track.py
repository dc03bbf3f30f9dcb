"""What stands on the track above the slider: stages, rounds, conflicts, merges, answers. From records alone, read once.

track = Track(); track.read(records)        again whenever there may be more
track.ticks                                 what is drawn, oldest first
track.stages                                where each stage begins, for "which stage is event k in?"
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from memorybank.memory.events import (
    AnswerGiven,
    ConflictClosed,
    ConflictFound,
    ConflictRestored,
    ConflictToldApart,
    MergeRestored,
    MergeUndone,
    NodesMerged,
    SessionForked,
    TaskReceived,
)
from memorybank.runs.journal import Record
from memorybank.runs.stages import Border, StageReader

TickKind = Literal["stage", "round", "task", "branch", "conflict", "verdict", "merge", "answer"]
"""The bookkeeping ones first: what is drawn later lies on top."""

_KINDS: dict[type, TickKind] = {
    TaskReceived: "task",
    SessionForked: "branch",
    ConflictFound: "conflict",
    ConflictClosed: "verdict",
    NodesMerged: "merge",
    MergeUndone: "merge",
    MergeRestored: "merge",
    ConflictToldApart: "verdict",
    ConflictRestored: "verdict",
    AnswerGiven: "answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    seq: int
    kind: TickKind


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSpan:
    """From this event on, to the next span, the run is in this stage."""

    first: int
    stage: str
    round: int


class Track:
    """Of one run. `read` takes what is new; records that were taken back make it begin anew."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []
        self.stages: list[StageSpan] = []
        self.borders: list[int] = []
        """Where stages ended: what the keys that go by stage stop at."""
        self.count = 0
        """Events read."""
        self._newest: Record[Any] | None = None
        self._reader = StageReader()

    def read(self, records: Sequence[Record[Any]]) -> None:
        if self._newest is not None and list(records[self.count - 1 : self.count]) != [self._newest]:
            self.__init__()  # type: ignore[misc]
        for record in records[self.count : len(records)]:
            self._take(record)
            self.count, self._newest = record.seq, record

    def stage_at(self, k: int) -> StageSpan | None:
        """The stage that the last of `k` events belongs to."""
        place = bisect_right(self.stages, k, key=lambda span: span.first) - 1
        return self.stages[place] if place >= 0 else None

    def _take(self, record: Record[Any]) -> None:
        before = self._reader.round
        border = self._reader.take(record)
        if border is not None and border.stage == "enhance" and border.round != before:
            self.ticks.append(Tick(seq=record.seq, kind="round"))
        self._note_span(record, border)
        if border is not None and border.side == "end":
            self.borders.append(record.seq)
            self.ticks.append(Tick(seq=record.seq, kind="stage"))
        kind = _KINDS.get(type(record.event))
        if kind is not None:
            self.ticks.append(Tick(seq=record.seq, kind=kind))

    def _note_span(self, record: Record[Any], border: Border | None) -> None:
        """A stage begins, or its end names it: an act of a person has no beginning that would say what it is."""
        reader = self._reader
        if reader.first == record.seq:
            self.stages.append(StageSpan(first=record.seq, stage=reader.stage, round=reader.round))
        elif border is not None and self.stages and self.stages[-1].stage != reader.stage:
            self.stages[-1] = replace(self.stages[-1], stage=reader.stage)
