"""Waiting in tests, in one place: until something holds, never for a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(holds: Callable[[], bool], seconds: float, otherwise: Callable[[], object] = lambda: "") -> None:
    """Come back as soon as it holds; fail with what `otherwise` tells when it does not within `seconds`."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {otherwise()}"
        time.sleep(0.01)  # a poll: what is waited for is in a thread or process that gives no signal
