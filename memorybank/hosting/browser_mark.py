"""The mark of a browser, which the server gives each, and which no page, no script and no address can carry.

It is a cookie of the session, which scripts cannot read and pages of other sites cannot send. It is given with the
page; but one that another site has led to comes without the cookie that the browser may hold, and would be given a
second one. So what the page fetches from its own server before it connects brings the mark, too, where there is none by
then.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from memorybank.settings.hosts import Application, ASGIMessage, Receive, Scope, Send, header_values

COOKIE = "memorybank-browser"
FETCHED = "/_stcore/host-config"
"""The end of the address that Streamlit's page fetches before it connects."""


class Visitor(NamedTuple):
    """A tab that looks at a run, and its browser."""

    tab: str
    browser: str = ""
    """Mark of the browser; empty for one that keeps no cookies, so that none of its tabs is told from a stranger's."""


class BrowserMark:
    """A layer before an ASGI application that gives a browser its mark where it has none."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _brings_mark(scope) or _is_marked(scope):
            await self._app(scope, receive, send)
            return

        async def giving(message: ASGIMessage) -> None:
            if message["type"] == "http.response.start":
                secure = "; Secure" if scope.get("scheme") == "https" else ""
                mark = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Strict{secure}"
                message["headers"] = [*message.get("headers", ()), (b"set-cookie", mark.encode())]
            await send(message)

        await self._app(scope, receive, giving)


def _brings_mark(scope: Scope) -> bool:
    if scope["path"].endswith(FETCHED):
        return True
    is_page = header_values(scope, b"sec-fetch-dest") == ["document"]
    return is_page and header_values(scope, b"sec-fetch-site") in (["none"], ["same-origin"])


def _is_marked(scope: Scope) -> bool:
    """Read without a parser: another server of this machine may have left a cookie that one would stop at."""
    kept = (part.strip().partition("=") for part in "; ".join(header_values(scope, b"cookie")).split(";"))
    return any(name == COOKIE and value for name, _, value in kept)
