"""The pieces of a chapter: each with its marks in the text, and what can be changed in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

import streamlit as st

from memorybank.language.text import sha256
from memorybank.memory.types import Lang
from memorybank.runs.clock import now
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import problems_kept
from memorybank.views.box import Box, aside, box, chip, div, label, marked, note, row_of
from memorybank.views.box import Piece as Part
from memorybank.views.i18n import as_sentence, t
from memorybank.views.text.display import mark_difference, relative_time
from memorybank_studio.books.story import plain_text
from memorybank_studio.chapters.manuscript import (
    OUTCOME,
    ChapterId,
    Manuscript,
    Piece,
    PieceMark,
    Revision,
    intention,
    parted,
)
from memorybank_studio.counting import words_in
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_kept, draw_names, form_button, handing
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab, turn_to
from memorybank_studio.tasks.replies import Reply


def draw_pieces(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    for piece in chapter.pieces:
        with st.container(border=True, key=f"chapter-piece-{piece.number}"):
            _draw_piece(held, chapter, piece, lang)
    chapters = held.studio.gateway.chapters
    unread = any(piece.marks is None or piece.check_failure is not None for piece in chapter.pieces)
    if unread and chapters.can_write and not desk.is_writing(held):
        check = partial(desk.write_chapter, held, chapter.id, chapters.check)
        button(t("chapter.check", lang), "chapter-check", check, icon="fact_check")


def _draw_piece(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    open_, let = parted(piece, held.studio.gateway.by_hand.intended)
    draw(_head(held, chapter, piece, len(open_), lang), key=f"chapter-piece-head-{piece.number}")
    shown = [mark for mark in open_ if mark.end]
    draw(div("raw wr-draft", *marked_text(piece.text, shown)), key=f"chapter-piece-text-{piece.number}")
    if piece.check_failure is not None:
        why = as_sentence(piece.check_failure.in_language(lang))
        words = t("chapter.check_failed", lang, why=why)
        draw(box("p", "notice disputed text", words), key=f"chapter-piece-failure-{piece.number}")
    _draw_marks(held, piece, open_, let, lang)
    if chapter.revision is not None and chapter.revision.passage.piece == piece.number:
        draw_offered(held, chapter, chapter.revision, lang)
    elif not desk.is_writing(held):
        draw_change(held, chapter, piece, lang)


def _head(held: OpenStudio, chapter: Manuscript, piece: Piece, marks: int, lang: Lang) -> Box:
    beat = chapter.beat(piece.number)
    words = t(f"chapter.words_{held.card.lang}", lang, count=words_in(piece.text))
    return row_of(
        box("span", "strong", str(piece.number)),
        box("span", "text strong", beat.title) if beat is not None else None,
        aside(words),
        aside(piece.made_by or t("chapter.by_hand", lang)),
        chip(t("chapter.older", lang, number=piece.older_than), "disputed") if piece.older_than is not None else None,
        aside(t("chapter.unchecked", lang)) if piece.marks is None else None,
        chip(t("chapter.marks", lang, count=marks), "conflict") if marks else None,
    )


def marked_text(text: str, marks: Sequence[PieceMark]) -> tuple[Part, ...]:
    """Return the text; each sentence that a mark speaks of is marked, with the marks' numbers before it."""
    inside = [(number, mark) for number, mark in enumerate(marks, start=1) if mark.start < len(text)]
    edges = {0, len(text), *(min(edge, len(text)) for _, mark in inside for edge in (mark.start, mark.end))}
    return tuple(part for left, right in pairwise(sorted(edges)) for part in _parts(text, inside, left, right))


def _parts(text: str, inside: Sequence[tuple[int, PieceMark]], start: int, end: int) -> Iterator[Part]:
    over = [(number, mark) for number, mark in inside if mark.start <= start and end <= mark.end]
    if not over:
        yield text[start:end]
        return
    if any(mark.start == start for _, mark in over):
        yield box("span", "cite", ", ".join(str(number) for number, _ in over))
    yield box("mark", "conflict", text[start:end])


def _draw_marks(
    held: OpenStudio, piece: Piece, open_: Sequence[PieceMark], let: Sequence[PieceMark], lang: Lang
) -> None:
    """Draw the open marks; below them those that the author lets stand, each with a way back."""
    number, intend = 0, held.studio.gateway.by_hand.intend
    for place, mark in enumerate(open_):
        number += bool(mark.end)
        with st.container(gap="small"):
            key = f"{piece.number}-{place}"
            draw(_mark(piece, mark, number if mark.end else None, lang), key=f"chapter-mark-{key}")
            if mark.key:
                let_stand = problems_kept()(partial(intend, intention(piece, mark)))
                desk.told_button("chapter.let_stand", f"chapter-let-stand-{key}", let_stand, lang, icon="check")
    if not let:
        return
    with st.expander(t("chapter.let_stand_count", lang, count=len(let)), key=f"chapter-let-{piece.number}"):
        for place, mark in enumerate(let):
            key = f"{piece.number}-{place}"
            draw(_mark(piece, mark, None, lang), key=f"chapter-let-mark-{key}")
            back = problems_kept()(partial(intend, intention(piece, mark), stands=False))
            button(t("chapter.mark_again", lang), f"chapter-mark-again-{key}", back, icon="undo", look="tertiary")


