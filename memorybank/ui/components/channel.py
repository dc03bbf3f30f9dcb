"""A log that grows on the server and is kept in a tab's browser, too: one protocol under all components.

    channel.entries.append(entry)     # what an entry is, and what they come to, is the component's business
    channel.hear(key, asked)          # what the browser said that it has, from the component's state
    message = channel.next()          # what the browser lacks, for the component's data

Streamlit drops what a rerun overtakes, a server restarts under an open page, and two components may share one log. So a
message names its log (`epoch`), the number of its first entry (`from`) and the length of the log (`total`); it repeats
the last few small entries; and the browser (channel.js) asks for what it finds missing.
"""

from __future__ import annotations

import json
import secrets
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memorybank.ui.shell.tab import sent_by

_REPEATED_MESSAGES = 3


@dataclass(slots=True)
class Channel:
    """Append-only from `begin` to `begin`. It assumes that nothing is lost until it hears otherwise."""

    entries: list[Any] = field(default_factory=list)
    repeated_bytes: int = 800
    """So much of the last messages each message says again; a loss that it covers costs no question."""
    epoch: str = field(default_factory=lambda: secrets.token_hex(6))
    """It differs also from that of a server that was restarted under an open page."""
    sent: int = 0
    """Entries that the browser has, if nothing was lost."""
    _ends: list[int] = field(default_factory=lambda: [0])
    """Size in bytes of the first so many entries."""
    _before: deque[int] = field(default_factory=lambda: deque(maxlen=_REPEATED_MESSAGES))
    """`sent` before each of the last messages."""
    _answered: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin an empty log, which takes the place of the former one in the browser."""
        self.entries = []
        self.epoch, self.sent, self._ends = secrets.token_hex(6), 0, [0]
        self._before.clear()

    def hear(self, key: str, request: object) -> bool:
        """Send again from where the component under `key` says that its browser is; whether that is news."""
        if not isinstance(request, Mapping) or "have" not in request or request == self._answered.get(key):
            return False
        self._answered[key] = request
        have = request["have"] if request.get("epoch") == self.epoch else 0
        self.sent = max(0, min(have, len(self.entries))) if isinstance(have, int) else 0
        self._before.clear()
        return True

    def size(self) -> int:
        """Bytes of all entries."""
        for entry in self.entries[len(self._ends) - 1 :]:
            self._ends.append(self._ends[-1] + len(json.dumps(entry)) + 2)
        return self._ends[-1]

    def unsent_size(self) -> int:
        return self.size() - self._ends[self.sent]

    def next(self, room: float = float("inf")) -> dict[str, Any]:
        """A few entries again, then as many new ones as fit into `room` bytes, at least one."""
        self.size()
        first = self._before[0] if self._before else self.sent
        while self._ends[self.sent] - self._ends[first] > self.repeated_bytes:
            first += 1
        end = self.sent
        while end < len(self.entries) and (end == self.sent or self._ends[end + 1] - self._ends[first] <= room):
            end += 1
        self._before.append(self.sent)
        self.sent = end
        # A tuple: Streamlit asks of a list whether it is a data frame, and imports pandas for that.
        items = tuple(self.entries[first:end])
        return {"epoch": self.epoch, "from": first, "items": items, "total": len(self.entries)}


def asked_under(key: str) -> dict[str, Any]:
    """What the browser of the component under `key` has asked for; Streamlit keeps it until it asks again."""
    return sent_by(key, "asked")


def draw_again() -> None:
    """Do nothing, as `on_asked_change`: the browser lacks something, and the run that follows sends it."""
