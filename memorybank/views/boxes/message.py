"""A message of a prompt: whose it is, and its text as it was written."""

from __future__ import annotations

from memorybank.memory.types import Lang
from memorybank.views.box import Box, box, label
from memorybank.views.boxes.cut import cut_note
from memorybank.views.i18n import t

MOST_TEXT = 60_000
"""Characters of one message, or of a tool's result."""


def message_box(role: str, text: str, lang: Lang, *, most: int = MOST_TEXT) -> Box:
    name = t(f"prompt.call.role.{role}", lang) if role in ("system", "user", "assistant", "tool") else role
    return box(
        "div",
        "message",
        label(name),
        box("pre", "raw", text[:most]),
        cut_note(most, len(text), lang, "characters"),
    )
