"""The keyboard, presentation mode and what the browser remembers: one small component that draws three buttons.

The code travels once a session in a component without data; `shell.js` listens on the document, presses the page's own
buttons, shows the list of shortcuts, and lays the page out for presenting. It reaches no network.
"""

from __future__ import annotations

import functools
import json
from typing import Any, NamedTuple

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.keyboard.shortcuts import GROUPS, listed
from memorybank.ui.shell import links, state
from memorybank.ui.shell.sending import wrap_for_component
from memorybank.ui.shell.tab import sent_by, this_tab
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.channel import is_drawing_script
from memorybank.views.i18n import LANGUAGES, catalogue, t
from memorybank.views.link import PAGES

_read = functools.partial(text_beside, __package__)

KEY = "shell"
_CODE = (
    "controls.js",
    "dialog.js",
    "actions.js",
    "pages.js",
    "keys.js",
    "focusing.js",
    "presenting.js",
    "memory.js",
    "streamlit_words.js",
)
_WORDS = ("help", "close", "present", "exit", "theme", "then", "not_now", "intro", "actions", "find", "of", "dark")


def draw_keyboard(lang: Lang) -> None:
    """The buttons for help, presentation and theme. Once a page, in the header."""
    components = _components()
    with st.container(gap=None):
        components.loader(key="shell-loader", height=1)
        components.shell(
            key=KEY,
            data=wrap_for_component(
                {
                    "lang": lang,
                    "page": this_tab().page or "session",
                    "pages": [(name, "" if name == "session" else name) for name in PAGES],
                    "shortcuts": listed(lang),
                    "words": {name: t(f"shell.tool.{name}", lang) for name in _WORDS},
                    "groups": {name: t(f"shell.group.{name}", lang) for name in GROUPS},
                    "presenting": state.presenting(),
                    "remember": state.for_the_browser(),
                }
            ),
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
    match action.get("what"):
        case "present":
            state.present(True)
        case "leave":
            state.present(False)
        case "page" if action.get("name") in PAGES:
            links.open_page(action["name"])


class _Components(NamedTuple):
    loader: Any
    shell: Any


@functools.cache
def _components() -> _Components:
    """Registered once a process, at the first drawing."""
    code = "\n".join((is_drawing_script(), *map(_read, _CODE)))
    styles = {"PAGE": _read("presenting.css"), "OVER": _read("over.css"), "TOOLS": _read("tools.css")}
    loader = _read("loader.js").replace("/* CODE */", code).replace("/* STYLES */", json.dumps(styles))
    loader = loader.replace("/* ICON */", json.dumps(_read("icon.svg")))
    loader = loader.replace("/* WORDS */", json.dumps(streamlit_words(), ensure_ascii=False))
    return _Components(
        loader=st.components.v2.component("memorybank_shell_loader", js=loader),
        shell=st.components.v2.component("memorybank_shell", html='<div class="tools"></div>', js=_read("shell.js")),
    )


def streamlit_words() -> dict[Lang, list[tuple[str, str]]]:
    """What Streamlit writes and what the app shows in its place, in each language but Streamlit's own."""
    theirs = {key: words for key, words in catalogue("en").items() if key.startswith("streamlit.")}
    return {
        lang: [(words, catalogue(lang)[key]) for key, words in theirs.items()] for lang in LANGUAGES if lang != "en"
    }
