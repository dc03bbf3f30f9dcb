"""robots.txt (RFC 9309), as `protego` reads it, asked before each page and remembered by site.

The agent chooses what to visit by itself, in a loop, so it is a robot in the sense of the RFC even though a person
started it: what a site forbids to `agentic-memory-bank` is not visited, and the observation says so. A missing file
(4xx) allows everything, an unreachable one (5xx, no answer) forbids everything for a while. Crawl-delay is no part of
the RFC and not honoured: single pages are read, sites are not crawled.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memorybank.errors import InputError, Notice, ToolError
from memorybank.tools.web.exchange import USER_AGENT, HttpResponse
from memorybank.tools.web.pace import Pace, TransferError
from memorybank.tools.web.urls import Target

if TYPE_CHECKING:
    from protego import Protego

MOST_BYTES: Final = 512_000
"""That are read of the file; the rest is left (RFC 9309 asks for 500 KiB)."""
SECONDS: Final = 8.0
_KEPT: Final = 3_600.0
_KEPT_UNREACHABLE: Final = 120.0
_SITES: Final = 256


@dataclass(frozen=True, slots=True)
class _Known:
    until: float
    rules: Protego | None
    """None: the file cannot be reached, so nothing may be visited."""
    why: Notice | None = None


Get = Callable[[Target, Pace, Callable[[Target, HttpResponse], str]], str]
"""GET with redirects: (target, pace, what to make of the last answer)."""


class Robots:
    """What sites allow; one for all threads. Two of them may ask for the same file at once, which does no harm."""

    def __init__(self, get: Get) -> None:
        self._get = get
        self._lock = threading.Lock()
        self._sites: OrderedDict[str, _Known] = OrderedDict()

    def check(self, target: Target, pace: Pace) -> None:
        """Raise ToolError when the site does not want this page to be visited."""
        known = self._known(target.origin)
        if known is None:
            known = self._ask(target, pace.within(SECONDS, MOST_BYTES * 2))
            self._remember(target.origin, known)
        if known.rules is None:
            raise ToolError("web.robots_unreachable", reason=known.why)
        if not known.rules.can_fetch(target.url, USER_AGENT):
            raise ToolError("web.robots_forbid")

    def _ask(self, target: Target, pace: Pace) -> _Known:
        from protego import Protego

        try:
            text = self._get(replace(target, path="/robots.txt"), pace, _read)
        except (TransferError, InputError) as error:  # InputError: it leads to where nothing is visited
            return _Known(time.monotonic() + _KEPT_UNREACHABLE, None, error.notice)
        return _Known(time.monotonic() + _KEPT, Protego.parse(text))

    def _known(self, origin: str) -> _Known | None:
        with self._lock:
            known = self._sites.get(origin)
        return known if known is not None and known.until > time.monotonic() else None

    def _remember(self, origin: str, known: _Known) -> None:
        with self._lock:
            self._sites[origin] = known
            self._sites.move_to_end(origin)
            if len(self._sites) > _SITES:
                self._sites.popitem(last=False)


def _read(_: Target, answer: HttpResponse) -> str:
    """The rules as text, empty where there are none. Raises TransferError where the site cannot say."""
    if 200 <= answer.status < 300:
        return answer.body(MOST_BYTES, cut=True).decode("utf-8", "replace").removeprefix("\ufeff")
    if answer.status >= 500:
        raise TransferError("web.robots_answers", status=answer.status_line)
    return ""
