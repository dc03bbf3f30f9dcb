"""The speaker's window: a second window that shows the sentence, the notes, what comes next, the place and the time.

The browser opens it and tells it what is shown here, over a channel of the two windows; the keys and buttons pressed
there press what stands on this page. The server has no part in that but the words.
"""

from __future__ import annotations

import functools
import json
from typing import Any

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.shell.sending import wrap_for_component
from memorybank.views.drawing.beside import text_beside
from memorybank.views.i18n import t

_read = functools.partial(text_beside, __package__)

KEY = "story-speaker"
_WORDS = (
    "open", "title", "now", "notes", "next", "restart", "back", "forward", "pause", "play", "black", "dark", "none",
    "blocked",
)  # fmt: skip


def draw_speaker(lang: Lang, *, place: str, sentence: str, notes: str, following: str, is_playing: bool) -> None:
    """The button that opens it; the rest is what it shows. `following`: the next sentence, if there is one."""
    story = {"place": place, "sentence": sentence, "notes": notes, "next": following, "playing": is_playing}
    words = {name: t(f"story.speaker.{name}", lang) for name in _WORDS}
    _component()(
        key=KEY,
        data=wrap_for_component({"story": story, "words": words, "lang": lang}),
        width="content",
        height="content",
    )


@functools.cache
def _component() -> Any:
    """Registered once a process, at the first drawing."""
    page = json.dumps(_read("speaker_page.html"))
    return st.components.v2.component(
        "memorybank_story_speaker",
        html='<button type="button"></button>\n',
        css=_read("speaker.css"),
        js=_read("speaker.js").replace("/* PAGE */", page),
    )
