"""Autosave of a field, in a Streamlit component of the second kind: what was typed so far, and a line that says so.

Streamlit tells Python of a text when the field is left, of one in a form when that is sent. This tells at each pause.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.shell.tab import sent_by, this_tab, wrap_for_component
from memorybank.views.drawing.beside import text_beside
from memorybank.views.text.display import plain

_read = functools.partial(text_beside, __package__)


def draw(
    field: str,
    words: Mapping[str, str],
    lang: Lang,
    *,
    key: str,
    at: float | None,
    problem: str,
    on_typed: Callable[[str], None],
) -> None:
    """The line for the text field with the key `field`, after `take` has heard what was typed into it. `at`: when its
    text was saved; `problem`: why it was not."""
    data = {
        "field": field,
        "words": dict(words),
        "lang": lang,
        "at": at,
        "problem": plain(problem),
        "heard": this_tab().browser.heard.get(key, 0),
    }
    _component()(key=key, data=wrap_for_component(data), on_typed_change=functools.partial(take, key, on_typed))


def take(key: str, on_typed: Callable[[str], None]) -> None:
    """Hear what was typed, also in a run that another one cut short. A word that was heard before is an echo of the
    browser's, and says nothing."""
    said, heard = sent_by(key, "typed"), this_tab().browser.heard
    turn, text = said.get("turn"), said.get("text")
    if isinstance(turn, int) and isinstance(text, str) and turn > heard.get(key, 0):
        heard[key] = turn
        on_typed(text)


@functools.cache
def _component() -> Any:
    """Registered once a process, at the first drawing."""
    return st.components.v2.component(
        "memorybank_autosave",
        html='<p class="saved" role="status"></p>',
        css=_read("autosave.css"),
        js=_read("autosave.js"),
    )
