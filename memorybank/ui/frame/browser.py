"""What the browser does for every page: presentation, the focus, light and dark, Streamlit's words, what is remembered.

The code travels once a session in a component without data; `mounted.js` tells it of each drawing. It reaches no
network.
"""

from __future__ import annotations

import functools
import json
from typing import Any, NamedTuple

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.shell import course, links, state
from memorybank.ui.shell.sending import wrap_for_component
from memorybank.ui.shell.tab import sent_by, this_tab
from memorybank.views.drawing.beside import text_beside
from memorybank.views.i18n import LANGUAGES, catalogue, t
from memorybank.views.link import PAGES

_read = functools.partial(text_beside, __package__)

KEY = "shell"


def draw_frame(lang: Lang) -> None:
    """The button for light and dark, and with it all that the browser does for the page. Once a page, in the header."""
    components = _components()
    with st.container(gap=None, width="content"):
        components.loader(key="shell-loader", height=1)
        components.shell(
            key=KEY,
            data=wrap_for_component(
                {
                    "lang": lang,
                    "page": this_tab().page or "session",
                    "pages": [(name, "" if name == "session" else name) for name in PAGES],
                    "theme": t("shell.tool.theme", lang),
                    "staged": course.is_staged(),
                    "remember": state.for_the_browser(),
                }
            ),
            width="content",
            height="content",
            on_asked_change=_take,
        )


def _take() -> None:
    """What the browser asks of Python; the rest it does itself. `again` asks for nothing but the page."""
    action = sent_by(KEY, "asked")
    # On another page the component is another widget, and brings its last word along as news.
    count = action.get("count")
    if not isinstance(count, int) or count == this_tab().browser.heard.get(KEY):
        return
    this_tab().browser.heard[KEY] = count
    if action.get("what") == "page" and action.get("name") in PAGES:
        links.open_page(action["name"])


class _Components(NamedTuple):
    loader: Any
    shell: Any


@functools.cache
def _components() -> _Components:
    """Registered once a process, at the first drawing."""
    parts = ("pages.js", "focusing.js", "memory.js", "streamlit_words.js")
    loader = _read("loader.js").replace("/* CODE */", "\n".join(map(_read, ("is_drawing.js", *parts))))
    loader = loader.replace("/* STYLE */", json.dumps(_read("frame.css")))
    loader = loader.replace("/* ICON */", json.dumps(_read("icon.svg")))
    loader = loader.replace("/* WORDS */", json.dumps(streamlit_words(), ensure_ascii=False))
    return _Components(
        loader=st.components.v2.component("memorybank_shell_loader", js=loader),
        shell=st.components.v2.component(
            "memorybank_shell", html=_read("theme.html"), css=_read("theme.css"), js=_read("mounted.js")
        ),
    )


def streamlit_words() -> dict[Lang, list[tuple[str, str]]]:
    """What Streamlit writes and what the app shows in its place, in each language but Streamlit's own."""
    theirs = {key: words for key, words in catalogue("en").items() if key.startswith("streamlit.")}
    return {
        lang: [(words, catalogue(lang)[key]) for key, words in theirs.items()] for lang in LANGUAGES if lang != "en"
    }
