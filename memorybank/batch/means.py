"""Means of a batch's tasks under each system, and the difference task by task of two systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memorybank.batch import statistics
from memorybank.batch.plan import System
from memorybank.batch.results import TaskRow
from memorybank.batch.statistics import Estimate

Rows = Mapping[tuple[str, System], TaskRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number of each row, whose mean is told."""

    name: str
    of: Callable[[TaskRow], float | None]
    form: str = ",.2f"


EXPECTED = Measure(name="expected", of=lambda row: None if row.expected is None else float(row.expected), form=".1%")
"""The share of answers in which what was expected appears."""
MEASURES = (
    Measure(name="rounds", of=lambda row: row.rounds),
    Measure(name="conflicts", of=lambda row: sum(row.conflicts.values())),
    Measure(name="merges", of=lambda row: row.merges),
    Measure(name="nodes", of=lambda row: row.nodes),
    Measure(name="calls", of=lambda row: row.calls),
    Measure(name="tokens in", of=lambda row: sum(use.input for use in row.tokens.values()), form=",.0f"),
    Measure(name="tokens out", of=lambda row: sum(use.output for use in row.tokens.values()), form=",.0f"),
    Measure(name="seconds", of=lambda row: row.seconds),
    Measure(name="cost", of=lambda row: row.cost, form=",.4f"),
)
_OPTIONAL = ("tokens in", "tokens out", "cost")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanLine:
    """A measure under each system; nothing of a system none of whose tasks that ended has it."""

    measure: Measure
    estimates: tuple[Estimate | None, ...]
    difference: Estimate | None
    """Of two systems, the first less the second, over the tasks that ended under both."""


def measures_of(rows: Sequence[TaskRow]) -> list[Measure]:
    """The measures that say something: without a model there are no tokens, without prices no cost."""
    return [measure for measure in MEASURES if measure.name not in _OPTIONAL or any(map(measure.of, rows))]


def ended_under_both(ids: Sequence[str], systems: Sequence[System], rows: Rows) -> list[str]:
    """The tasks that have come to their end under all these systems."""
    return [id_ for id_ in ids if all(_has_ended(rows, id_, system) for system in systems)]


def means_of(ids: Sequence[str], systems: Sequence[System], rows: Rows) -> list[MeanLine]:
    """A line a measure that some task tells, the share that was as expected first."""
    ended = {system: [rows[id_, system] for id_ in ids if _has_ended(rows, id_, system)] for system in systems}
    both = ended_under_both(ids, systems, rows) if len(systems) == 2 else []
    lines: list[MeanLine] = []
    for measure in (EXPECTED, *measures_of(list(rows.values()))):
        pairs = [[measure.of(rows[id_, system]) for system in systems] for id_ in both]
        known = [(a, b) for a, b in pairs if a is not None and b is not None]
        line = MeanLine(
            measure=measure,
            estimates=tuple(_estimate(measure, ended[system]) for system in systems),
            difference=statistics.difference([a for a, _ in known], [b for _, b in known]),
        )
        if any(line.estimates):
            lines.append(line)
    return lines


def words_of(estimate: Estimate | None, form: str) -> str:
    """A mean with its interval; nothing of none."""
    if estimate is None:
        return ""
    return f"{estimate.mean:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"


def _has_ended(rows: Rows, id_: str, system: System) -> bool:
    row = rows.get((id_, system))
    return row is not None and row.ended


def _estimate(measure: Measure, rows: Sequence[TaskRow]) -> Estimate | None:
    values = [value for row in rows if (value := measure.of(row)) is not None]
    return statistics.share([value > 0 for value in values]) if measure is EXPECTED else statistics.mean(values)
