"""How large the benchmark of the app is, and what one of its numbers is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How large the runs are that are looked at, and how often a thing is measured."""

    starts: int
    """Of a fresh server."""
    drawings: int
    graphs: Mapping[int, float]
    """Nodes, and the milliseconds their first drawing may take."""
    nodes: int
    """Of the run whose pages, moments and changes are timed."""
    rounds: int
    moves: int
    uncounted: int
    changes: int
    pause: float
    idle: float
    """Seconds between two changes, far enough apart to tell their bytes from each other; and seconds without any, for
    what the page's looks alone weigh."""
    commits: int
    settle: float
    """Seconds until nothing of the page's beginning is on its way."""
    sessions: int
    """At once."""
    delay: float
    """Seconds before each answer of their model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One number of the app, beside what it must stay under."""

    what: str
    n: int
    """Times it was measured."""
    unit: str
    p50: float
    p95: float
    limit: float | None
    """None: told without being held against anything."""
    counts: str = "p95"
    """Which of the two is held against the limit."""

    @property
    def holds(self) -> bool:
        return self.limit is None or (self.p95 if self.counts == "p95" else self.p50) <= self.limit
