"""robots.txt (RFC 9309), as `protego` reads it, asked before each page and kept by site, from process to process.

The agent chooses what to visit by itself, in a loop, so it is a robot in the sense of the RFC even though a person
started it: what a site forbids to `agentic-memory-bank` is not visited, and the observation says so. A missing file
(4xx) allows everything, an unreachable one (5xx, no answer) forbids everything for a while. Crawl-delay is no part of
the RFC and not honoured: single pages are read, sites are not crawled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from memorybank.errors import InputError, Notice, ToolError
from memorybank.tools.web.exchange import USER_AGENT, HttpResponse, TransferError, within
from memorybank.tools.web.urls import Target

MOST_BYTES: Final = 512_000
"""That are read of the file; the rest is left (RFC 9309 asks for 500 KiB)."""
SECONDS: Final = 8.0
_KEPT: Final = 3_600.0
_KEPT_UNREACHABLE: Final = 120.0

Get = Callable[[Target, Callable[[Target, HttpResponse], str]], str]
"""GET with redirects: (target, what to make of the last answer)."""


class Robots:
    """What sites allow."""

    def __init__(self, get: Get, sites: Mapping[str, Any] | None = None) -> None:
        self._get = get
        self.sites: dict[str, Any] = dict(sites or {})
        """By origin, as JSON values: until when it holds (seconds since the epoch), and the file's text, or why it
        cannot be reached, so that nothing may be visited."""

    def check(self, target: Target) -> None:
        """Raise ToolError when the site does not want this page to be visited."""
        from protego import Protego

        known = self.sites.get(target.origin)
        if known is None or known["until"] < time.time():
            known = self.sites[target.origin] = self._ask(target)
        if "why" in known:
            raise ToolError("web.robots_unreachable", reason=Notice.restored(known["why"]))
        if not Protego.parse(known["text"]).can_fetch(target.url, USER_AGENT):
            raise ToolError("web.robots_forbid")

    def _ask(self, target: Target) -> dict[str, Any]:
        try:
            with within(SECONDS):
                text = self._get(replace(target, path="/robots.txt"), _read)
        except (TransferError, InputError) as error:  # InputError: it leads to where nothing is visited
            return {"until": time.time() + _KEPT_UNREACHABLE, "why": error.notice.stored()}
        return {"until": time.time() + _KEPT, "text": text}


def _read(_: Target, answer: HttpResponse) -> str:
    """The rules as text, empty where there are none. Raises TransferError where the site cannot say."""
    if 200 <= answer.status < 300:
        return answer.body(MOST_BYTES, cut=True).decode("utf-8", "replace").removeprefix("\ufeff")
    if answer.status >= 500:
        raise TransferError("web.robots_answers", status=answer.status_line)
    return ""
