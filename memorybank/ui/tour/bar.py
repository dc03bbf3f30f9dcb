"""The bar of the guided tour, above every page: the sentence of a stage, where the reader is, the way on and out.

The tour moves the moment that the pages show (`state.look_at`), lights the stage in the strip and marks the part of the
Session page that the sentence speaks of. A run that still goes on keeps going; the tour follows behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import links, state
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, aside, box, row_of
from memorybank.views.i18n import t

if TYPE_CHECKING:
    from memorybank.hosting.run import Run
    from memorybank.ui.tour.steps import Place, TourStep

POLL = 0.6
"""Seconds between two looks at a run that goes on."""

PARTS: dict[Place, str] = {
    "strip": "run-top",
    "graph": "run-graph",
    "insight": "beside",
    "events": "run-disputes",
    "feed": "feed-box",
}
"""Keys of the parts of the Session page."""


def is_on() -> bool:
    return this_tab().tour.step is not None


def start(lang: Lang) -> None:
    """From the first step, on the Session page; without a run the demo is begun. For callbacks."""
    from memorybank.ui.shell.demo import start_demo

    if this_tab().run is None:
        start_demo(lang)
    if this_tab().run is not None:
        _go(0)
        links.open_page("session")


def leave() -> None:
    """Back to the newest moment. For callbacks."""
    this_tab().tour.step = None
    state.look_at(None)


def settle(worker: Run | None) -> None:
    """Before anything is drawn: show the moment of a step that was asked for, once its stage has ended."""
    if not is_on():
        return
    if worker is None:
        this_tab().tour.step = None
        return
    steps = steps_of(worker)
    tour = this_tab().tour
    if tour.waits and tour.place < len(steps):
        tour.waits = False
        state.look_at(steps[tour.place].seq)


def steps_of(worker: Run) -> tuple[TourStep, ...]:
    """Built anew only when something has happened."""
    from memorybank.ui.shell.memo import remembered
    from memorybank.ui.tour.steps import build_tour

    records = worker.records
    return remembered(worker.run_id, records, len(records), build_tour)


def current_step(worker: Run | None) -> TourStep | None:
    """The step that the tour shows."""
    if worker is None or not is_on():
        return None
    steps, place = steps_of(worker), this_tab().tour.place
    return steps[place] if place < len(steps) else None


def lit_stage() -> str:
    """The stage of the step that the tour shows, to be lit in the strip; empty for none."""
    step = current_step(this_tab().run)
    return step.stage if step is not None else ""


def lit(worker: Run | None) -> str:
    """Key of the part of the page that is spoken of; empty for none."""
    step = current_step(worker)
    return PARTS[step.place] if step is not None else ""


def draw_tour(worker: Run | None, lang: Lang) -> None:
    if worker is None or not is_on():
        return
    steps, place = steps_of(worker), this_tab().tour.place
    step = steps[place] if place < len(steps) else None
    total, live = len(steps), worker.busy
    with st.container(key="tour", border=True, gap="small"):
        draw(_words(step, place, total, live, lang), key="tour-words")
        with st.container(horizontal=True, vertical_alignment="center"):
            _button("previous", "arrow_back", lang, place - 1, disabled=place == 0)
            _button("next", "arrow_forward", lang, place + 1, disabled=place + 1 >= total)
            if step is not None and step.closer:
                st.button(
                    t("tour.closer", lang),
                    key="tour-closer",
                    icon=":material/zoom_in:",
                    type="tertiary",
                    on_click=links.follow,
                    args=(step.closer,),
                )
            st.space("stretch")
            st.button(t("tour.leave", lang), key="tour-leave", icon=":material/close:", type="tertiary", on_click=leave)
    links.turn_page()
    if live and place + 1 >= total:
        st.fragment(_wait, run_every=POLL)(worker, total)


def _words(step: TourStep | None, place: int, total: int, live: bool, lang: Lang) -> Box:
    where = t("tour.place_live", lang, step=place + 1) if live else t("tour.place", lang, step=place + 1, total=total)
    sentence = t(f"tour.{step.kind}", lang, **step.values) if step is not None else t("tour.waiting", lang)
    return box(
        "div",
        "tour",
        row_of(
            box("span", "tour-stage", t(f"stage.{step.stage}", lang)) if step is not None else None,
            aside(where),
            aside(t("tour.waits_next", lang)) if live and place + 1 >= total else None,
        ),
        box("p", "tour-sentence text", sentence),
    )


def _button(name: str, icon: str, lang: Lang, to: int, *, disabled: bool) -> None:
    st.button(
        t(f"tour.{name}", lang),
        key=f"tour-{name}",
        icon=f":material/{icon}:",
        type="primary" if name == "next" else "secondary",
        disabled=disabled,
        on_click=_go,
        args=(to,),
    )


def _go(to: int) -> None:
    tour = this_tab().tour
    tour.step, tour.waits = max(0, to), True


def _wait(worker: Run, total: int) -> None:
    """Draws nothing: only looks whether there is more to tell."""
    worker.see()
    if len(steps_of(worker)) != total or not worker.busy:
        st.rerun()
