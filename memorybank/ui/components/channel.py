"""A log that grows on the server and is kept in a tab's browser, too: one protocol under all components.

    channel.entries.append(entry)     # what an entry is, and what they come to, is the component's business
    channel.hear(key, asked)          # what the browser said that it has, from the component's state
    message = channel.next()          # what the browser lacks, for the component's data

Streamlit drops what a rerun overtakes, a server restarts under an open page, and two components may share one log. So a
message names its log (`epoch`), the number of its first entry (`from`) and the length of the log (`total`), and the
browser (channel.js) asks for what it finds missing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memorybank.ui.shell.tab import sent_by


@dataclass(slots=True)
class Channel:
    """Append-only from `begin` to `begin`. It assumes that nothing is lost until it hears otherwise."""

    entries: list[Any] = field(default_factory=list)
    epoch: str = field(default_factory=lambda: secrets.token_hex(6))
    """It differs also from that of a server that was restarted under an open page."""
    sent: int = 0
    """Entries that the browser has, if nothing was lost."""
    _answered: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin an empty log, which takes the place of the former one in the browser."""
        self.entries = []
        self.epoch, self.sent = secrets.token_hex(6), 0

    def hear(self, key: str, request: object) -> bool:
        """Send again from where the component under `key` says that its browser is; whether that is news."""
        if not isinstance(request, Mapping) or "have" not in request or request == self._answered.get(key):
            return False
        self._answered[key] = request
        have = request["have"] if request.get("epoch") == self.epoch else 0
        self.sent = max(0, min(have, len(self.entries))) if isinstance(have, int) else 0
        return True

    def next(self) -> dict[str, Any]:
        """The entries that the browser lacks."""
        first, self.sent = self.sent, len(self.entries)
        # A tuple: Streamlit asks of a list whether it is a data frame, and imports pandas for that.
        return {"epoch": self.epoch, "from": first, "items": tuple(self.entries[first:]), "total": self.sent}


def asked_under(key: str) -> dict[str, Any]:
    """What the browser of the component under `key` has asked for; Streamlit keeps it until it asks again."""
    return sent_by(key, "asked")


def draw_again() -> None:
    """Do nothing, as `on_asked_change`: the browser lacks something, and the run that follows sends it."""
