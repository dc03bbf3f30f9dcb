"""A run cut into its commits: what each stage did, whole. What was not committed yet has not happened.

The views of the past that need more than the memory at a moment (how a conflict went, what a merge united, where a text
was used) are folds over these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from memorybank.memory import events
from memorybank.memory.events import AgentCalled
from memorybank.runs.journal import Record
from memorybank.runs.stages import Place, StageReader, ends_stage

Records = Sequence[Record[Any]]
E = TypeVar("E")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One stage, or one act of a person: its records up to its end."""

    stage: str
    round: int
    records: Records

    @property
    def seq(self) -> int:
        """The end of the stage: the moment at which what it did is true."""
        return self.records[-1].seq

    def place(self, record: Record[Any]) -> Place:
        return Place(seq=record.seq, at=record.at, round=self.round, stage=self.stage)

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a kind, in order."""
        return [record.event for record in self.records if isinstance(record.event, kind)]

    def calls(self, role: str) -> list[Record[Any]]:
        """Return the agent's calls of this stage that were answered, in order."""
        return [
            record
            for record in self.records
            if isinstance(record.event, AgentCalled) and record.event.role == role and record.event.outcome == "ok"
        ]


def commits(records: Records) -> Iterator[Commit]:
    """Return the commits of a run, oldest first."""
    stages, pending = StageReader(), list[Record[Any]]()
    for record in records:
        stages.take(record)
        pending.append(record)
        if ends_stage(record):
            yield Commit(stage=stages.stage, round=stages.round, records=pending)
            pending = []


def listed(answer: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """Return the objects that an answer lists under a name; what is no object is left out."""
    items = answer.get(name)
    if isinstance(items, list | tuple):
        yield from (item for item in items if isinstance(item, Mapping))


MARKS: dict[type, str] = {
    events.TaskReceived: "task",
    events.SessionForked: "branch",
    events.ConflictFound: "conflict",
    events.ConflictClosed: "verdict",
    events.ConflictToldApart: "verdict",
    events.ConflictRestored: "verdict",
    events.NodesMerged: "merge",
    events.MergeUndone: "merge",
    events.MergeRestored: "merge",
    events.AnswerGiven: "answer",
}


def marks_of(records: Records) -> list[tuple[int, str]]:
    """Return the event and the kind of each mark, oldest first."""
    return [(record.seq, MARKS[type(record.event)]) for record in records if type(record.event) in MARKS]


def borders_of(records: Records) -> list[int]:
    """Return where stages ended: what the buttons that go by stage stop at."""
    return [record.seq for record in records if ends_stage(record)]
