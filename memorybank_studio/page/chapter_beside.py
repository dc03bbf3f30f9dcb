"""Beside the text of a chapter: where things stand in it, the plan of its pieces, what on record it stands on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import Box, aside, box, label, muted, note, row_of
from memorybank.views.i18n import t
from memorybank_studio.chapters.context import ChapterContext
from memorybank_studio.chapters.manuscript import Beat, Manuscript, StateKind, StateLine
from memorybank_studio.chapters.running_state import running_state, unfounded
from memorybank_studio.page import desk
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab


def draw_state(chapter: Manuscript, lang: Lang) -> None:
    """Each line with the words it stands on; what a model said and the text does not say is told apart."""
    st.subheader(t("chapter.state", lang), anchor=False)
    state = running_state(chapter.pieces)
    if not state:
        draw(muted(t("chapter.state_none", lang)), key="chapter-state")
        return
    pieces: list[Box | None] = []
    for kind in StateKind:
        lines = [line for line in state if line.kind is kind]
        pieces += [label(t(f"chapter.state_{kind}", lang)), _lines(lines, lang)] if lines else []
    left_out = unfounded(chapter.pieces)
    if left_out:
        pieces += [label(t("chapter.state_unfounded", lang)), _lines(left_out, lang)]
    draw(*pieces, key="chapter-state")


def _lines(lines: Sequence[StateLine], lang: Lang) -> Box:
    return box("ul", "line-list", *(_line(line, lang) for line in lines))


def _line(line: StateLine, lang: Lang) -> Box:
    piece = aside(t("chapter.piece", lang, number=line.id.partition(".")[0]))
    said = row_of(box("span", "text strong", line.who), box("span", "text", line.what), piece)
    return box("li", "", said, box("p", "muted small text", line.quote))


def draw_plan(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """The pieces as they are planned; the author can change those that are not written."""
    st.subheader(t("chapter.beats", lang), anchor=False)
    if not chapter.beats:
        draw(muted(t("chapter.beats_none", lang)), key="chapter-beats")
        return
    if studio_tab().desk.planning == chapter.id:
        _draw_plan_form(held, chapter, lang)
        return
    draw(
        box("ol", "line-list", *(_beat(chapter, number, beat, lang) for number, beat in enumerate(chapter.beats, 1))),
        key="chapter-beats",
    )
    button(
        t("chapter.beats_change", lang),
        "chapter-beats-change",
        partial(_plan, chapter),
        icon="edit",
        look="tertiary",
        disabled=desk.is_writing(held) or chapter.is_written,
    )


def _beat(chapter: Manuscript, number: int, beat: Beat, lang: Lang) -> Box:
    written = number <= len(chapter.pieces)
    return box(
        "li",
        "",
        row_of(
            box("span", "strong", str(number)),
            box("span", "text strong", beat.title),
            aside(t("chapter.beat_written", lang)) if written else None,
        ),
        box("p", "text small", beat.happens),
        note(t("chapter.beat_outcome", lang, outcome=beat.outcome)) if beat.outcome else None,
    )


def _plan(chapter: Manuscript | None) -> None:
    studio_tab().desk.planning = chapter.id if chapter is not None else None


def _draw_plan_form(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    written = len(chapter.pieces)
    with st.form("chapter-plan-form", border=True):
        changed = [*chapter.beats[:written]]
        empty = Beat(title="", happens="")
        for number, beat in enumerate([*chapter.beats[written:], empty], start=written + 1):
            changed += _beat_fields(number, beat, lang)
        draw(note(t("chapter.beats_help", lang)), key="chapter-beats-help")
        if st.form_submit_button(t("chapter.beats_keep", lang), type="primary"):
            with problems_kept():
                held.studio.gateway.chapters.plan_by_hand(chapter.id, changed)
                _plan(None)
            st.rerun()
    button(t("chapter.beats_leave", lang), "chapter-beats-leave", partial(_plan, None), look="tertiary")


def _beat_fields(number: int, beat: Beat, lang: Lang) -> Iterator[Beat]:
    """The beat as it is filled in; one whose fields are emptied is none."""
    title = st.text_input(t("chapter.beat_title", lang, number=number), beat.title, key=f"chapter-beat-title-{number}")
    happens = st.text_area(
        t("chapter.beat_happens", lang, number=number), beat.happens, key=f"chapter-beat-happens-{number}", height=80
    )
    outcome = st.text_input(
        t("chapter.beat_brings", lang, number=number), beat.outcome, key=f"chapter-beat-outcome-{number}"
    )
    title, happens, outcome = ((words or "").strip() for words in (title, happens, outcome))
    if title or happens:
        yield Beat(
            title=title or happens[:40], happens=happens or title, outcome=outcome, cast=beat.cast, step=beat.step
        )


def draw_material(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """The same that a model is told: steps, facts as of the chapter, settings, how the chapters before sound."""
    more = st.expander(
        t("chapter.material", lang), icon=":material/fact_check:", key="chapter-material", on_change="rerun"
    )
    if more.open:
        with more:
            context = ChapterContext(chapter=chapter, stores=held.studio.stores, lang=held.card.lang)
            boxes = [
                piece
                for part in context.material()
                for piece in (
                    label(t(f"chapter.material_{part.kind}", lang)),
                    box("ul", "line-list", *(box("li", "text small", line) for line in part.lines)),
                )
            ]
            draw(*(boxes or [muted(t("chapter.material_none", lang))]), key="chapter-material-lines")
