"""What a tab has worked out of a run's records at a moment, kept until the moment changes.

A page is drawn again at every click; what it shows changes only with the records.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from memorybank.ui.commits import Records

T = TypeVar("T")


def remembered(run_id: str, records: Records, at: int, build: Callable[[Records], T]) -> T:
    """`build(records[:at])`, one value a builder and tab.

    The last record is part of the key: a writer that takes a run over may have written another one in its place.
    """
    last: Any = records[at - 1] if at else None
    key, name = (run_id, at, last.at if last is not None else 0.0), f"memo-{build.__module__}.{build.__qualname__}"
    known = st.session_state.get(name)
    if known is None or known[0] != key:
        known = (key, build(records[:at]))
        st.session_state[name] = known
    found: T = known[1]
    return found


def kept(name: tuple[Any, ...], build: Callable[[], T]) -> T:
    """One value, the last that was asked for under the first part of its name, while the rest of it stays the same."""
    key = f"memo-{name[0]}"
    known = st.session_state.get(key)
    if known is None or known[0] != name:
        known = (name, build())
        st.session_state[key] = known
    found: T = known[1]
    return found
