"""What is planned: the board of steps, how a completed one becomes facts, and the outlines that contain the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import aside, box, chip, row_of
from memorybank.views.i18n import t
from memorybank_studio.hub.stores import last_chapter, next_chapter
from memorybank_studio.page import desk
from memorybank_studio.page.board import LOOKS, draw_board
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.page.widgets import STUDIO_VIEW
from memorybank_studio.settlement.completed_steps import happened_in
from memorybank_studio.tasks.replies import Reply
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus


def draw_plans(held: OpenStudio, lang: Lang) -> None:
    stores = held.studio.stores
    plans = stores.plans.all()
    if not plans:
        draw(box("p", "muted text", t("studio.plans_none", lang)), key="studio-plans-none")
        return
    chapter, last = next_chapter(stores), last_chapter(stores)
    draw(box("p", "muted text", t("studio.plans_lead", lang, chapter=chapter)), key="studio-plans-lead")
    step = next((plan for plan in plans if plan.key == studio_tab().desk.step_of_facts), None)
    if step is not None and step.status is PlanStatus.COMPLETED:
        _draw_facts(held, step, last, lang)
    draw_board(held, plans, stores.plans.pointer(chapter=chapter), lang)
    _draw_outlines([plan for plan in plans if plan.kind is not PlanKind.STEP], lang)


def _draw_facts(held: OpenStudio, plan: Plan, last: int, lang: Lang) -> None:
    """What a completed step would write as facts is shown in a settlement table; nothing is written from here."""
    task = held.studio.gateway.task_of(plan.key)
    with st.container(border=True, key=f"studio-plan-facts-{plan.key}"):
        lead = box("p", "text strong", t("studio.plan_facts_of", lang, title=plan.title))
        draw(lead, box("p", "text small", t("studio.plan_facts_help", lang)), key=f"studio-plan-facts-words-{plan.key}")
        if task is not None and task.state.value == "closed":
            words = t("studio.plan_facts_done", lang, task=task.id)
            draw(box("p", "small text", chip(words, "done")), key=f"studio-plan-facts-done-{plan.key}")
        chapter = st.number_input(
            t("studio.plan_facts_chapter", lang),
            min_value=0,
            value=happened_in(plan, last),
            key=f"studio-plan-facts-chapter-{plan.key}",
        )
        with st.container(horizontal=True):
            button(
                t("studio.plan_facts_do", lang),
                f"studio-plan-facts-do-{plan.key}",
                partial(_settle, held, plan.key, int(chapter or 0)),
                icon="table_rows",
                disabled=desk.working() is not None,
            )
            button(t("studio.plan_facts_leave", lang), "studio-plan-facts-leave", _leave, icon="close", look="tertiary")


def _leave() -> None:
    studio_tab().desk.step_of_facts = None


def _settle(held: OpenStudio, step: PlanKey, chapter: int) -> None:
    def then(reply: Reply) -> None:
        _leave()
        desk.take(held, reply)
        STUDIO_VIEW.set("discuss")

    task = desk.named()
    desk.begin("facts", lambda: held.studio.gateway.settle_step(step, chapter=chapter, current=task), then)


def _draw_outlines(outlines: Sequence[Plan], lang: Lang) -> None:
    """What contains the steps, as a tree; its status follows them."""
    if not outlines:
        return
    st.subheader(t("studio.outlines", lang), anchor=False)
    known = {plan.key: plan for plan in outlines}
    lines = [
        box(
            "li",
            f"wr-depth{_depth(plan, known)}",
            row_of(
                box("span", "text strong", plan.title),
                chip(t(f"studio.status.{plan.status}", lang), LOOKS[plan.status]),
                aside(t(f"studio.plan_kind.{plan.kind}", lang)),
                box("span", "muted small text", plan.storyline) if plan.storyline else None,
                chip(t("studio.due", lang, chapter=plan.due)) if plan.due is not None else None,
            ),
            box("p", "muted small text", plan.text) if plan.text else None,
        )
        for plan in outlines
    ]
    draw(box("ul", "line-list", *lines), key="studio-outlines")


def _depth(plan: Plan, known: Mapping[PlanKey, Plan]) -> int:
    depth, above = 0, plan.parent
    while above is not None and above in known and depth < 3:
        depth, above = depth + 1, known[above].parent
    return depth
