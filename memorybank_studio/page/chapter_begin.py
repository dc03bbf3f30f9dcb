"""A new chapter: which, what it tells (a step, a short outline, the author's own words), and how long it is to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import muted
from memorybank.views.i18n import t
from memorybank_studio.chapters.sizes import LEAST_LENGTH, MOST_LENGTH, PIECE_SIZE
from memorybank_studio.hub.stores import Stores, next_chapter
from memorybank_studio.page import desk
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.tasks.chapter_writing import LONGEST_TITLE
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus

USUAL_PIECES: Final = 4
OWN_WORDS: Final = ""


def draw_begin(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("chapter.begin", lang), anchor=False)
    draw(muted(t("chapter.begin_lead", lang)), key="chapter-begin-lead")
    story, stores = held.card.lang, held.studio.stores
    plans: dict[str, Plan] = {plan.key: plan for plan in open_plans(stores)}
    with st.form("chapter-begin", border=True):
        with st.container(horizontal=True):
            number = st.number_input(
                t("chapter.number", lang), 0, 999_999, next_chapter(stores), key="chapter-number", width=140
            )
            title = st.text_input(t("chapter.title", lang), key="chapter-title", max_chars=LONGEST_TITLE)
        plan = st.selectbox(
            t("chapter.plan", lang),
            [*plans, OWN_WORDS],
            format_func=lambda key: _told(plans[key], lang) if key else t("chapter.plan_none", lang),
            key="chapter-plan",
        )
        outline = st.text_area(t("chapter.outline", lang), key="chapter-outline", height=100)
        goal = held.studio.gateway.by_hand.goals.chapter
        length = st.number_input(
            t(f"chapter.length_{story}", lang),
            LEAST_LENGTH,
            MOST_LENGTH,
            goal if LEAST_LENGTH <= goal <= MOST_LENGTH else USUAL_PIECES * PIECE_SIZE[story],
            step=100,
            key="chapter-length",
            help=t("chapter.length_help", lang, size=f"{PIECE_SIZE[story]:,}"),
        )
        can_write = held.studio.gateway.chapters.can_write
        if st.form_submit_button(t("chapter.plan_do" if can_write else "chapter.begin_do", lang), type="primary"):
            with problems_kept():
                _begin(held, int(number), title or "", int(length), PlanKey(plan) if plan else None, outline or "")
            st.rerun()


def _begin(held: OpenStudio, number: int, title: str, length: int, plan: PlanKey | None, outline: str) -> None:
    """Begin it; its plan is the model's, or without one the steps as they stand."""
    chapters = held.studio.gateway.chapters
    id_ = chapters.begin(number, title, length=length, plan=plan, outline=outline).id
    studio_tab().desk.chapter = id_
    if chapters.can_write:
        desk.write_chapter(held, id_, lambda stopped: chapters.write(id_, pieces=0, stopped=stopped))
    else:
        chapters.plan_by_steps(id_)


def open_plans(stores: Stores) -> Sequence[Plan]:
    """What a chapter can be begun for: steps that are not completed, and short outlines with such steps."""
    plans = stores.plans.all()
    steps = [plan for plan in plans if plan.kind is PlanKind.STEP and plan.status is not PlanStatus.COMPLETED]
    above = {step.parent for step in steps}
    outlines = [plan for plan in plans if plan.kind is PlanKind.SHORT and plan.key in above]
    in_progress_first = sorted(steps, key=lambda step: step.status is not PlanStatus.IN_PROGRESS)
    return (*in_progress_first, *outlines)


def _told(plan: Plan, lang: Lang) -> str:
    return t("chapter.plan_told", lang, kind=t(f"studio.plan_kind.{plan.kind}", lang), title=plan.title)
