"""Under which host names the app answers (settings/hosts.py), what it says under any other, and who asks."""

from __future__ import annotations

import ipaddress
import sys
from pathlib import Path
from typing import get_args

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit.file_util import get_static_dir

from memorybank.errors import InputError
from memorybank.hosting.browser_mark import BrowserMark
from memorybank.settings import env
from memorybank.settings.hosts import HostGuard, is_loopback, read_names
from memorybank.views.i18n import preferred_lang, t
from memorybank.views.link import PageName

ADDRESSES = ("server.address", "browser.serverAddress")
"""Streamlit's own settings that name the host at which the app is served."""
ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - no name of a host: each connection tells at which address it came in


_guards: list[Middleware] = []
"""The guards of this process: there is one once app.py has been read."""


def guard() -> Middleware:
    """Return the guard that answers before all of the app."""
    _guards.append(Middleware(HostGuard, names=own_hosts(), sentence=sentence))
    return _guards[-1]


def browser_mark() -> Middleware:
    """Return what tells one browser from another (hosting/browser_mark.py)."""
    return Middleware(BrowserMark)


_PLACE = "<script>window.__streamlit = { BACKEND_BASE_URL: new URL('.', location.href).href };</script>"


def page_routes() -> list[Route]:
    """Return the addresses of the pages: at each, Streamlit's page is told where its server is.

    It would look below the page's own address first, and the browser's console would tell of what is not there.
    """
    return [Route(f"/{name}", _page) for name in get_args(PageName)]


async def _page(_: Request) -> HTMLResponse:
    words = Path(get_static_dir(), "index.html").read_text("utf-8")
    return HTMLResponse(words.replace("<head>", f"<head>{_PLACE}", 1), headers={"Cache-Control": "no-cache"})


def stop_unguarded() -> None:
    """End the script when a browser asks for it and no guard stands before it: shell.py was served by itself."""
    headers = st.context.headers
    if headers and not _guards:
        st.error(t("shell.unguarded", preferred_lang(headers.get("Accept-Language", ""))))
        st.stop()


def own_hosts() -> frozenset[str]:
    """Return the hosts that the owner named, in ALLOWED_HOSTS or to serve at; what cannot be read names none."""
    served = {str(st.get_option(option) or "") for option in ADDRESSES}
    named = frozenset(host for address in served for host in _readable(address)) - ANY
    try:
        return named.union(env.load().settings.allowed_hosts)
    except InputError as error:  # the Settings page tells it, too
        print(f"memorybank: {error}", file=sys.stderr)  # noqa: T201 - into the server's log
        return named


def _readable(address: str) -> tuple[str, ...]:
    try:
        return read_names(address)
    except ValueError:
        return ()


def sentence(languages: str) -> str:
    """Return what is said under another name, in the language that the browser asks for."""
    return t("shell.foreign_host", preferred_lang(languages))


_FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-Ip")


def is_served_here() -> bool:
    """Say whether this server talks to this machine alone, and the browser is on it."""
    if not _is_loopback(str(st.get_option("server.address") or "")):
        return False
    if any(st.context.headers.get(name) for name in _FORWARDED):  # a proxy on this machine brings others' requests
        return False
    if not is_loopback(st.context.headers.get("Host") or "localhost"):  # a name that others may use, too
        return False
    return _is_loopback(st.context.ip_address or "localhost")


def _is_loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
