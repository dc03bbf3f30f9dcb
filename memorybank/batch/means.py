"""Means of a batch's tasks under each system with their 95 % intervals, and the difference of two systems by task."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

from memorybank.batch.plan import System
from memorybank.batch.results import TaskRow

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean and the interval in which, with 95 % confidence, that of all such tasks lies."""

    mean: float
    low: float
    high: float
    count: int


def mean(values: Sequence[float]) -> Estimate | None:
    """Return the mean with Student's t interval, which takes the tasks for a sample; None without values.

    Of one value, or of values that are all equal, nothing is known of the spread: the interval is the mean itself.
    """
    if not values:
        return None
    middle, degrees = fmean(values), len(values) - 1
    reach = t_quantile(degrees) * stdev(values) / math.sqrt(len(values)) if degrees else 0.0
    return Estimate(mean=middle, low=middle - reach, high=middle + reach, count=len(values))


def share(met: Sequence[bool]) -> Estimate | None:
    """Return the share with Wilson's score interval, which holds for few tasks and near 0 and 1, too; None without any.

    Source: Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    if not met:
        return None
    count, part = len(met), sum(met) / len(met)
    squared = _Z * _Z / count
    middle = (part + squared / 2) / (1 + squared)
    reach = _Z / (1 + squared) * math.sqrt(part * (1 - part) / count + squared / (4 * count))
    return Estimate(mean=part, low=max(0.0, middle - reach), high=min(1.0, middle + reach), count=count)


def difference(left: Sequence[float], right: Sequence[float]) -> Estimate | None:
    """Return the mean of `left - right`, task by task, with Student's t interval of the differences."""
    return mean([a - b for a, b in zip(left, right, strict=True)])


def t_quantile(degrees: int) -> float:
    """Return the 97.5 % quantile of Student's t, by bisection between 0 and that of one degree of freedom."""
    low, high = 0.0, 13.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _share_within(middle, degrees) < 0.95 else (low, middle)
    return low


def _share_within(reach: float, degrees: int) -> float:
    """Return how likely Student's t lies between -reach and reach (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle, is_odd = math.atan(reach / math.sqrt(degrees)), degrees % 2
    term, total = math.cos(angle) if is_odd else 1.0, 0.0
    for power in range(is_odd, degrees - 1, 2):
        total += term
        term *= (power + 1) / (power + 2) * math.cos(angle) ** 2
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if is_odd else total


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
    """Difference of two systems, the first less the second, over the tasks that ended under both."""


def measures_of(rows: Sequence[TaskRow]) -> list[Measure]:
    """Return the measures that say something: without a model there are no tokens, without prices no cost."""
    return [measure for measure in MEASURES if measure.name not in _OPTIONAL or any(map(measure.of, rows))]


def ended_under_both(ids: Sequence[str], systems: Sequence[System], rows: Rows) -> list[str]:
    """Return the tasks that have come to their end under all these systems."""
    return [id_ for id_ in ids if all(_has_ended(rows, id_, system) for system in systems)]


def means_of(ids: Sequence[str], systems: Sequence[System], rows: Rows) -> list[MeanLine]:
    """Return a line a measure that some task tells, the share that was as expected first."""
    ended = {system: [rows[id_, system] for id_ in ids if _has_ended(rows, id_, system)] for system in systems}
    both = ended_under_both(ids, systems, rows) if len(systems) == 2 else []
    lines: list[MeanLine] = []
    for measure in (EXPECTED, *measures_of(list(rows.values()))):
        pairs = [[measure.of(rows[id_, system]) for system in systems] for id_ in both]
        known = [(a, b) for a, b in pairs if a is not None and b is not None]
        line = MeanLine(
            measure=measure,
            estimates=tuple(_estimate(measure, ended[system]) for system in systems),
            difference=difference([a for a, _ in known], [b for _, b in known]),
        )
        if any(line.estimates):
            lines.append(line)
    return lines


def words_of(estimate: Estimate | None, form: str) -> str:
    """Return a mean with its interval; nothing of none."""
    if estimate is None:
        return ""
    return f"{estimate.mean:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"


def _has_ended(rows: Rows, id_: str, system: System) -> bool:
    row = rows.get((id_, system))
    return row is not None and row.ended


def _estimate(measure: Measure, rows: Sequence[TaskRow]) -> Estimate | None:
    values = [value for row in rows if (value := measure.of(row)) is not None]
    return share([value > 0 for value in values]) if measure is EXPECTED else mean(values)
