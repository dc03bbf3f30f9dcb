"""The stage and the round that each event of a run belongs to: read here, and nowhere else.

reader = StageReader(); reader.take(record) …      as records come, O(1) each
placed(records)                                    each record with its place
place_at(records, k)                               the place of the last of k events, read back to the border before it
border_of(event)                                   where a stage begins or ends; None for what lies between

A stage begins with `StageStarted` and ends with `StageFinished`. An act of a person has no beginning of its own: it
begins with its first fact, which tells what it is, and its end names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memorybank.memory import events
from memorybank.runs.journal import Record

_ACTS: dict[type, events.UserAction] = {
    events.AgentCalled: "undo",
    events.MergeUndone: "undo",
    events.MergeRestored: "undo",
    events.ConflictRestored: "undo",
    events.SettingsChanged: "settings",
    events.SessionForked: "settings",
    events.FilingQueued: "refile",
    events.ConflictClosed: "verdict",
    events.ConflictToldApart: "verdict",
}
"""The acts of a person, by what they begin with; all others hand something over to be received. A split begins with the
agent that is asked what stays together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of an event in a run."""

    seq: int
    at: float
    """Time in seconds since the epoch."""
    round: int
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """The beginning of a stage, or the end of a stage or of a person's act."""

    side: Literal["begin", "end"]
    stage: str
    round: int
    seconds: float = 0.0
    """Computing time of a stage that ended."""


def border_of(event: Any) -> Border | None:
    """Return the border that an event is. A round counts from the end of `enhance`, for a reader from its begin."""
    if isinstance(event, events.StageStarted):
        return Border(side="begin", stage=event.stage, round=event.round + (event.stage == "enhance"))
    if isinstance(event, events.StageFinished):
        number = event.round + (event.stage == "enhance")
        return Border(side="end", stage=event.stage, round=number, seconds=event.ms / 1000)
    return None


def ends_stage(record: Record[Any]) -> bool:
    """Whether a stage or an act ends with this record, so that what stands before it is committed."""
    return isinstance(record.event, events.StageFinished)


def at_rest(records: Sequence[Record[Any]]) -> bool:
    """Whether the last commit ended the session: there is nothing more to do until somebody asks for it."""
    return len(records) > 1 and isinstance(records[-2].event, events.SessionFinished) and ends_stage(records[-1])


class StageReader:
    """Follows one run, whose records are taken one by one as they come."""

    def __init__(self) -> None:
        self.stage = ""
        """The stage of the record that was taken last; empty before the first."""
        self.round = 0
        self.first = 0
        """Event with which that stage or act began."""
        self._is_inside = False
        """True while that stage or act has not ended."""

    def take(self, record: Record[Any]) -> Border | None:
        """Read one more event. Answers with the border that it is."""
        border = border_of(record.event)
        if border is not None:
            self.stage, self.round = border.stage, border.round
        if border is not None and border.side == "end":
            self._is_inside = False
        elif border is not None or not (self._is_inside or isinstance(record.event, events.SessionResumed)):
            self.first, self._is_inside = record.seq, True
            if border is None:
                self.stage = _ACTS.get(type(record.event), "receive")
        return border

    def place(self, record: Record[Any]) -> Place:
        """Return the place of the record that was taken last."""
        return Place(seq=record.seq, at=record.at, round=self.round, stage=self.stage)


def placed(records: Iterable[Record[Any]]) -> Iterator[tuple[Record[Any], Place]]:
    """Yield each record with the stage and the round that it belongs to."""
    reader = StageReader()
    for record in records:
        reader.take(record)
        yield record, reader.place(record)


def place_at(records: Sequence[Record[Any]], k: int) -> Place | None:
    """Return the place of the last of `k` events; None before the first. Only the stage that it belongs to is read."""
    if not 0 < k <= len(records):
        return None
    start = next((place for place in range(k - 2, -1, -1) if border_of(records[place].event) is not None), 0)
    *_, (_, last) = placed(records[start:k])
    return last
