"""A run cut into its commits: what each stage did, whole. What was not committed yet has not happened.

The views of the past that need more than the memory at a moment (how a conflict went, what a merge united, where a text
was used) are folds over these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.memory.events import AgentCalled, StageFinished, StageStarted
from memorybank.runs.journal import Record

Records = Sequence[Record[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in a run something happened."""

    seq: int
    at: float
    """Seconds since the epoch."""
    round: int
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One stage, or one act of a person: its records up to its `StageFinished`."""

    stage: str
    round: int
    records: Records

    def place(self, record: Record[Any]) -> Place:
        return Place(seq=record.seq, at=record.at, round=self.round, stage=self.stage)

    def calls(self, role: str) -> list[Record[Any]]:
        """The agent's calls of this stage that were answered, in order."""
        return [
            record
            for record in self.records
            if isinstance(record.event, AgentCalled) and record.event.role == role and record.event.outcome == "ok"
        ]


def round_of(begun: StageStarted) -> int:
    """The round that a stage belongs to. It is counted from the end of `enhance`; for a reader it begins with it."""
    return begun.round + (begun.stage == "enhance")


def placed(records: Iterable[Record[Any]]) -> Iterator[tuple[Record[Any], Place]]:
    """Each record with the stage and the round that it belongs to; no stage before the first."""
    stage, round_ = "", 0
    for record in records:
        event = record.event
        if isinstance(event, StageStarted):
            stage, round_ = event.stage, round_of(event)
        elif isinstance(event, StageFinished):
            stage, round_ = event.stage, max(round_, event.round)
        yield record, Place(seq=record.seq, at=record.at, round=round_, stage=stage)


def commits(records: Records) -> Iterator[Commit]:
    """The commits of a run, oldest first."""
    first, round_ = 0, 0
    for place, record in enumerate(records):
        event = record.event
        if isinstance(event, StageStarted):
            round_ = round_of(event)
        elif isinstance(event, StageFinished):
            round_ = max(round_, event.round)
            yield Commit(stage=event.stage, round=round_, records=records[first : place + 1])
            first = place + 1
