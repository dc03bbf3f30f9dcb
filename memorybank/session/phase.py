"""The phases of a session that somebody hosts: it loads, works, rests, or is parked."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    LOADING = "loading"
    """The models load and the run is opened."""
    RUNNING = "running"
    RESTING = "resting"
    """The session waits for an order."""
    PARKED = "parked"
    FAILED = "failed"
    """The run could not be begun or opened; `error` says why."""
