"""A run on the Session page. It reads the run's records, draws the moment, and polls only while something happens.

The places are laid out once; one fragment fills them. While the run goes on it looks twice a second, and what has not
changed since is not sent again (components/rich/live.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.embedding.process import EmbeddingProcess
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.session.phase import Phase
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich.live import draw_live
from memorybank.ui.graph_page.graph import HEIGHT, draw_graph, selected_node
from memorybank.ui.graph_page.node_card import draw_node_card
from memorybank.ui.session.answer import draw_answer
from memorybank.ui.session.controls import draw_controls, draw_watched
from memorybank.ui.session.feed import draw_feed, draw_feed_filter
from memorybank.ui.session.hand import draw_hand
from memorybank.ui.session.refiling import left_out_box
from memorybank.ui.shell import course, state
from memorybank.ui.shell.memo import kept, past
from memorybank.views.box import Box, box, muted, note, stack_of
from memorybank.views.boxes.disputes import disputes_box
from memorybank.views.boxes.engine_limits import limits_box, unread_box
from memorybank.views.boxes.insight import insight_box
from memorybank.views.boxes.strip import state_box, strip_box
from memorybank.views.i18n import t
from memorybank.views.problems import explain
from memorybank.views.run.badge import OFFLINE, Origin
from memorybank.views.run.playback import Moment
from memorybank.views.story import scene_card

POLL = 0.5
"""Seconds between two looks at a run that goes on."""


FRAGMENT = "run-live"


def _redraw() -> None:
    """For callbacks: only what is live is drawn again."""
    st.rerun(FRAGMENT)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the fragment draws; made outside it, for a place that is made anew is sent anew."""

    top: DeltaGenerator
    graph: DeltaGenerator
    beside: DeltaGenerator
    disputes: DeltaGenerator
    feed: DeltaGenerator


def draw_run(worker: Run, lang: Lang) -> None:
    busy = worker.busy
    answer = st.container(key="run-answer", gap="small")
    if worker.takes_orders and not course.is_on():  # whoever watches the story gives no orders
        draw_controls(worker, state.moment(worker), lang)
    elif not worker.takes_orders:
        draw_watched(worker, lang)
    draw_hand(worker, lang)
    places = _lay_out(lang)
    with answer:  # what the fragment draws in its own place needs no other
        st.fragment(_draw_live, key=FRAGMENT, run_every=POLL if busy else None)(worker, places, lang, busy)


def _lay_out(lang: Lang) -> _Places:
    top = st.container(key="run-top", gap="small")
    graph, right = st.columns([3, 2], gap="medium")
    beside = right.container(height=HEIGHT, border=True, key="beside")
    left, right = st.columns([3, 2], gap="medium")
    left.subheader(t("events.title", lang), anchor=False)
    with right.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(t("feed.title", lang), anchor=False, width="content")
        draw_feed_filter(lang, _redraw)
    feed = right.container(height=HEIGHT, border=True, key="feed-box")
    return _Places(top, graph.container(key="run-graph"), beside, left.container(key="run-disputes"), feed)


@guarded
def _draw_live(worker: Run, places: _Places, lang: Lang, was_busy: bool) -> None:
    """Everything that changes while the run goes on."""
    busy = worker.busy  # before the records are read: what comes after is seen at the next look
    worker.see()
    moment = state.moment(worker)
    draw_answer(worker, moment, lang)
    with places.top:
        draw_live(_top(worker, moment, lang), key="run-top-live")
    with places.graph:
        draw_graph(moment, lang)
    with places.beside:
        _draw_beside(worker, moment, lang)
    with places.disputes:
        name = ("disputes", *past(worker.run_id, worker.records, moment.at), lang)
        draw_live(kept(name, lambda: disputes_box(moment, lang)), key="disputes")
    with places.feed:
        draw_feed(moment.feed, lang)
    if busy != was_busy:
        st.rerun()


def _top(worker: Run, moment: Moment, lang: Lang) -> list[Box]:
    is_newest = state.at_event() is None
    activity = worker.session.activity if worker.session is not None and is_newest else None
    return [
        stack_of(
            state_box(moment, worker.phase, lang, waits_for=_waits_for(worker, lang)),
            *_note(worker, lang),
            left_out_box(moment.bank, lang),
            strip_box(moment.strip, lang, activity, lit=course.lit_stage()),
            limits_box(lang) if moment.origin == Origin(engine=OFFLINE) and not course.is_on() else None,
            unread_box(moment.bank, moment.origin.engine, lang),
        )
    ]


def _draw_beside(worker: Run, moment: Moment, lang: Lang) -> None:
    """The card of the node that is selected, else what the scene is about, else the Insight Doc."""
    chosen, scene = selected_node(moment.bank), course.current_scene(worker)
    if chosen is not None:
        draw_node_card(chosen, moment, lang)
        return
    # The answer stands above, but for a room, which sees one screen.
    is_above = scene is not None and scene.kind == "answer" and not state.presenting()
    card = scene_card(scene, moment, lang) if scene is not None and not is_above else None
    if card is not None:
        draw_live(card, key="scene-card")
        return
    title = box("h3", "part-title", t("layer.insight_doc", lang))
    if moment.bank.settings is None:
        draw_live(title, muted(t("run.opening", lang)), key="insight")
    else:
        draw_live(title, insight_box(moment, lang), key="insight")


def _waits_for(worker: Run, lang: Lang) -> str:
    process = _process(worker)
    loading = process is not None and process.state == "loading" and worker.busy
    return t("model.loading", lang, model=process.name) if process is not None and loading else ""


def _process(worker: Run) -> EmbeddingProcess | None:
    embedder = worker.session.parts.embedder if worker.session is not None else None
    return embedder if isinstance(embedder, EmbeddingProcess) else None


def _note(worker: Run, lang: Lang) -> list[Box]:
    """What stopped the run, or that another model serves than the one wanted."""
    process = _process(worker)
    if worker.error is not None:
        problem = explain(worker.error, lang)
        stopped = worker.phase is Phase.FAILED
        words = t("error.unexpected", lang, message=problem.words) if stopped else problem.words
        return [
            box(
                "div",
                "notice failure",
                box("p", "strong", t("error.title", lang)),
                box("p", "text", words),
                box("p", "muted small text", problem.detail) if problem.detail else None,
            )
        ]
    if process is not None and process.choice.note(lang):
        return [note(process.choice.note(lang))]
    return []
