"""The clock of a scene, in a Streamlit component of the second kind: the browser counts, and says when it is over."""

from __future__ import annotations

import functools
from typing import Any

import streamlit as st

from memorybank.ui.shell import course
from memorybank.ui.shell.tab import sent_by
from memorybank.views.drawing.beside import text_beside

_read = functools.partial(text_beside, __package__)

KEY = "story-clock"


def draw_clock(turn: int, seconds: float, sentence: str, *, is_playing: bool) -> None:
    """`turn`: the number of the scene's showing; the same one drawn again goes on."""
    data = {"turn": turn, "seconds": seconds, "playing": is_playing, "sentence": sentence}
    _component()(key=KEY, data=data, on_over_change=_take, height=3)


def _take() -> None:
    turn = sent_by(KEY, "over").get("turn")
    if isinstance(turn, int):
        course.scene_over(turn)


@functools.cache
def _component() -> Any:
    """Registered once a process, at the first drawing."""
    return st.components.v2.component(
        "memorybank_story_clock",
        html='<div><i></i></div>\n<p role="status"></p>',
        css=_read("clock.css"),
        js=_read("clock.js"),
    )
