"""`expect` for tests in a browser: Playwright's own, which looks more often.

With a timeout of many seconds Playwright looks a few times at once, and then twice a second. A page that is redrawn is
there between two looks: a test of many steps waited for nothing half of its time. With a timeout of a second it looks
ten times in it, so each long wait is made of such.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Locator, Page
from playwright.sync_api import expect as expect_within

PATIENCE = 60_000.0
"""Milliseconds: beside other work a page may take long."""
SHORT = 1_000.0
"""Milliseconds of one wait of Playwright's."""


class Watched:
    """The assertions of Playwright, by their names."""

    def __init__(self, actual: Page | Locator) -> None:
        self._actual = actual

    def __getattr__(self, name: str) -> Callable[..., None]:
        holds = getattr(expect_within(self._actual), name)

        def held(*given: Any, timeout: float = PATIENCE, **named: Any) -> None:
            end = time.monotonic() + timeout / 1_000
            while (left := (end - time.monotonic()) * 1_000) > SHORT:
                with suppress(AssertionError):
                    holds(*given, timeout=SHORT, **named)
                    return
            holds(*given, timeout=max(left, 1.0), **named)

        return held


def expect(actual: Page | Locator) -> Watched:
    return Watched(actual)
