"""An entry of the bible from words that are selected in a text: its name is taken from them, its source is the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import sent_by
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank_studio.drafts import Unread
from memorybank_studio.page.autosave import component
from memorybank_studio.page.entries import draw_form
from memorybank_studio.page.settling_forms import draw_kinds
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.settlement.edits import FIELDS, prefilled
from memorybank_studio.types import BY_HAND, Origin, digest

_KEY: Final = "studio-select"
_LONGEST_NAME: Final = 60
"""Characters; what is longer says something of what the author names."""


def draw_selecting(
    held: OpenStudio, places: Sequence[str], chapter_of: Callable[[str], int | None], lang: Lang
) -> None:
    """Draw the form for what was selected last, and what listens to selections in these containers and text fields.
    `chapter_of`: the chapter in which a line stands."""
    if (selected := studio_tab().desk.selected) is not None:
        with st.container(border=True, key="studio-selected"):
            _draw_form(held, *selected, lang)
    data = {"places": list(places), "words": t("studio.select", lang, text="{text}"), "opened": selected is not None}
    listening = component("select", '<button type="button" hidden></button>', "select.css")
    listening(key=_KEY, data={"wrapped": (data,)}, height=1, on_chosen_change=partial(_take, chapter_of))


def _take(chapter_of: Callable[[str], int | None]) -> None:
    """Take what the browser says is selected: text from outside, of which nothing is used but the words."""
    text, line = (sent_by(_KEY, "chosen").get(name) for name in ("text", "line"))
    if isinstance(text, str) and isinstance(line, str) and (text := text.strip()):
        pieces = (line[piece.start : piece.end].strip() for piece in sentences(line))
        quote = next((piece for piece in pieces if text in piece), text)
        studio_tab().desk.selected = text, Origin(task=BY_HAND, chapter=chapter_of(line), source=quote)


def _draw_form(held: OpenStudio, text: str, origin: Origin, lang: Lang) -> None:
    draw(box("p", "text wr-quote", origin.source), key="studio-selected-quote")
    kind = draw_kinds("studio-selected-kind", lang, ("entity", "setting", "fact", "plan"))
    is_name = len(text) <= _LONGEST_NAME
    told = Unread(turn=0, line=origin.source, why="", names=(text,) if is_name else (), chapter=origin.chapter)
    values = prefilled(kind, told)
    if kind == "entity":  # a hook is open from its chapter on
        own = {"name": text, "note": ""} if is_name else {}
        values |= {**own, "chapter": "" if origin.chapter is None else str(origin.chapter)}
    name = f"selected-{digest(text, origin.source, kind)}"
    draw_form(held, kind, values, name, lang, None, FIELDS[kind], origin)
    leave = partial(setattr, studio_tab().desk, "selected", None)
    button(t("studio.row_close", lang), "studio-selected-leave", leave, icon="close", look="tertiary")
