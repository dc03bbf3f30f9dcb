"""Chapters in the making: choose or begin one, or write a draft that becomes one; write it on, stop, revise; its
running state and its plan beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error, guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import Widget, problems_kept
from memorybank.views.box import Box, aside, box, chip, item_of, label, muted, note, row_of
from memorybank.views.i18n import as_sentence, t
from memorybank_studio.chapters.context import running_state, unfounded
from memorybank_studio.chapters.manuscript import (
    LEAST_LENGTH,
    MOST_LENGTH,
    PIECE_SIZE,
    Beat,
    Manuscript,
    StateKind,
    StateLine,
)
from memorybank_studio.counting import words_in
from memorybank_studio.hub.stores import Stores, next_chapter
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_kept, draw_names, draw_number, form_button, form_sent
from memorybank_studio.page.chapter_pieces import draw_end, draw_pieces
from memorybank_studio.page.jobs import ChapterWork
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import CHAPTER_CHOSEN, DRAFT_CHAPTER, DRAFT_TEXT, studio_tab
from memorybank_studio.tasks.chapter_writing import LONGEST_TITLE
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus

POLL: Final = 0.7
NEW: Final = ""
"""The choice of a chapter that is not begun yet."""


def draw_chapters(held: OpenStudio, lang: Lang) -> None:
    writing = held.studio.gateway.chapters
    chapters: dict[str, Manuscript] = {chapter.id: chapter for chapter in writing.all()}
    chosen = _choose(chapters, lang)
    if chosen is None:
        for draw_part in (draw_begin, draw_draft) if writing.can_write else (draw_draft, draw_begin):
            draw_part(held, lang)
        return
    if not writing.can_write:
        draw(box("p", "notice text", t("chapter.no_model", lang)), key="chapter-no-model")
    _draw_head(held, chosen, lang)
    _draw_work(held, chosen, lang)
    left, right = st.columns([3, 2], gap="large")
    with left:
        draw_pieces(held, chosen, lang)
        draw_end(held, chosen, lang)
    with right:
        draw_state(chosen, lang)
        draw_plan(held, chosen, lang)


def _choose(chapters: dict[str, Manuscript], lang: Lang) -> Manuscript | None:
    """Return the chapter that this tab looks at: the one it chose, else the latest; None: a new one is to be begun."""
    if not chapters:
        return None
    ids = [*reversed(chapters), NEW]
    wanted = studio_tab().desk.chapter
    if wanted in chapters:
        CHAPTER_CHOSEN.set(wanted)
        studio_tab().desk.chapter = None
    elif CHAPTER_CHOSEN.held() not in ids:
        CHAPTER_CHOSEN.set(ids[0])
    chosen = st.selectbox(
        t("chapter.choose", lang),
        ids,
        format_func=lambda id_: _name(chapters[id_], lang) if id_ else t("chapter.new", lang),
        key=CHAPTER_CHOSEN.key,
        persist_state="session",
    )
    return chapters.get(chosen)


def _name(chapter: Manuscript, lang: Lang) -> str:
    return t("chapter.name", lang, number=chapter.number, title=chapter.title)


def _draw_head(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    words = words_in(chapter.text)
    has_goal = chapter.beats or chapter.outline  # the length of a text that became a chapter is its own
    told = f"chapter.{'words_of' if has_goal else 'words'}_{held.card.lang}"
    length = t(told, lang, count=words, words=f"{words:,}", length=f"{chapter.length:,}")
    pieces = t("chapter.pieces_of", lang, written=len(chapter.pieces), planned=len(chapter.beats))
    look, state = _state(held, chapter)
    draw(
        row_of(
            box("span", "wr-title text", _name(chapter, lang)),
            chip(t(f"chapter.is_{state}", lang), look),
            aside(pieces) if chapter.beats else None,
            aside(length),
        ),
        key="chapter-head",
    )
    if has_goal:
        st.progress(min(1.0, words / chapter.length))


def _state(held: OpenStudio, chapter: Manuscript) -> tuple[str, str]:
    """Return the look and the word of how far it is."""
    work = held.writing
    if work is not None and work.running and work.chapter == chapter.id:
        return "task live", "writing"
    if chapter.problem is not None:
        return "disputed", "stopped"
    if chapter.archived:
        return "done", "archived"
    return ("done", "written") if chapter.is_written else ("", "open")


def _draw_work(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    work = held.writing
    if work is not None and work.running:
        st.fragment(_wait, run_every=POLL)(held, work, chapter, lang)
        return
    if work is not None and work.error is not None and work.chapter == chapter.id:
        draw_error(work.error, lang, key="chapter-error")
    if chapter.problem is not None:
        reason = as_sentence(chapter.problem.in_language(lang))
        draw(box("p", "notice disputed text", t("chapter.problem", lang, reason=reason)), key="chapter-problem")
    if held.studio.gateway.chapters.can_write and not chapter.is_written:
        with st.container(horizontal=True):
            one = "chapter.write_next" if chapter.beats else "chapter.plan_do"
            write = partial(desk.write_chapter, held, chapter.id, held.studio.gateway.chapters.write)
            next_ = partial(write, pieces=1 if chapter.beats else 0)
            button(t(one, lang), "chapter-next", next_, icon="edit_note", look="primary")
            button(t("chapter.write_all", lang), "chapter-all", write, icon="fast_forward")


@guarded
def _wait(held: OpenStudio, work: ChapterWork, drawn: Manuscript, lang: Lang) -> None:
    """While it is being worked on: the page is drawn anew as soon as there is more, or it is over."""
    chapters = {chapter.id: chapter for chapter in held.studio.gateway.chapters.all()}
    if not work.running or chapters.get(drawn.id) != drawn:
        st.rerun()
    words = t("chapter.stopping" if work.stopping else "chapter.at_work", lang, seconds=round(work.seconds))
    draw(box("p", "", chip(words, "task live")), key="chapter-working")
    button(t("chapter.stop", lang), "chapter-stop", work.stop, icon="stop", disabled=work.stopping)


USUAL_PIECES: Final = 4
CHAPTERS: Final = range(1_000_000)
"""The numbers that a chapter can have."""
OWN_WORDS: Final = ""


def draw_begin(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("chapter.begin", lang), anchor=False)
    draw(muted(t("chapter.begin_lead", lang)), key="chapter-begin-lead")
    story, stores = held.card.lang, held.studio.stores
    plans: dict[str, str] = {
        plan.key: t("chapter.plan_told", lang, kind=t(f"studio.plan_kind.{plan.kind}", lang), title=plan.title)
        for plan in open_plans(stores)
    }
    named, outlined = (begin(held, f"chapter-{field}") for field in ("title", "outline"))
    numbered, long = "chapter-number", "chapter-length"
    with st.form("chapter-begin", border=True):
        with st.container(horizontal=True):
            number = draw_number(held, t("chapter.number", lang), numbered, next_chapter(stores), CHAPTERS, width=140)
            title = st.text_input(t("chapter.title", lang), key=named, max_chars=LONGEST_TITLE)
        plan = st.selectbox(
            t("chapter.plan", lang),
            [*plans, OWN_WORDS],
            format_func=lambda key: plans[key] if key else t("chapter.plan_none", lang),
            key="chapter-plan",
        )
        outline = st.text_area(t("chapter.outline", lang), key=outlined, height=100)
        length = draw_number(
            held,
            t(f"chapter.length_{story}", lang),
            long,
            USUAL_PIECES * PIECE_SIZE[story],
            range(LEAST_LENGTH, MOST_LENGTH + 1),
            step=100,
            help=t("chapter.length_help", lang, size=f"{PIECE_SIZE[story]:,}"),
        )
        do = "chapter.plan_do" if held.studio.gateway.chapters.can_write else "chapter.begin_do"
        if form_button("chapter-begin", t(do, lang), type="primary"):
            filled = {named: title or "", outlined: outline or "", numbered: str(number), long: str(length)}
            with problems_kept(), form_sent(held, filled):
                _begin(held, number, title or "", length, PlanKey(plan) if plan else None, outline or "")
            st.rerun()
    draw_kept(held, (named, outlined, numbered, long), lang, is_form=True)


def _begin(held: OpenStudio, number: int, title: str, length: int, plan: PlanKey | None, outline: str) -> None:
    """Begin it; its plan is the model's, or without one the steps as they stand."""
    chapters = held.studio.gateway.chapters
    id_ = chapters.begin(number, title, length=length, plan=plan, outline=outline).id
    studio_tab().desk.chapter = id_
    if chapters.can_write:
        desk.write_chapter(held, id_, chapters.write, pieces=0)
    else:
        chapters.plan_by_steps(id_)


