"""Which browser asks: a mark that the server gives each, and that no page, no script and no address can carry.

A cookie of the session, which scripts cannot read and pages of other sites cannot send. It is given with one answer
alone, which Streamlit's page fetches from its own server before it connects: a page that another site has led to comes
without the cookie that the browser holds, and would be given a second one.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple

from memorybank.settings.hosts import Application, ASGIMessage, Receive, Scope, Send

COOKIE = "memorybank-browser"
GIVEN_WITH = "/_stcore/host-config"
"""The end of the address whose answer brings the mark."""


class Visitor(NamedTuple):
    """Who looks at a run."""

    tab: str
    browser: str = ""
    """Its mark; empty for one that keeps no cookies, so that none of its tabs is told from a stranger's."""


class BrowserMark:
    """Stands before an ASGI application and gives a browser its mark where it has none."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(GIVEN_WITH) or _is_marked(scope):
            await self._app(scope, receive, send)
            return

        async def giving(message: ASGIMessage) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"set-cookie", _new_mark(scope).encode())]
            await send(message)

        await self._app(scope, receive, giving)


def _is_marked(scope: Scope) -> bool:
    kept = "; ".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie")
    try:
        return bool(SimpleCookie(kept).get(COOKIE))
    except CookieError:
        return False


def _new_mark(scope: Scope) -> str:
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    return f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Strict{secure}"
