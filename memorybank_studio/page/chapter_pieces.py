"""The pieces of a chapter: each with its marks in the text, and what can be changed in it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import Box, aside, box, chip, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.problems import as_sentence
from memorybank_studio.chapters.manuscript import Manuscript, Piece, PieceMark
from memorybank_studio.chapters.marks import OUTCOME, REPEATS
from memorybank_studio.counting import words_in
from memorybank_studio.page import desk
from memorybank_studio.page.chapter_revision import draw_change, draw_offered
from memorybank_studio.page.draft_marks import marked_text
from memorybank_studio.page.shelf import OpenStudio


def draw_pieces(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    for piece in chapter.pieces:
        with st.container(border=True, key=f"chapter-piece-{piece.number}"):
            _draw_piece(held, chapter, piece, lang)
    chapters = held.studio.gateway.chapters
    unread = any(piece.marks is None or piece.check_failure is not None for piece in chapter.pieces)
    if unread and chapters.can_write and not desk.is_writing(held):
        check = lambda stopped: chapters.check(chapter.id, stopped=stopped)  # noqa: E731
        words = t("chapter.check", lang)
        button(words, "chapter-check", partial(desk.write_chapter, held, chapter.id, check), icon="fact_check")


def _draw_piece(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    draw(_head(held, chapter, piece, lang), key=f"chapter-piece-head-{piece.number}")
    marks = piece.marks or ()
    shown = [mark for mark in marks if mark.end]
    draw(
        box("div", "raw wr-draft", *marked_text(piece.text, shown, 0, len(piece.text))),
        key=f"chapter-piece-text-{piece.number}",
    )
    if piece.check_failure is not None:
        why = as_sentence(piece.check_failure.in_language(lang))
        words = t("chapter.check_failed", lang, why=why)
        draw(box("p", "notice disputed text", words), key=f"chapter-piece-failure-{piece.number}")
    if marks:
        numbers = {id(mark): number for number, mark in enumerate(shown, start=1)}
        listed = [_mark(piece, mark, numbers.get(id(mark)), lang) for mark in marks]
        draw(stack_of(*listed), key=f"chapter-piece-marks-{piece.number}")
    if chapter.revision is not None and chapter.revision.passage.piece == piece.number:
        draw_offered(held, chapter, chapter.revision, lang)
    elif not desk.is_writing(held):
        draw_change(held, chapter, piece, lang)


def _head(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> Box:
    beat = chapter.beat(piece.number)
    words = t(f"chapter.words_{held.card.lang}", lang, count=words_in(piece.text))
    return row_of(
        box("span", "strong", str(piece.number)),
        box("span", "text strong", beat.title) if beat is not None else None,
        aside(words),
        aside(piece.made_by or t("chapter.by_hand", lang)),
        chip(t("chapter.older", lang, number=piece.older_than), "disputed") if piece.older_than is not None else None,
        aside(t("chapter.unchecked", lang)) if piece.marks is None else None,
        chip(t("chapter.marks", lang, count=len(piece.marks)), "conflict") if piece.marks else None,
    )


def _mark(piece: Piece, mark: PieceMark, number: int | None, lang: Lang) -> Box:
    """What to look at, and the fact, the earlier words or the outcome that it stands against."""
    if mark.kind == OUTCOME:
        reason = t("chapter.mark_outcome_why", lang)
    elif mark.kind == REPEATS:
        reason = t("chapter.mark_repeats_why", lang, number=mark.piece)
    else:
        reason = mark.reason
    kind = f"chapter.mark_{mark.kind}" if mark.kind in (OUTCOME, REPEATS) else f"studio.finding.{mark.kind}"
    return box(
        "div",
        "card conflict",
        row_of(box("span", "strong", str(number)) if number else None, chip(t(kind, lang), "conflict")),
        box("p", "text wr-quote", piece.text[mark.start : mark.end].strip()) if mark.end else None,
        box("p", "text gap", reason),
        box("p", "wr-against small text", mark.against) if mark.against else None,
    )