def _mark(piece: Piece, mark: PieceMark, number: int | None, lang: Lang) -> Box:
    """Return a card with the words to look at, and the fact or the outcome that they stand against."""
    is_outcome = mark.kind == OUTCOME
    reason = t("chapter.mark_outcome_why", lang) if is_outcome else mark.reason
    kind = "chapter.mark_outcome" if is_outcome else f"studio.finding.{mark.kind}"
    return div(
        "card conflict",
        row_of(box("span", "strong", str(number)) if number else None, chip(t(kind, lang), "conflict")),
        box("p", "text wr-quote", piece.text[mark.start : mark.end].strip()) if mark.end else None,
        box("p", "text gap", reason),
        box("p", "wr-against small text", mark.against) if mark.against else None,
    )


BEGINNING: Final = 60
"""Characters of a paragraph in the list of them."""


def draw_offered(held: OpenStudio, chapter: Manuscript, revision: Revision, lang: Lang) -> None:
    """Draw the passage before and after, and the buttons for the author's word."""
    before, after = mark_difference(revision.passage.text, revision.text)
    draw(
        div(
            "card",
            box("p", "text strong", revision.passage.order),
            label(t("chapter.before", lang)),
            box("p", "text was", *marked(before)),
            label(t("chapter.after", lang)),
            box("p", "text", *marked(after)),
        ),
        key="chapter-offered",
    )
    with st.container(horizontal=True):
        for name, accepted, icon in (("accept", True, "check"), ("leave", False, "close")):
            decide = partial(
                desk.write_chapter, held, chapter.id, held.studio.gateway.chapters.decide, accepted=accepted
            )
            button(t(f"chapter.{name}", lang), f"chapter-{name}", decide, icon=icon)


