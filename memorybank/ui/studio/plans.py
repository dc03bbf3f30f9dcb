"""The plan board: where each storyline stands, its steps by status, and what contains them. Parents follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.narrative.hub.stores import last_chapter, next_chapter
from memorybank.narrative.settlement.completed_steps import happened_in
from memorybank.narrative.tasks.replies import Reply
from memorybank.narrative.types import Plan, PlanKey, PlanKind, PlanStatus, Pointer
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.widgets import STUDIO_VIEW
from memorybank.ui.studio import desk
from memorybank.ui.studio.shelf import OpenStudio
from memorybank.views.box import Box, aside, box, chip, label, row_of
from memorybank.views.i18n import t

LOOKS = {"Pending": "", "InProgress": "task", "Completed": "done"}
MOVES: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "Pending": (("InProgress", "start", "play_arrow"),),
    "InProgress": (("Completed", "complete", "check"), ("Pending", "back", "undo")),
    "Completed": (("InProgress", "reopen", "undo"),),
}
"""By status: what a card can be moved to, the button's word and its icon."""


def draw_plans(held: OpenStudio, lang: Lang) -> None:
    stores = held.studio.stores
    plans = stores.plans.all()
    if not plans:
        draw(box("p", "muted text", t("studio.plans_none", lang)), key="studio-plans-none")
        return
    chapter, last = next_chapter(stores), last_chapter(stores)
    draw(box("p", "muted text", t("studio.plans_lead", lang, chapter=chapter)), key="studio-plans-lead")
    steps = [plan for plan in plans if plan.kind is PlanKind.STEP]
    pointers = stores.plans.pointer(chapter=chapter)
    for number, pointer in enumerate(pointers):
        own = [plan for plan in steps if plan.storyline == pointer.storyline]
        _draw_storyline(held, number, pointer, own, last, lang)
    _draw_outlines(held, [plan for plan in plans if plan.kind is not PlanKind.STEP], lang)


def _draw_storyline(
    held: OpenStudio, number: int, pointer: Pointer, steps: Sequence[Plan], last: int, lang: Lang
) -> None:
    """`last`: the chapter the story is in by now."""
    with st.container(border=True, key=f"studio-storyline-{number}"):
        draw(_pointer(pointer, lang), key=f"studio-pointer-{number}")
        for column, status in zip(st.columns(len(LOOKS), gap="small"), LOOKS, strict=True):
            with column:
                plans = [plan for plan in steps if plan.status.value == status]
                head = label(f"{t(f'studio.status.{status}', lang)} ({len(plans)})")
                draw(head, key=f"studio-column-{number}-{status}")
                for plan in plans:
                    _draw_card(held, plan, plan in pointer.overdue, last, lang)


def _pointer(pointer: Pointer, lang: Lang) -> Box:
    name = pointer.storyline or t("studio.storyline_none", lang)
    current = t("studio.pointer_current", lang, title=pointer.current.title) if pointer.current else ""
    following = t("studio.pointer_next", lang, title=pointer.next.title) if pointer.next else ""
    return row_of(
        box("span", "wr-title text", name),
        aside(t("studio.pointer_done", lang, done=pointer.completed, steps=pointer.steps)),
        box("span", "text small", current) if current else None,
        box("span", "text small", following) if following else None,
        chip(t("studio.overdue", lang, count=len(pointer.overdue)), "disputed") if pointer.overdue else None,
    )


def _draw_card(held: OpenStudio, plan: Plan, is_overdue: bool, last: int, lang: Lang) -> None:
    with st.container(border=True, gap="small", key=f"studio-plan-{plan.key}"):
        draw(
            box(
                "div",
                "",
                box("p", "text strong", plan.title),
                box("p", "text small", plan.text) if plan.text else None,
                _due(plan, is_overdue, lang),
            ),
            key=f"studio-plan-words-{plan.key}",
        )
        with st.container(horizontal=True, gap="small"):
            for status, word, icon in MOVES[plan.status.value]:
                button(
                    t(f"studio.plan_{word}", lang),
                    f"studio-plan-{word}-{plan.key}",
                    partial(_turn, held, plan.key, status),
                    icon=icon,
                )
            if plan.status.value == "Completed":
                _draw_facts(held, plan, last, lang)


def _draw_facts(held: OpenStudio, plan: Plan, last: int, lang: Lang) -> None:
    """What a completed step would write as facts is shown in a settlement table; nothing is written from here."""
    task = held.studio.gateway.task_of(plan.key)
    with st.popover(t("studio.plan_facts", lang), icon=":material/fact_check:", key=f"studio-plan-facts-{plan.key}"):
        draw(box("p", "text small", t("studio.plan_facts_help", lang)), key=f"studio-plan-facts-words-{plan.key}")
        if task is not None and task.state.value == "closed":
            words = t("studio.plan_facts_done", lang, task=task.id)
            draw(box("p", "small text", chip(words, "done")), key=f"studio-plan-facts-done-{plan.key}")
        chapter = st.number_input(
            t("studio.plan_facts_chapter", lang),
            min_value=0,
            value=happened_in(plan, last),
            key=f"studio-plan-facts-chapter-{plan.key}",
        )
        button(
            t("studio.plan_facts_do", lang),
            f"studio-plan-facts-do-{plan.key}",
            partial(_settle, held, plan.key, int(chapter or 0)),
            icon="table_rows",
            disabled=desk.working() is not None,
        )


def _settle(held: OpenStudio, step: PlanKey, chapter: int) -> None:
    def then(reply: Reply) -> None:
        desk.take(held, reply)
        STUDIO_VIEW.set("discuss")

    task = desk.named()
    desk.begin("facts", lambda: held.studio.gateway.settle_step(step, chapter=chapter, current=task), then)


def _due(plan: Plan, is_overdue: bool, lang: Lang) -> Box | None:
    if plan.due is None:
        return None
    return chip(t("studio.due", lang, chapter=plan.due), "disputed" if is_overdue else "")


def _turn(held: OpenStudio, plan: PlanKey, status: str) -> None:
    with problems_kept():
        held.studio.gateway.by_hand.move(plan, PlanStatus(status))


def _draw_outlines(held: OpenStudio, outlines: Sequence[Plan], lang: Lang) -> None:
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
                chip(t(f"studio.status.{plan.status}", lang), LOOKS[plan.status.value]),
                aside(t(f"studio.plan_kind.{plan.kind}", lang)),
                box("span", "muted small text", plan.storyline) if plan.storyline else None,
                _due(plan, False, lang),
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
