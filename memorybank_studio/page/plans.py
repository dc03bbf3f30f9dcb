"""The page of plans: the board of steps, and the outlines that contain them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import Widget, problems_kept
from memorybank.views.box import Box, aside, box, chip, div, row_of
from memorybank.views.i18n import t
from memorybank.views.text.display import clip, plain
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.page import desk
from memorybank_studio.page.entries import draw_entry, draw_new, draw_undo
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus, Pointer


def draw_plans(held: OpenStudio, lang: Lang) -> None:
    stores = held.studio.stores
    plans = stores.plans.all()
    draw_undo(held, lang)
    level = next((kind for kind in PlanKind if kind not in {plan.kind for plan in plans}), PlanKind.STEP)
    draw_new(held, "plan", "plan", lang, {"level": level.value}, is_open=not plans)
    if not plans:
        draw(box("p", "muted text", t("studio.plans_none", lang)), key="studio-plans-none")
        return
    chapter = next_chapter(stores)
    draw(box("p", "muted text", t("studio.plans_lead", lang, chapter=chapter)), key="studio-plans-lead")
    draw_board(held, plans, stores.plans.pointer(chapter=chapter), lang)
    kept = [plan for plan in plans if plan.status is not PlanStatus.DROPPED]
    _draw_outlines(held, [plan for plan in kept if plan.kind is not PlanKind.STEP], lang)


def _draw_outlines(held: OpenStudio, outlines: Sequence[Plan], lang: Lang) -> None:
    """Draw the outlines that contain the steps, as a tree; their status follows the steps."""
    if not outlines:
        return
    st.subheader(t("studio.outlines", lang), anchor=False)
    known = {plan.key: plan for plan in outlines}
    lines = [plan_line(plan, lang, f"wr-depth{_depth(plan, known)}") for plan in outlines]
    draw(box("ul", "line-list", *lines), key="studio-outlines")
    chosen = st.selectbox(
        t("studio.bible_outline", lang),
        list(known),
        index=None,
        format_func=lambda key: plain(known[key].title),
        key="studio-outline-chosen",
    )
    if chosen in known:
        plan = known[chosen]
        with st.container(horizontal=True, gap="small"):
            draw_entry(held, plan, f"of-{plan.key}", lang)
            if plan.is_open:
                drop = problems_kept()(partial(held.studio.gateway.bible.turn, plan, PlanStatus.DROPPED))
                button(t("studio.plan_drop", lang), "studio-outline-drop", drop, icon="delete", look="tertiary")


def plan_line(plan: Plan, lang: Lang, look: str = "") -> Box:
    """Return a plan as a line of a list: its title, how it stands, and its text."""
    return box(
        "li",
        look,
        row_of(
            box("span", "text strong", plan.title),
            chip(t(f"studio.status.{plan.status}", lang), LOOKS[plan.status]),
            aside(t(f"studio.plan_kind.{plan.kind}", lang)),
            box("span", "muted small text", plan.storyline) if plan.storyline else None,
            chip(t("studio.due", lang, chapter=plan.due)) if plan.due is not None else None,
        ),
        box("p", "muted small text", plan.text) if plan.text else None,
    )


def _depth(plan: Plan, known: Mapping[PlanKey, Plan]) -> int:
    depth, above = 0, plan.parent
    while above is not None and above in known and depth < 3:
        depth, above = depth + 1, known[above].parent
    return depth


KEY: Final = "studio-board"
LONGEST: Final = 1_000
"""Columns of a card's text."""
LOOKS = {
    PlanStatus.PENDING: "",
    PlanStatus.IN_PROGRESS: "task",
    PlanStatus.COMPLETED: "done",
    PlanStatus.DROPPED: "disputed",
}
"""The look of a status's chip."""
TURNS: Mapping[PlanStatus, tuple[tuple[PlanStatus, str], ...]] = {
    PlanStatus.PENDING: ((PlanStatus.IN_PROGRESS, "start"), (PlanStatus.DROPPED, "drop")),
    PlanStatus.IN_PROGRESS: (
        (PlanStatus.COMPLETED, "complete"),
        (PlanStatus.PENDING, "back"),
        (PlanStatus.DROPPED, "drop"),
    ),
    PlanStatus.COMPLETED: ((PlanStatus.IN_PROGRESS, "reopen"),),
    PlanStatus.DROPPED: ((PlanStatus.PENDING, "bring_back"),),
}
"""The statuses that a step of a status can be turned to, each with the button's word."""


def draw_board(held: OpenStudio, plans: Sequence[Plan], pointers: Sequence[Pointer], lang: Lang) -> None:
    draw(box("p", "muted small text", t("studio.board_help", lang)), key="studio-board-words")
    dropped = [plan for plan in plans if plan.status is PlanStatus.DROPPED]
    plans = [plan for plan in plans if plan.status is not PlanStatus.DROPPED]
    steps = [plan for plan in plans if plan.kind is PlanKind.STEP]
    chosen = next((step for step in steps if step.key == studio_tab().desk.chosen_step), None)
    if chosen is not None:
        _draw_chosen(held, chosen, steps, storylines(plans), lang)
    late = {plan.key for pointer in pointers for plan in pointer.overdue}
    cards: dict[tuple[PlanKey | None, str], list[Box]] = {}
    for plan in plans:
        if plan.kind is PlanKind.STEP:
            card = _card(plan, lang, is_late=plan.key in late, is_chosen=plan is chosen)
            cards.setdefault((plan.parent, plan.storyline), []).append(card)
    of_name = {pointer.storyline: pointer for pointer in pointers}
    lanes = [_lane(name, plans, cards, of_name.get(name), lang) for name in storylines(plans)]
    draw(div("wr-board", *lanes), key=KEY, on_choose=_choose)
    _draw_dropped(held, dropped, lang)


