"""The runs that are saved here: which of them a browser is told of, how their results are called, and opening one."""

from __future__ import annotations

import ipaddress

import streamlit as st

from memorybank.hosting.saved import StoredRun, StoredRuns
from memorybank.settings.hosts import is_loopback
from memorybank.ui.shell import state
from memorybank.ui.shell.kept import problems_kept

RESULTS = ("complete", "filed", "complete_with_failures", "filed_with_failures", "out_of_rounds")
"""The results there are; a journal of another hand may name others."""

_FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-Ip")


def stored_runs() -> StoredRuns:
    """The runs of this app; a journal is read again only when it has changed."""
    return _stored(str(state.runs().root))


@st.cache_resource(show_spinner=False)
def _stored(root: str) -> StoredRuns:
    return StoredRuns(state.runs().root)


def runs_to_tell() -> list[StoredRun]:
    """Of this machine where only this machine is served, else of this browser: nobody is told another's runs."""
    runs = stored_runs().newest_first()
    return runs if is_served_here() else [run for run in runs if run.address in state.known_runs()]


def is_served_here() -> bool:
    """Whether this server talks to this machine alone, and the browser is on it."""
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


def open_stored(address: str) -> None:
    """For callbacks: show a saved run, to read it."""
    with problems_kept():
        state.keep(state.look_up(address))
