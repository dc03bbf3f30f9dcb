"""Problems of callbacks, which cannot draw: they are kept until the page is drawn (problems.py)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from memorybank.errors import MemoryBankError


@contextmanager
def problems_kept() -> Iterator[None]:
    """For callbacks, which cannot draw: what goes wrong inside is kept, and shown above the page that follows."""
    try:
        yield
    except (MemoryBankError, OSError) as error:
        st.session_state["problem"] = error
