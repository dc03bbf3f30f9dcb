"""What each stage took: time, calls of agents, failures, since the task that is being worked on was given. Pure.

table = StageTable(); table.take(record) …        as records come, O(1) each
table.at(k)                                        a row for each stage that ran, and the one at work
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memorybank.memory.events import AgentCalled, TaskReceived, ToolUsed
from memorybank.runs.journal import Record
from memorybank.runs.stages import Border, StageReader


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    stage: str
    runs: int = 0
    """How often it has ended."""
    seconds: float = 0.0
    """Computing time of those."""
    calls: int = 0
    """Of agents, also of the run that goes on."""
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
    """By stage, those that ran since the task was given."""

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
