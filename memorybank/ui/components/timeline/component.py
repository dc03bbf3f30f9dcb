"""The slider over all events, in a Streamlit component of the second kind. What it says is `state.look_at`.

Streamlit's own slider waits 200 ms before it tells. This one tells every 80 ms, and always its last place.
"""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.runs.stages import place_at
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import sent_by, this_tab
from memorybank.views.box import aside
from memorybank.views.drawing.beside import text_beside
from memorybank.views.graph.style import NODE_LOOKS
from memorybank.views.i18n import t
from memorybank.views.run.commits import Records, borders_of, marks_of

_read = functools.partial(text_beside, __package__)

if TYPE_CHECKING:
    from memorybank.hosting.run import Run

KEY = "timeline"
MOST_MARKS = 400
"""The most marks on the track; more would overlap, so the newest are drawn."""


class _Components(NamedTuple):
    slider: Any
    shown: Any


def draw_timeline(worker: Run, lang: Lang, *, moments: tuple[int, ...] = ()) -> None:
    """Draw the slider at the moment that the tab looks at, the way to the stages beside it, and the way back to now.

    `moments`: those named A and B.
    """
    records, borders = worker.records, borders_of(worker.records)
    _take()  # what was said in a run that another one cut short
    at = state.at_event()
    k = len(records) if at is None else at
    marks = marks_of(records)[-MOST_MARKS:]
    where = _where(records, k, lang)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small", key="timeline-row"):
        before = bisect_left(borders, k)
        _button("stage_back", "skip_previous", borders[before - 1] if before else 0 if k else None, lang)
        with st.container(width="stretch"):
            _components().slider(
                key=KEY,
                data={
                    "k": at,
                    "n": len(records),
                    "heard": this_tab().browser.heard.get(KEY, 0),
                    "label": t("replay.timeline.label", lang),
                    "where": where,
                    # A tuple: Streamlit asks of a list whether it is a data frame, and imports pandas for that.
                    "marks": (*marks, *((seq, "ab") for seq in moments)),
                },
                on_said_change=_take,
            )
        after = bisect_right(borders, k)
        _button("stage_forward", "skip_next", borders[after] if after < len(borders) else None, lang)
        with st.container(width="content"):
            draw(aside(where), key="timeline-where")
        if at is not None:
            now, act = t("replay.timeline.now", lang), partial(state.look_at, None)
            button(now, "timeline-now", act, look="tertiary", help_text=t("replay.timeline.now_help", lang))


def _button(name: str, icon: str, target: int | None, lang: Lang) -> None:
    """Draw a button that leads to the moment `target`; where that is None, there is none to go to."""
    words = t(f"replay.timeline.{name}", lang)
    button(
        words,
        f"timeline-{name}",
        partial(state.look_at, target),
        icon=icon,
        look="tertiary",
        disabled=target is None,
        help_text=words,
    )


def _where(records: Records, k: int, lang: Lang) -> str:
    place = place_at(records, k)
    values: dict[str, object] = {"k": k, "n": len(records)}
    if place is None:
        return t("replay.timeline.where", lang, **values)
    values["stage"] = t(f"stage.{place.stage}", lang)
    if not place.round:
        return t("replay.timeline.where_stage", lang, **values)
    return t("replay.timeline.where_round", lang, **values, round=place.round)


def mark_shown(at: int) -> None:
    """Say in the page, after all else of a moment was drawn, which moment that is: for whoever measures or tests."""
    _components().shown(key=f"{KEY}-shown", data={"k": at}, height=1)


def _take() -> None:
    """Take the moment to which the slider was moved; a word heard before is the browser's echo, and is dropped."""
    message = sent_by(KEY, "said")
    turn, k = message.get("turn"), message.get("k")
    if not isinstance(turn, int) or turn <= this_tab().browser.heard.get(KEY, 0):
        return
    this_tab().browser.heard[KEY] = turn
    state.look_at(max(0, k) if isinstance(k, int) else None)


@functools.cache
def _components() -> _Components:
    """Register the component, once a process, at the first drawing."""
    colours = "".join(f"  --c-{kind.value}: {look.fill};\n" for kind, look in NODE_LOOKS.items())
    return _Components(
        slider=st.components.v2.component(
            "memorybank_timeline",
            html='<svg preserveAspectRatio="none" aria-hidden="true"></svg>\n<input type="range" min="0" step="1">',
            css=f":host {{\n{colours}}}\n{_read('timeline.css')}",
            js=_read("timeline.js"),
        ),
        shown=st.components.v2.component("memorybank_timeline_shown", html="<i></i>", js=_read("shown.js")),
    )
