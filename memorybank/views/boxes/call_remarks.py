"""What is remarkable about a call, in words: what was repaired, checked or lost on its way."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.memory.types import Lang
from memorybank.views.box import Box, box, label
from memorybank.views.boxes.cut import cut_note
from memorybank.views.calls.call_notes import CallNote, call_note
from memorybank.views.i18n import t

MOST_NOTES = 20


def notes_box(notes: Sequence[str], lang: Lang) -> Box | None:
    """What was noted, by what it is; None without a note."""
    read = [call_note(text) for text in notes]
    if not read:
        return None
    lines = [note_line(note, lang) for note in read[:MOST_NOTES]]
    return box(
        "div",
        "gap",
        label(t("prompt.call.notes", lang)),
        box("ul", "notes", *lines),
        cut_note(MOST_NOTES, len(read), lang),
    )


def note_line(note: CallNote, lang: Lang) -> Box:
    tag = box("span", f"tag {note.kind}", t(f"call_note.kind.{note.kind}", lang)) if note.kind != "plain" else None
    return box("li", "text", note_words(note, lang), tag)


def note_words(note: CallNote, lang: Lang) -> str:
    return t(f"call_note.{note.key}", lang, **note.values) if note.key else note.text