def _draw_dropped(held: OpenStudio, dropped: Sequence[Plan], lang: Lang) -> None:
    if not dropped:
        return

    def inside() -> None:
        for plan in dropped:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                draw(box("span", "muted text", plan.title), key=f"studio-dropped-{plan.key}")
                words = t("studio.plan_bring_back", lang)
                back = problems_kept()(partial(held.studio.gateway.bible.turn, plan, PlanStatus.PENDING))
                button(words, f"studio-bring-back-{plan.key}", back, icon="undo", look="tertiary")

    desk.fold(t("studio.plans_dropped", lang, count=len(dropped)), "studio-dropped", inside)


def storylines(plans: Iterable[Plan]) -> tuple[str, ...]:
    """Return the storylines in the order in which the plan comes to them."""
    return tuple(dict.fromkeys(plan.storyline for plan in plans if plan.kind in (PlanKind.SHORT, PlanKind.STEP)))


def _lane(
    name: str,
    plans: Sequence[Plan],
    cards: Mapping[tuple[PlanKey | None, str], list[Box]],
    pointer: Pointer | None,
    lang: Lang,
) -> Box:
    """Return a storyline: its outlines, each with those of its cards that stand in it."""
    here = [plan for plan in plans if plan.kind is PlanKind.SHORT]
    here = [short for short in here if short.storyline == name or (short.key, name) in cards]
    groups = [
        div("", box("p", "muted small strong", short.title), box("ul", "", *cards.get((short.key, name), ())))
        for short in here
    ]
    return div(
        "wr-lane",
        box("h4", "text", _lane_label(name, lang)),
        box("p", "muted small text", _notes(pointer, lang)) if pointer is not None else None,
        *groups or [box("p", "muted small", t("studio.board_none", lang))],
    )


def _lane_label(storyline: str, lang: Lang) -> str:
    return storyline or t("studio.storyline_none", lang)


def _card(plan: Plan, lang: Lang, *, is_late: bool, is_chosen: bool) -> Box:
    due = t("studio.due", lang, chapter=plan.due) if plan.due is not None else ""
    return box(
        "li",
        "wr-card chosen" if is_chosen else "wr-card",
        box("p", "text strong leads", plan.title, choose=plan.key, current=is_chosen),
        box("p", "muted small text", clip(plan.text, LONGEST)) if plan.text else None,
        row_of(
            chip(t(f"studio.status.{plan.status}", lang), LOOKS[plan.status]),
            chip(due, "disputed" if is_late else "") if due else None,
        ),
    )


def _notes(pointer: Pointer, lang: Lang) -> str:
    notes = [t("studio.pointer_done", lang, done=pointer.completed, steps=pointer.steps)]
    if pointer.current:
        notes.append(t("studio.pointer_current", lang, title=pointer.current.title))
    if pointer.next:
        notes.append(t("studio.pointer_next", lang, title=pointer.next.title))
    if pointer.overdue:
        notes.append(t("studio.overdue", lang, count=len(pointer.overdue)))
    return " · ".join(notes)


def _choose(key: str) -> None:
    """Choose the card whose title was clicked; clicked again, it is let go."""
    mine = studio_tab().desk
    mine.chosen_step = None if mine.chosen_step == key else PlanKey(key)


def _draw_chosen(held: OpenStudio, step: Plan, steps: Sequence[Plan], lanes: Sequence[str], lang: Lang) -> None:
    """Draw the buttons of the chosen step. They act on the board as it is drawn now, or are refused."""
    group = [each.key for each in steps if each.parent == step.parent and each.storyline == step.storyline]
    at = group.index(step.key)
    move = partial(_place, held, step)
    with st.container(border=True, gap="small", key="studio-board-step"):
        place = t("studio.board_place", lang, lane=_lane_label(step.storyline, lang), at=at + 1, of=len(group))
        draw(
            row_of(box("span", "text strong", step.title), aside(place)),
            box("p", "small text", clip(step.text, LONGEST)) if step.text else None,
            key="studio-board-step-words",
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            for status, word in TURNS[step.status]:
                turn = problems_kept()(partial(held.studio.gateway.bible.turn, step, status))
                button(t(f"studio.plan_{word}", lang), f"studio-board-{word}", turn)
            ends = (
                ("earlier", at - 1, "arrow_upward", at == 0),
                ("later", at + 2, "arrow_downward", step.key == group[-1]),
            )
            for way, to, icon, is_at_end in ends:
                go = partial(move, step.storyline, group[to] if 0 <= to < len(group) else None)
                button(t(f"studio.board_{way}", lang), f"studio-board-{way}", go, icon=icon, disabled=is_at_end)
            lane = Widget[str](f"studio-board-lane-{step.key}-{step.storyline}")
            st.selectbox(
                t("studio.board_lane", lang),
                lanes,
                index=lanes.index(step.storyline),
                format_func=lambda name: plain(_lane_label(name, lang)),
                key=lane.key,
                on_change=partial(_change_lane, held, step, lane),
                width=240,
            )
            draw_entry(held, step, f"of-{step.key}", lang)
            button(t("studio.board_close", lang), "studio-board-close", partial(_choose, step.key), look="tertiary")


@problems_kept()
def _place(held: OpenStudio, step: Plan, storyline: str, before: PlanKey | None) -> None:
    held.studio.gateway.bible.place(step, storyline, before)


def _change_lane(held: OpenStudio, step: Plan, lane: Widget[str]) -> None:
    chosen = lane.value(step.storyline)
    lane.set(step.storyline)  # until it is there; a move that is refused leaves it where it was
    _place(held, step, chosen, None)
