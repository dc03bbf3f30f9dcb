"""What stands on the track above the slider: stages, rounds, conflicts, merges, answers. From records alone, read once.

track = Track(); track.read(records)        again whenever there may be more
track.ticks                                 what is drawn, oldest first
track.stages                                where each stage begins, for "which stage is event k in?"
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from memorybank.memory.events import (
    AnswerGiven,
    ConflictClosed,
    ConflictFound,
    FilingQueued,
    MergeUndone,
    NodesMerged,
    SessionForked,
    SessionResumed,
    SettingsChanged,
    StageFinished,
    StageName,
    StageStarted,
    TaskReceived,
    UserAction,
)
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.views.run.commits import round_of
from memorybank.views.run.feed import Feed, say
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.text.display import clip

TickKind = Literal["stage", "round", "task", "branch", "conflict", "verdict", "merge", "answer"]
"""The bookkeeping ones first: what is drawn later lies on top."""

STAGE_NAMES: tuple[str, ...] = (*get_args(StageName), *get_args(UserAction))
WIDTH = 60
"""Columns of a tick's words."""

_KINDS: dict[type, TickKind] = {
    TaskReceived: "task",
    SessionForked: "branch",
    ConflictFound: "conflict",
    ConflictClosed: "verdict",
    NodesMerged: "merge",
    MergeUndone: "merge",
    AnswerGiven: "answer",
}

_ACTS: dict[type, UserAction] = {
    MergeUndone: "undo",
    SettingsChanged: "settings",
    SessionForked: "settings",
    FilingQueued: "refile",
    ConflictClosed: "verdict",
}
"""The acts of a person, by what they begin with; all others hand something over to be received."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    seq: int
    kind: TickKind
    item: FeedItem | None = None
    """The event in the feed; None for the borders of stages and rounds, whose names the browser knows."""

    def words(self, lang: Lang) -> str:
        return clip(say(self.item, lang), WIDTH) if self.item is not None else ""


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
        self._feed = Feed()
        self._lines = 0
        self._round = 0

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
        self._feed.take(record)
        event = record.event
        match event:
            case StageStarted():
                number = round_of(event)
                if event.stage == "enhance" and number != self._round:
                    self.ticks.append(Tick(seq=record.seq, kind="round"))
                self._enter(record.seq, event.stage, number)
            case StageFinished():
                self._name(event.stage)
                self.borders.append(record.seq)
                self.ticks.append(Tick(seq=record.seq, kind="stage"))
            case _:
                if not self._is_inside() and not isinstance(event, SessionResumed):
                    self._enter(record.seq, _ACTS.get(type(event), "receive"), self._round)
                kind = _KINDS.get(type(event))
                lines = self._feed.until(record.seq)
                if kind is not None and lines and lines[-1].seq == record.seq:
                    self.ticks.append(Tick(seq=record.seq, kind=kind, item=lines[-1]))

    def _is_inside(self) -> bool:
        """A stage has begun and not ended."""
        return bool(self.stages) and self.stages[-1].first > (self.borders[-1] if self.borders else 0)

    def _name(self, stage: str) -> None:
        """What a commit is called is said at its end; an act of a person has no beginning that would say it."""
        if self.stages and self.stages[-1].stage != stage:
            self.stages[-1] = replace(self.stages[-1], stage=stage)

    def _enter(self, first: int, stage: str, round_: int) -> None:
        self._round = round_
        self.stages.append(StageSpan(first=first, stage=stage, round=round_))
