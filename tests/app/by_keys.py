"""Who goes through a page by keys alone: where the focus is, whether it is seen, and the way to a control by Tab."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.app.test_accessibility import at_rest
from tests.waiting import wait_until

MOST = 150
"""Presses of Tab that lead round any page of these tests."""

PAGE = "main"
"""The page itself, which the arrows then scroll."""

WHERE = Path(__file__).with_suffix(".js").read_text("utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What has the focus."""

    name: str
    keys: tuple[str, ...]
    """Of what is around it, from the inside out; none: nothing has it, or what is no part of the page."""
    what: str = ""

    def fits(self, key: str, words: str, what: str = "") -> bool:
        return any(key in each for each in self.keys) and words in self.name and what in self.what


class Keys:
    """The keyboard of a page. Each press of Tab asserts that the focus moved, was seen and is not covered."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, key: str) -> Place:
        """Press a key and let the page come to rest."""
        self._page.keyboard.press(key)
        at_rest(self._page)
        return self.place()

    def place(self) -> Place:
        return _place(self._page.evaluate(WHERE))

    def tab(self, *, back: bool = False) -> Place:
        self._page.keyboard.press("Shift+Tab" if back else "Tab")
        found = self._page.evaluate(WHERE)
        assert found["moved"], f"a trap: {found}"
        assert found["wasSeen"], f"what had the focus before {found} did not show it"
        assert found["isInSight"] or found["what"] == PAGE, f"covered: {found}"
        return _place(found)

    def go(self, key: str, words: str = "", *, what: str = "", back: bool = False) -> Place:
        """Tab to the control whose name has these words, within what has the key."""
        met = []
        for _ in range(MOST):
            met.append(self.tab(back=back))
            if met[-1].fits(key, words, what):
                return met[-1]
        raise AssertionError(
            f"no way by Tab to {key} {words!r}: {[(place.name[:30], place.keys[:1]) for place in met]}"
        )

    def is_at(self, key: str, words: str = "") -> None:
        """The focus is given there, if not at once."""
        wait_until(lambda: self.place().fits(key, words), 60, lambda: f"{self.place()} is not {key} {words!r}")


def _place(found: dict[str, Any]) -> Place:
    return Place(name=found["name"], keys=tuple(found["keys"]), what=found.get("what", ""))
