"""What is remarkable about a call, in words: why it is marked, and what was repaired, checked or lost on its way."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.memory.types import Lang
from memorybank.views.box import Box, box, label
from memorybank.views.boxes.cut import cut_note
from memorybank.views.boxes.leads import go
from memorybank.views.calls.call_marks import CallMark
from memorybank.views.calls.call_notes import CallNote, call_note
from memorybank.views.i18n import t
from memorybank.views.link import link

MOST_NOTES = 20


def mark_tags(marks: Sequence[CallMark], lang: Lang) -> list[Box]:
    """Short, for a table; the call itself says why."""
    return [box("span", "tag marked", t(f"call_mark.{mark.reason}", lang), title=_why(mark, lang)) for mark in marks]


def mark_lines(marks: Sequence[CallMark], lang: Lang) -> Box | None:
    """Why each mark stands there; None without a mark."""
    return box("ul", "notes marks", *(_line(mark, lang) for mark in marks)) if marks else None


def _line(mark: CallMark, lang: Lang) -> Box:
    earlier = go(t("call_mark.earlier", lang), link("call", mark.earlier)) if mark.earlier else None
    words = t("call_mark.line", lang, mark=t(f"call_mark.{mark.reason}", lang), why=_why(mark, lang))
    return box("li", "text", words, " " if earlier else None, earlier)


def _why(mark: CallMark, lang: Lang) -> str:
    return t(f"call_mark.{mark.reason}.why", lang, count=mark.count, total=mark.total)


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
