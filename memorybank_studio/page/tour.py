"""The tour of the demo project: above the views, one sentence a step, what to type or where to look.

A step may be done by its button, which does what the author would do with the page's own parts. It can be left at any
time; the project stays.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import aside, box, chip, muted, row_of
from memorybank.views.i18n import t
from memorybank_studio.page import desk
from memorybank_studio.page.demo import DemoStep, demo
from memorybank_studio.page.shelf import OpenStudio, shelf
from memorybank_studio.page.tab import DRAFT_TEXT, FACTS_ENTITY, studio_tab, turn_to


def begin(lang: Lang) -> str:
    """A new studio for the demo; its id. It is filled when it is opened."""
    return shelf().add(demo(lang).title, lang, demo=True)


def start() -> None:
    studio_tab().desk.tour.step = 0


def leave() -> None:
    studio_tab().desk.tour.step = None


def draw_tour(held: OpenStudio, lang: Lang) -> None:
    if held.card.recorded:
        draw(
            row_of(chip(t("studio.is_recorded", lang)), muted(t("studio.recorded_note", lang))), key="studio-recording"
        )
    if not held.card.demo:
        return
    if studio_tab().desk.tour.step is None:
        button(t("studio.tour_start", lang), "studio-tour-start", start, icon="school", look="tertiary")
        return
    steps = demo(held.card.lang).steps
    place = min(studio_tab().desk.tour.place, len(steps) - 1)
    step = steps[place]
    _look(step, place)
    with st.container(border=True, gap="small", key="studio-tour"):
        where = aside(t("studio.tour_place", lang, step=place + 1, total=len(steps)))
        typed = "\n".join(filter(None, (step.title if step.send else "", step.send or step.draft.strip())))
        draw(
            box(
                "div",
                "tour",
                row_of(where),
                box("p", "tour-sentence text", step.words),
                box("pre", "raw gap", typed) if typed else None,
            ),
            key="studio-tour-words",
        )
        _draw_buttons(held, step, place, len(steps), lang)


def _draw_buttons(held: OpenStudio, step: DemoStep, place: int, total: int, lang: Lang) -> None:
    busy = desk.working() is not None
    with st.container(horizontal=True, vertical_alignment="center"):
        button(
            t("studio.tour_previous", lang),
            "studio-tour-previous",
            partial(_go, place - 1),
            icon="arrow_back",
            disabled=place == 0,
        )
        if step.gives or step.confirm or step.draft:
            done = studio_tab().desk.tour.done >= place
            button(
                t("studio.tour_do", lang),
                "studio-tour-do",
                partial(_do, held, step, place, lang),
                icon="keyboard",
                look="secondary" if done else "primary",
                disabled=busy or (step.confirm and not _has_table(held)),
            )
        button(
            t("studio.tour_next", lang),
            "studio-tour-next",
            partial(_go, place + 1),
            icon="arrow_forward",
            disabled=busy or place + 1 >= total,
        )
        st.space("stretch")
        button(t("studio.tour_leave", lang), "studio-tour-leave", leave, icon="close", look="tertiary")


def _look(step: DemoStep, place: int) -> None:
    """Turn to the view that a step speaks of, once: from there on the reader goes where they like."""
    if studio_tab().desk.tour.seen == place:
        return
    studio_tab().desk.tour.seen = place
    turn_to(step.view, step.part)
    if step.entity:
        FACTS_ENTITY.set(step.entity)


def _go(place: int) -> None:
    studio_tab().desk.tour.step = max(0, place)


def _has_table(held: OpenStudio) -> bool:
    task = desk.current(held)
    return task is not None and desk.table(held, task) is not None


def _do(held: OpenStudio, step: DemoStep, place: int, lang: Lang) -> None:
    """What the author would do now."""
    from memorybank_studio.page import autosave, draft, settling

    studio_tab().desk.tour.done = place
    turn_to(step.view)
    if step.gives:
        desk.give(held, step.send, command=step.command, argument=step.title)
    elif step.confirm:
        settling.confirm_current(held)
    else:
        autosave.begin(held, DRAFT_TEXT.key)
        DRAFT_TEXT.set(step.draft.strip())
        autosave.save(held, DRAFT_TEXT.key, step.draft.strip())
        if held.studio.gateway.by_hand.can_check:
            draft.check(held, step.draft.strip())
