"""Which run each tab looked at last, and which of these tabs are still open."""

from __future__ import annotations

from collections.abc import Callable

MOST_TABS = 64
"""Tabs that are remembered before those that were closed are forgotten."""


class Looks:
    """`is_open(tab)` tells whether a tab is still connected."""

    def __init__(self, is_open: Callable[[str], bool]) -> None:
        self.is_open = is_open
        self._run_of: dict[str, str] = {}

    def note(self, tab: str, run_id: str) -> None:
        self._run_of.pop(tab, None)
        self._run_of[tab] = run_id
        if len(self._run_of) > MOST_TABS:
            for closed in [other for other in self._run_of if other != tab and not self.is_open(other)]:
                self._run_of.pop(closed, None)

    def forget(self, tab: str) -> None:
        self._run_of.pop(tab, None)

    def is_seen(self, run_id: str, *, but_by: str = "") -> bool:
        """Whether an open tab, other than `but_by`, looks at this run."""
        return any(run == run_id and tab != but_by and self.is_open(tab) for tab, run in list(self._run_of.items()))
