"""The plan board: storylines as lanes, their steps as cards in the order of the plan, moved and turned by the author.

A move is said by what a step stands before, and done or refused on the board as it is by then: what other tabs have
moved meanwhile is kept. The last moves of a tab can be undone in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import streamlit as st

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.narrative.tasks.by_hand import Seen
from memorybank.narrative.types import Plan, PlanKey, PlanKind, PlanStatus, Pointer
from memorybank.narrative.writes import Placement
from memorybank.ui.components.board import component
from memorybank.ui.components.board.component import Act, Group, Lane, StepCard
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.studio.moves import Moved
from memorybank.ui.studio.shelf import OpenStudio
from memorybank.views.box import box
from memorybank.views.i18n import t

KEY: Final = "studio-board"
LONGEST: Final = 1_000
"""Characters of a card's text."""
TURNS: Mapping[PlanStatus, tuple[tuple[PlanStatus, str], ...]] = {
    PlanStatus.PENDING: ((PlanStatus.IN_PROGRESS, "start"),),
    PlanStatus.IN_PROGRESS: ((PlanStatus.COMPLETED, "complete"), (PlanStatus.PENDING, "back")),
    PlanStatus.COMPLETED: ((PlanStatus.IN_PROGRESS, "reopen"),),
}
"""By status: what a card can be turned to, and the button's word."""
_WORDS: Final = ("more", "earlier", "later", "lane", "facts", "none")
_SENTENCES: Final = ("place", "lifted", "put_back")
"""They keep their `{places}`, which the browser fills."""


def draw_board(held: OpenStudio, plans: Sequence[Plan], pointers: Sequence[Pointer], lang: Lang) -> None:
    _draw_last_move(held, lang)
    places = {name: f"{{{name}}}" for name in ("title", "lane", "at", "of")}
    words = {name: t(f"studio.board_{name}", lang) for name in _WORDS}
    words |= {name: t(f"studio.board_{name}", lang, **places) for name in _SENTENCES}
    words |= {status: t(f"studio.status.{status}", lang) for status in PlanStatus}
    words |= {word: t(f"studio.plan_{word}", lang) for turns in TURNS.values() for _, word in turns}
    component.draw(
        _lanes(plans, pointers, lang),
        words,
        {status.value: [(to.value, word) for to, word in turns] for status, turns in TURNS.items()},
        key=KEY,
        as_of=held.studio.gateway.by_hand.placements,
        on_act=partial(_act, held),
    )


# -- what stands where ------------------------------------------------------------------------------------------------


def storylines(plans: Iterable[Plan]) -> tuple[str, ...]:
    """In the order in which the plan comes to them."""
    return tuple(dict.fromkeys(plan.storyline for plan in plans if plan.kind in (PlanKind.SHORT, PlanKind.STEP)))


def _lanes(plans: Sequence[Plan], pointers: Sequence[Pointer], lang: Lang) -> list[Lane]:
    late = {plan.key for pointer in pointers for plan in pointer.overdue}
    cards: dict[tuple[PlanKey | None, str], list[StepCard]] = {}
    for plan in plans:
        if plan.kind is PlanKind.STEP:
            cards.setdefault((plan.parent, plan.storyline), []).append(_card(plan, late, lang))
    shorts = [(plan.key, plan) for plan in plans if plan.kind is PlanKind.SHORT]
    of_name = {pointer.storyline: pointer for pointer in pointers}
    return [
        Lane(
            name=name,
            label=name or t("studio.storyline_none", lang),
            notes=_notes(of_name[name], lang) if name in of_name else (),
            groups=tuple(
                Group(key=key, order=order, title=short.title, cards=tuple(cards.get((key, name), ())))
                for order, (key, short) in enumerate(shorts)
                if short.storyline == name or (key, name) in cards
            ),
        )
        for name in storylines(plans)
    ]