def open_plans(stores: Stores) -> Sequence[Plan]:
    """Return what a chapter can be begun for: steps that are not completed, and short outlines with such steps."""
    plans = stores.plans.all()
    steps = [plan for plan in plans if plan.kind is PlanKind.STEP and plan.is_open]
    above = {step.parent for step in steps}
    outlines = [plan for plan in plans if plan.kind is PlanKind.SHORT and plan.key in above]
    in_progress_first = sorted(steps, key=lambda step: step.status is not PlanStatus.IN_PROGRESS)
    return (*in_progress_first, *outlines)


def draw_state(chapter: Manuscript, lang: Lang) -> None:
    """Draw each line with its words; what a model said and the text does not say is told apart."""
    st.subheader(t("chapter.state", lang), anchor=False)
    state = running_state(chapter.pieces)
    if not state:
        draw(muted(t("chapter.state_none", lang)), key="chapter-state")
        return
    groups = {kind.value: [line for line in state if line.kind is kind] for kind in StateKind}
    groups["unfounded"] = [*unfounded(chapter.pieces)]
    told = [(label(t(f"chapter.state_{name}", lang)), _lines(lines, lang)) for name, lines in groups.items() if lines]
    draw(*(piece for group in told for piece in group), key="chapter-state")


def _lines(lines: Sequence[StateLine], lang: Lang) -> Box:
    return box("ul", "line-list", *(_line(line, lang) for line in lines))


