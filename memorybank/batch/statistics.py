"""Means and shares with their 95 % intervals, and the paired difference of two systems on the same tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean and the interval in which, with 95 % confidence, that of all such tasks lies."""

    mean: float
    low: float
    high: float
    count: int


def mean(values: Sequence[float]) -> Estimate | None:
    """The mean with Student's t interval, which takes the tasks for a sample; None without values.

    Of one value, or of values that are all equal, nothing is known of the spread: the interval is the mean itself.
    """
    if not values:
        return None
    middle, degrees = fmean(values), len(values) - 1
    reach = t_quantile(degrees) * stdev(values) / math.sqrt(len(values)) if degrees else 0.0
    return Estimate(mean=middle, low=middle - reach, high=middle + reach, count=len(values))


def share(met: Sequence[bool]) -> Estimate | None:
    """The share with Wilson's score interval, which holds for few tasks and near 0 and 1, too; None without any.

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
    """The mean of `left - right`, task by task, with Student's t interval of the differences."""
    return mean([a - b for a, b in zip(left, right, strict=True)])


def t_quantile(degrees: int) -> float:
    """The 97.5 % quantile of Student's t: its angle is bisected until 95 % lie within.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
    """
    low, high = 0.0, math.pi / 2
    for _ in range(50):
        angle = (low + high) / 2
        low, high = (low, angle) if _within(angle, degrees) > 0.95 else (angle, high)
    return math.sqrt(degrees) * math.tan(low)


def _within(angle: float, degrees: int) -> float:
    """The probability that |t| is at most √degrees · tan(angle)."""
    odd = degrees % 2
    term, total = (math.cos(angle) if odd else 1.0), 0.0
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (power + 1) / (power + 2)
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
