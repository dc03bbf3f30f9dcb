"""A call in words: what it is, who made it, where in the run it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from memorybank.memory.types import Lang
from memorybank.settings.llm import HAND, RECORDING
from memorybank.views.box import Box, box, cut_note, div, label
from memorybank.views.calls.call_view import CallRow
from memorybank.views.i18n import t
from memorybank.views.run.feed import role_words
from memorybank.views.text.display import clip

_ASKING = ("search", "visit")
"""Tools that ask a model to read for them."""


def made_by(row: CallRow, lang: Lang) -> str:
    """Return the name of what made a call: the offline engine, a model, or the tool."""
    if row.kind == "tool":
        return t("prompt.calls.tool", lang)
    if row.engine == "offline" and not row.model:
        return t("prompt.calls.offline", lang)
    if row.engine == "llm" and not row.model:
        return t("prompt.calls.rules", lang)
    return model_words(row.model or row.engine, lang)


def model_words(model: str, lang: Lang) -> str:
    """Return a language model by name; a person in its place, or answers that were recorded, as such."""
    if model.startswith(f"{RECORDING}:"):
        return t("session.origin.recorded", lang)
    return t("session.origin.by_hand", lang) if model == HAND else clip(model, 40)


def call_words(name: str, lang: Lang, *, kind: Literal["agent", "tool"] = "tool") -> str:
    """Return an agent's role in words, or a tool's name as it is declared. A tool may ask a model on its way."""
    words = role_words(name, lang)
    asks_model = kind == "agent" and name in _ASKING
    return t("prompt.role.within", lang, tool=words) if asks_model else words


def place_words(row: CallRow, lang: Lang) -> str:
    stage = t(f"stage.{row.stage}", lang) if row.stage else t("prompt.calls.no_stage", lang)
    return t("prompt.calls.place", lang, round=row.round, stage=stage) if row.round else stage


MOST_NOTES = 20


def notes_box(notes: Sequence[str], lang: Lang) -> Box | None:
    """Return the lines that were noted on the way to an answer, as the journal has them; None without one."""
    if not notes:
        return None
    lines = (box("li", "text", line) for line in notes[:MOST_NOTES])
    cut = cut_note(MOST_NOTES, len(notes), lang)
    return div("gap", label(t("prompt.call.notes", lang)), box("ul", "notes", *lines), cut)


MOST_TEXT = 60_000
"""The most characters of one message, or of a tool's result."""


def message_box(role: str, text: str, lang: Lang, *, most: int = MOST_TEXT) -> Box:
    name = t(f"prompt.call.role.{role}", lang) if role in ("system", "user", "assistant", "tool") else role
    return div("message", label(name), box("pre", "raw", text[:most]), cut_note(most, len(text), lang, "characters"))
