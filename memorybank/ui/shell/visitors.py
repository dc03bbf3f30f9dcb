"""Whether those who visit this server can only be on this machine."""

from __future__ import annotations

import ipaddress

import streamlit as st

from memorybank.settings.hosts import is_loopback

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
