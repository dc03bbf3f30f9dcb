"""The time of day, within what a journal can hold and a calendar can show."""

from __future__ import annotations

import time

from memorybank.memory.bounds import LATEST


def now() -> float:
    """Return seconds since the epoch; of a clock before 1970 or after 9999, the nearest end of that range."""
    return min(max(time.time(), 0.0), LATEST - 1)
