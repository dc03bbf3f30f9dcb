"""What an evaluation hands back: numbers with their spread, beside the controls measured in the same run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One system on one measure of one set."""

    data: str
    measure: str
    system: str
    """`engine` is the product; anything else is a control or a baseline."""
    value: float
    low: float
    high: float
    """95 % bootstrap interval over the items."""
    n: int
    goal: float | None = None
    """What the engine has to reach; None for controls and for numbers that are only told."""
    at_most: bool = False
    """The goal is a ceiling."""

    @property
    def holds(self) -> bool | None:
        if self.goal is None:
            return None
        return self.value <= self.goal if self.at_most else self.value >= self.goal


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    name: str
    scores: tuple[Score, ...]
    notes: tuple[str, ...] = ()
    examples: tuple[Mapping[str, str], ...] = ()
    """Where the engine fails: a few cases, by what was asked, expected and found."""
    own_texts: bool = False
    """The examples are the project's own and may stand in its docs."""
    seconds: float = 0.0
    settings: Mapping[str, str] = field(default_factory=dict)


def mean_score(
    data: str, measure: str, system: str, values: Sequence[float], *, goal: float | None = None, at_most: bool = False
) -> Score:
    """The mean over items, resampled for its interval."""
    numbers = np.asarray(values, dtype=np.float64)
    value, low, high = interval(numbers)
    return Score(
        data=data,
        measure=measure,
        system=system,
        value=value,
        low=low,
        high=high,
        n=len(numbers),
        goal=goal,
        at_most=at_most,
    )


def interval(numbers: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float, float]:
    """Mean, and the 2.5th and 97.5th percentile of the means of resamples (Efron 1979); a fixed seed."""
    if not len(numbers):
        return 0.0, 0.0, 0.0
    draws = np.random.default_rng(0).integers(0, len(numbers), (RESAMPLES, len(numbers)))
    means = numbers[draws].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(numbers.mean()), float(low), float(high)


def as_json(reports: Sequence[Report]) -> str:
    return json.dumps([asdict(report) for report in reports], ensure_ascii=False, indent=1)
