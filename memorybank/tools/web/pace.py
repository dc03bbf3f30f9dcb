"""How long and how much one transfer may take; asked at every step of a wait, so that nothing waits unasked."""

from __future__ import annotations

import time
from dataclasses import dataclass

from memorybank import calls
from memorybank.errors import ToolError

STEP = 0.1
"""Seconds any wait lasts before stop and deadline are looked at again."""


class TransferError(ToolError):
    """No usable answer came over the network; the message says why, without the URL."""


@dataclass(slots=True)
class Pace:
    deadline: float
    """On `time.monotonic`'s clock."""
    seconds: float
    """What was given, for the message."""
    bytes_left: int
    """That may still come over the wire, headers included."""

    @classmethod
    def of(cls, seconds: float, wire_bytes: int) -> Pace:
        return cls(time.monotonic() + seconds, seconds, wire_bytes)

    def within(self, seconds: float, wire_bytes: int) -> Pace:
        """Return a pace for a part of this one: no longer than what is left."""
        return Pace(min(self.deadline, time.monotonic() + seconds), seconds, wire_bytes)

    def check(self) -> None:
        """Raise Cancelled when the call was stopped, TransferError when the time is over."""
        calls.check()
        if time.monotonic() > self.deadline:
            raise TransferError("web.not_in_time", seconds=self.seconds)

    def spend(self, count: int) -> None:
        """Count bytes that came. Raises TransferError when they are too many."""
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise TransferError("web.endless")

    def pause(self, seconds: float) -> None:
        """Wait, and be stopped meanwhile like any transfer."""
        until = time.monotonic() + seconds
        while (remaining := until - time.monotonic()) > 0:
            self.check()
            time.sleep(min(remaining, STEP))
