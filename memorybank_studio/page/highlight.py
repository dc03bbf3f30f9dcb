"""Names on record, marked in a text field while its author types."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

import streamlit as st

from memorybank.language.text import is_han
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.types import BEARERS


def draw_names(held: OpenStudio, field: str) -> None:
    """Mark in the text field with the key `field` who and what is on record. A single Han character stands in too many
    words."""
    names = [name for name in held.studio.stores.facts.names(BEARERS) if len(name) > 1 or not is_han(name)]
    data = {"wrapped": ({"field": field, "names": names},)}  # into a tuple Streamlit does not look
    _component()(key=f"{field}-names", data=data, height=1)


@functools.cache
def _component() -> Any:
    """Registered once a process, at the first drawing."""
    script = resources.files(__package__).joinpath("highlight.js").read_text("utf-8")
    return st.components.v2.component("memorybank_names", html="<span></span>\n", js=script)
