"""What a session that somebody hosts is about: it loads, works, rests, or is parked."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    LOADING = "loading"
    """The models load and the run is opened."""
    RUNNING = "running"
    RESTING = "resting"
    """Waits for an order."""
    PARKED = "parked"
    FAILED = "failed"
    """The run could not be begun or opened; `error` says why."""
