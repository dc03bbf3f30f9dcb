"""An entry of the bible from words that are selected in a text: its name is taken from them, its source is the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button, draw_switch
from memorybank.ui.shell.tab import sent_by
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank_studio.page.autosave import component
from memorybank_studio.page.entries import draw_form
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.settlement.edits import blank
from memorybank_studio.types import BEARERS, BY_HAND, EntityKind, Origin, digest
from memorybank_studio.writes import ProposalKind

_KEY: Final = "studio-select"
_SETTING: Final = "setting"
_KINDS: Final = (*BEARERS, EntityKind.HOOK, _SETTING)
_NAMED: Final = ("name", "aliases", "note")
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    EntityKind.HOOK: ("name", "chapter", "note"),
    EntityKind.ABILITY: (*_NAMED, "ranks"),
    _SETTING: (),
}
"""The fields of a form that are not those of any name; none: all of its kind."""
_LONGEST_NAME: Final = 60
"""Characters; what is longer says something of what the author names."""


def draw_selecting(
    held: OpenStudio, places: Sequence[str], chapter_of: Callable[[str], int | None], lang: Lang
) -> None:
    """Draw the form for what was selected last, and what listens to selections in these containers and text fields.
    `chapter_of`: the chapter in which a line stands."""
    selected = studio_tab().desk.selected
    if selected is not None:
        _draw_form(held, *selected, lang)
    data = {
        "places": list(places),
        "words": t("studio.select", lang, text="{text}"),
        "shown": "studio-selected" if selected else "",
    }
    listening = component("select", '<button type="button" hidden></button>', "select.css")
    listening(key=_KEY, data={"wrapped": (data,)}, height=1, on_chosen_change=partial(_take, chapter_of))


def _take(chapter_of: Callable[[str], int | None]) -> None:
    """Take what the browser says is selected: text from outside, of which nothing is used but the words."""
    text, line = (sent_by(_KEY, "chosen").get(name) for name in ("text", "line"))
    if isinstance(text, str) and isinstance(line, str) and text.strip():
        pieces = (line[piece.start : piece.end].strip() for piece in sentences(line))
        quote = next((piece for piece in pieces if text in piece), text.strip())
        studio_tab().desk.selected = text.strip(), Origin(task=BY_HAND, chapter=chapter_of(line), source=quote)


def _draw_form(held: OpenStudio, text: str, origin: Origin, lang: Lang) -> None:
    with st.container(border=True, key="studio-selected"):
        draw(box("p", "text wr-quote", origin.source), key="studio-selected-quote")
        words = lambda kind: t("studio.row_setting" if kind == _SETTING else f"studio.kind.{kind}", lang)  # noqa: E731
        chosen = draw_switch(t("studio.row_kind", lang), _KINDS, words, key="studio-selected-kind")
        name, said = (text, "") if len(text) <= _LONGEST_NAME else ("", text)
        kind: ProposalKind = "setting" if chosen == _SETTING else "entity"
        values = {"name": name, "key": name, "kind": chosen, "note": said, "text": said or origin.source}
        if chosen == EntityKind.HOOK:
            values["chapter"] = str(origin.chapter or "")
        form = f"selected-{digest(text, origin.source, chosen)}"
        draw_form(held, kind, {**blank(kind), **values}, form, lang, None, _FIELDS.get(chosen, _NAMED), origin)
        leave = partial(setattr, studio_tab().desk, "selected", None)
        button(t("studio.row_close", lang), "studio-selected-leave", leave, icon="close", look="tertiary")