def _line(line: StateLine, lang: Lang) -> Box:
    piece = aside(t("chapter.piece", lang, number=line.id.partition(".")[0]))
    said = row_of(box("span", "text strong", line.who), box("span", "text", line.what), piece)
    return item_of(said, box("p", "muted small text", line.quote))


def draw_plan(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """Draw the pieces as they are planned; the author can change those that are not written."""
    st.subheader(t("chapter.beats", lang), anchor=False)
    if not chapter.beats:
        draw(muted(t("chapter.beats_none", lang)), key="chapter-beats")
        return
    if studio_tab().desk.planning == chapter.id:
        _draw_plan_form(held, chapter, lang)
        return
    lines = (_beat(chapter, number, beat, lang) for number, beat in enumerate(chapter.beats, 1))
    draw(box("ol", "line-list", *lines), key="chapter-beats")
    words, is_off, plan = t("chapter.beats_change", lang), chapter.is_written, partial(_plan, chapter)
    button(words, "chapter-beats-change", plan, icon="edit", look="tertiary", disabled=is_off or desk.is_writing(held))


def _beat(chapter: Manuscript, number: int, beat: Beat, lang: Lang) -> Box:
    written = number <= len(chapter.pieces)
    return item_of(
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
        changed, filled = [*chapter.beats[:written]], dict[str, str]()
        empty = Beat(title="", happens="")
        for number, beat in enumerate([*chapter.beats[written:], empty], start=written + 1):
            changed += _beat_fields(held, f"chapter-beat-{chapter.id}-{number}", number, beat, filled, lang)
        draw(note(t("chapter.beats_help", lang)), key="chapter-beats-help")
        if form_button("chapter-plan-form", t("chapter.beats_keep", lang), type="primary"):
            with problems_kept(), form_sent(held, filled):
                held.studio.gateway.chapters.plan_by_hand(chapter.id, changed)
                _plan(None)
            st.rerun()
    draw_kept(held, filled, lang, is_form=True)
    button(t("chapter.beats_leave", lang), "chapter-beats-leave", partial(_plan, None), look="tertiary")


def _beat_fields(
    held: OpenStudio, form: str, number: int, beat: Beat, filled: dict[str, str], lang: Lang
) -> Iterator[Beat]:
    """Yield the beat as it is filled in, by the keys of its fields; one whose fields are emptied is none."""
    for name, words in (("title", beat.title), ("happens", beat.happens), ("brings", beat.outcome)):
        field = begin(held, f"{form}-{name}", words)
        ask = partial(st.text_area, height=80) if name == "happens" else st.text_input
        filled[field] = (ask(t(f"chapter.beat_{name}", lang, number=number), key=field) or "").strip()
    title, happens, outcome = (filled[f"{form}-{name}"] for name in ("title", "happens", "brings"))
    if title or happens:
        yield Beat(
            title=title or happens[:40], happens=happens or title, outcome=outcome, cast=beat.cast, step=beat.step
        )


DRAFT_TITLE: Final = "studio-draft-title"


def draw_draft(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("chapter.own", lang), anchor=False)
    lead = "chapter.own_lead" if held.studio.gateway.chapters.can_write else "chapter.own_no_model"
    draw(muted(t(lead, lang)), key="studio-draft-lead")
    begin(held, DRAFT_TEXT.key)
    st.text_area(
        t("studio.draft", lang),
        key=DRAFT_TEXT.key,
        height=480,
        placeholder=t("studio.draft_placeholder", lang),
        persist_state="session",
    )
    draw_names(held, DRAFT_TEXT.key)
    draw_kept(held, [DRAFT_TEXT.key], lang)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        coming, label = next_chapter(held.studio.stores), t("studio.draft_chapter", lang)
        draw_number(held, label, DRAFT_CHAPTER.key, coming, CHAPTERS, width=180, persist_state="session")
        titled = begin(held, DRAFT_TITLE)
        st.text_input(t("chapter.title", lang), key=titled, max_chars=LONGEST_TITLE, persist_state="session")
        words, keep, is_off = t("chapter.own_keep", lang), partial(_become_chapter, held), desk.is_writing(held)
        button(words, "studio-draft-keep", keep, icon="note_add", look="primary", disabled=is_off)


def _become_chapter(held: OpenStudio) -> None:
    """Make the draft a chapter in writing, as it stands, and free its field for the next one. For callbacks."""
    chapters, title, number = held.studio.gateway.chapters, Widget[str](DRAFT_TITLE), int(DRAFT_CHAPTER.value(0))
    with problems_kept():
        filled = {DRAFT_TEXT.key: DRAFT_TEXT.value(""), DRAFT_TITLE: title.value(""), DRAFT_CHAPTER.key: str(number)}
        with form_sent(held, filled):
            id_ = chapters.begin_with(filled[DRAFT_TEXT.key], number, filled[DRAFT_TITLE]).id
        studio_tab().desk.chapter = id_
        if chapters.can_write:
            desk.write_chapter(held, id_, chapters.check)