def _card(plan: Plan, late: set[PlanKey], lang: Lang) -> StepCard:
    key = plan.key
    return StepCard(
        key=key,
        title=plan.title,
        text=plan.text if len(plan.text) <= LONGEST else f"{plan.text[:LONGEST]}…",
        status=plan.status.value,
        due=t("studio.due", lang, chapter=plan.due) if plan.due is not None else "",
        late=key in late,
    )


def _notes(pointer: Pointer, lang: Lang) -> tuple[str, ...]:
    notes = [t("studio.pointer_done", lang, done=pointer.completed, steps=pointer.steps)]
    if pointer.current:
        notes.append(t("studio.pointer_current", lang, title=pointer.current.title))
    if pointer.next:
        notes.append(t("studio.pointer_next", lang, title=pointer.next.title))
    if pointer.overdue:
        notes.append(t("studio.overdue", lang, count=len(pointer.overdue)))
    return tuple(notes)


# -- what the author does ---------------------------------------------------------------------------------------------


def _act(held: OpenStudio, act: Act) -> None:
    """What a card was made to do. It comes from the browser: what names nothing on the board is refused."""
    key = PlanKey(str(act.get("plan")))
    with problems_kept():
        match act.get("act"):
            case "place":
                _place(held, key, act)
            case "status":
                was, status = _status(act.get("was")), _status(act.get("status"))
                if was is not None and status is not None:
                    held.studio.gateway.by_hand.move(key, status, was=was)
            case "facts":
                this_tab().studio.step_of_facts = key


def _status(value: object) -> PlanStatus | None:
    with suppress(ValueError):
        return PlanStatus(str(value))
    return None


def _place(held: OpenStudio, key: PlanKey, act: Act) -> None:
    plans, desk = held.studio.stores.plans, this_tab().studio
    step, lane, before, as_of = plans.plan(key), act.get("lane"), act.get("before"), act.get("as_of")
    if step is None or not isinstance(lane, str) or lane not in storylines(plans.all()):
        raise InputError(
            "plan.no_such_place", title=step.title[:80] if step else str(key)[:40], storyline=str(lane)[:80]
        )
    back = _standing(step, plans.children(step.parent))
    seen = Seen(
        storyline=str(act.get("was")),
        placements=max(as_of if isinstance(as_of, int) else 0, desk.own_moves.get(key, 0)),
    )
    place = Placement(plan=key, storyline=lane, before=PlanKey(before) if isinstance(before, str) else None)
    held.studio.gateway.by_hand.place(place, seen)
    desk.own_moves[key] = held.studio.gateway.by_hand.placements
    desk.moved.append(Moved(step.title, lane, back))


def _standing(step: Plan, siblings: Sequence[Plan]) -> Placement:
    """Where a step stands among its siblings of its storyline."""
    lane = [plan.key for plan in siblings if plan.storyline == step.storyline]
    behind = lane[lane.index(step.key) + 1 :]
    return Placement(plan=step.key, storyline=step.storyline, before=behind[0] if behind else None)


def _draw_last_move(held: OpenStudio, lang: Lang) -> None:
    moved = this_tab().studio.moved
    with st.container(horizontal=True, vertical_alignment="center", key="studio-board-moved"):
        words = t("studio.board_help", lang)
        if moved:
            last = moved[-1]
            lane = last.storyline or t("studio.storyline_none", lang)
            words = t("studio.board_moved", lang, title=last.title, lane=lane)
        draw(box("p", "muted small text", words), key="studio-board-words")
        if moved:
            button(t("studio.board_undo", lang), "studio-board-undo", partial(_undo, held), icon="undo")


def _undo(held: OpenStudio) -> None:
    desk = this_tab().studio
    last = desk.moved.pop()
    with problems_kept():
        seen = Seen(storyline=last.storyline, placements=desk.own_moves.get(last.back.plan, 0))
        held.studio.gateway.by_hand.place(last.back, seen)
        desk.own_moves[last.back.plan] = held.studio.gateway.by_hand.placements