def draw_change(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    def inside() -> None:
        if held.studio.gateway.chapters.can_write:
            _draw_revise(held, chapter, piece, lang)
        _draw_edit(held, chapter, piece, lang)

    desk.fold(t("chapter.change", lang), f"chapter-change-{piece.number}", inside, icon="edit")


def _draw_revise(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    """Draw a paragraph to begin with, cut down to the passage that is meant; then what to change in it."""
    version = _version(piece)
    paragraphs = [paragraph for paragraph in piece.text.split("\n") if paragraph.strip()]
    chosen = st.selectbox(
        t("chapter.paragraph", lang),
        range(len(paragraphs)),
        format_func=lambda place: f"{paragraphs[place][:BEGINNING]}…",
        key=f"chapter-paragraph-{version}",
    )
    form = f"chapter-revise-{version}-{chosen}"
    meant, ordered = begin(held, f"{form}-passage", paragraphs[chosen]), begin(held, f"{form}-order")
    with st.form(form, border=False):
        words = st.text_area(t("chapter.passage", lang), key=meant, height=120)
        order = st.text_input(t("chapter.order", lang), key=ordered, placeholder=t("chapter.order_like", lang))
        if form_button(form, t("chapter.revise", lang), icon=":material/auto_fix_high:"):
            filled = {meant: words or "", ordered: order or ""}
            revise = handing(held, filled, held.studio.gateway.chapters.revise)
            desk.write_chapter(held, chapter.id, revise, piece.number, *filled.values())
            st.rerun()
    draw_kept(held, (meant, ordered), lang, is_form=True)


def _draw_edit(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    version = _version(piece)
    field = f"chapter-edit-text-{chapter.id}-{version}"
    begin(held, field, piece.text)
    chapters = held.studio.gateway.chapters
    words = ("chapter.edit", "chapter.edit_keep", "save")
    _draw_text(held, chapter.id, field, words, lang, chapters.edit, piece.number)
    if piece.number == len(chapter.pieces):
        withdraw = problems_kept()(partial(chapters.withdraw, chapter.id))
        desk.told_button("chapter.withdraw", f"chapter-withdraw-{version}", withdraw, lang, icon="undo")


def _draw_text(
    held: OpenStudio,
    id_: ChapterId,
    field: str,
    words: tuple[str, str, str],
    lang: Lang,
    keep: Callable[..., Manuscript],
    *given: int,
) -> None:
    """Draw the author's own text, saved as it is typed. `words`: of the field and its button, and that one's icon.
    `keep`: takes the text into the chapter, after what is `given`."""
    label_, do, icon = words
    with st.form(f"{field}-form", border=False):
        text = st.text_area(t(label_, lang), key=field, height=320) or ""
        is_sent = form_button(f"{field}-form", t(do, lang), icon=f":material/{icon}:")
    draw_names(held, field)
    if is_sent:
        desk.write_chapter(held, id_, handing(held, {field: text}, keep), *given, text)
        st.rerun()
    draw_kept(held, [field], lang, is_form=True)


def _version(piece: Piece) -> str:
    """Names the widgets of a piece's text as it stands: another text, other widgets."""
    return f"{piece.number}-{sha256(piece.text)[:12]}"


def draw_end(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    if desk.is_writing(held):
        return
    _draw_by_hand(held, chapter, lang)
    if chapter.pieces:
        _draw_copy(held, chapter, lang)
        _draw_versions(held, chapter, lang)
        _draw_archive(held, chapter, lang)
    _draw_drop(held, chapter, lang)


def _draw_by_hand(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """Open at once where no model can write it."""
    number = len(chapter.pieces) + 1
    chapters = held.studio.gateway.chapters

    def inside() -> None:
        field = f"chapter-hand-text-{chapter.id}-{number}"
        begin(held, field)
        words = ("chapter.hand_text", "chapter.hand_keep", "add")
        _draw_text(held, chapter.id, field, words, lang, chapters.write_by_hand)

    is_open = not chapters.can_write and not chapter.is_written and not chapter.archived
    desk.fold(t("chapter.hand", lang, number=number), f"chapter-hand-{number}", inside, icon="draw", expanded=is_open)


def _draw_copy(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """Draw the whole chapter as plain text, with a button that copies it."""
    text = plain_text(chapter.text, held.card.lang)
    inside = partial(st.code, text, language=None, wrap_lines=True, height=320)
    desk.fold(t("chapter.copy", lang), "chapter-copy", inside, icon="content_copy")


def _draw_versions(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """Draw the chapter as it stood before, the latest first, each with the way back to it."""
    versions = held.studio.gateway.chapters.versions(chapter.id)[:-1]
    if not versions:
        return
    lengths = [t(f"chapter.words_{held.card.lang}", lang, count=words_in(version.text)) for version in versions]

    def inside() -> None:
        number = st.selectbox(
            t("chapter.version", lang),
            range(len(versions) - 1, -1, -1),
            format_func=lambda place: f"{relative_time(versions[place].at, now(), lang)} · {lengths[place]}",
            key=f"chapter-version-{chapter.id}-{len(versions)}",
        )
        st.code(versions[number].text, language=None, wrap_lines=True, height=240)
        back = partial(desk.write_chapter, held, chapter.id, held.studio.gateway.chapters.put_back, number)
        button(t("chapter.version_back", lang), "chapter-version-back", back, icon="undo")

    desk.fold(t("chapter.versions", lang, count=len(versions)), "chapter-versions", inside, icon="history")


def _draw_archive(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """The archive has chapters and no facts: these are proposed in a table of their own, and settled there."""
    there = dict(held.studio.stores.archive.chapters())
    with st.container(border=True, key="chapter-archive"):
        draw(note(t("chapter.archive_lead", lang)), key="chapter-archive-lead")
        if chapter.number in there and not chapter.archived:
            words = t("chapter.archive_replaces", lang, number=chapter.number, title=there[chapter.number])
            draw(box("p", "notice disputed text", words), key="chapter-archive-replaces")
        words, is_off = ("archived", True) if chapter.archived else ("archive", desk.working() is not None)
        archive = partial(_archive, held, chapter)
        button(t(f"chapter.{words}", lang), "chapter-archive-do", archive, icon="inventory_2", disabled=is_off)
        task = desk.current(held)
        if chapter.archived and task is not None and desk.table(held, task) is not None:
            settle = partial(turn_to, "discuss")
            button(t("chapter.settle", lang), "chapter-settle", settle, icon="task_alt", look="primary")


def _archive(held: OpenStudio, chapter: Manuscript) -> None:
    def then(reply: Reply | None) -> None:
        if reply is not None:
            desk.take(held, reply)

    current = studio_tab().desk.task  # open or not: what lies before the author now
    desk.begin("archive", lambda: held.studio.gateway.archive_chapter(chapter.id, current=current), then)


def _draw_drop(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    if studio_tab().desk.dropping != chapter.id:
        button(t("chapter.drop", lang), "chapter-drop", partial(_ask, chapter), icon="delete", look="tertiary")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        draw(box("p", "text", t("chapter.drop_sure", lang)), key="chapter-drop-sure")
        button(t("chapter.drop_do", lang), "chapter-drop-do", partial(_drop, held, chapter), icon="delete")
        button(t("chapter.drop_not", lang), "chapter-drop-not", partial(_ask, None))


def _ask(chapter: Manuscript | None) -> None:
    studio_tab().desk.dropping = chapter.id if chapter is not None else None


def _drop(held: OpenStudio, chapter: Manuscript) -> None:
    _ask(None)
    with problems_kept():
        held.studio.gateway.chapters.drop(chapter.id)
