"""A run on the Session page: one screen. Its head says how it stands and what can be done; below are the answer, the
graph, the conflicts or the feed, and beside them the Insight Doc. Where a story plays, the graph has the screen.

The places are laid out once; one fragment fills them. While the run goes on it looks twice a second, and what has not
changed since stays as it is on the page.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.embedding.process import EmbeddingProcess
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.session.phase import Phase
from memorybank.ui.components.problems import guarded, problem_box
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph import HEIGHT, details_of, draw_graph, selected_node
from memorybank.ui.graph_page.node_card import draw_node_card
from memorybank.ui.session.controls import draw_controls
from memorybank.ui.session.feed import draw_feed
from memorybank.ui.session.hand import draw_hand
from memorybank.ui.session.refiling import left_out_box, unread_box
from memorybank.ui.shell import course, state
from memorybank.ui.shell.memo import kept, past, remembered
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.widgets import SESSION_VIEW
from memorybank.views.box import Box, box, muted, note
from memorybank.views.boxes.answer_card import answer_card, earlier_answers, earlier_box
from memorybank.views.boxes.dispute_lines import disputes_box
from memorybank.views.boxes.insight import insight_box
from memorybank.views.boxes.state import state_box
from memorybank.views.i18n import t
from memorybank.views.problems import explain
from memorybank.views.run.playback import Moment
from memorybank.views.story import scene_card

POLL = 0.5
"""Seconds between two looks at a run that goes on."""
FRAGMENT = "run-live"
View = Literal["answer", "graph", "conflicts", "feed"]
VIEWS: tuple[View, ...] = ("answer", "graph", "conflicts", "feed")


class _Places(NamedTuple):
    """Where the fragment draws; made outside it, for a place that is made anew is sent anew."""

    head: DeltaGenerator
    view: DeltaGenerator
    pane: DeltaGenerator
    beside: DeltaGenerator


def draw_run(worker: Run, lang: Lang) -> None:
    busy, begun, is_staged = worker.busy, worker.session is not None, course.is_staged()
    head = st.container(horizontal=True, vertical_alignment="center", key="run-head", gap="small")
    places = _Places(head.container(key="run-state"), *_lay_out(worker, lang, is_staged=is_staged))
    if not is_staged:  # whoever watches the story gives no orders
        with head:
            draw_controls(worker, state.moment(worker), lang)
    with places.head:  # what the fragment draws in its own place needs no other
        st.fragment(_draw_live, key=FRAGMENT, run_every=POLL if busy else None)(worker, places, lang, (busy, begun))


def _lay_out(worker: Run, lang: Lang, *, is_staged: bool) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    if not is_staged:
        draw_hand(worker, lang)
    left, right = st.columns([7, 3] if is_staged else [3, 2], gap="small" if is_staged else "medium")
    view = left.container(key="run-view")
    return (
        view,
        left.container(key="run-pane", height=HEIGHT, border=False),
        right.container(height=HEIGHT, key="beside"),
    )


@guarded
def _draw_live(worker: Run, places: _Places, lang: Lang, drawn: tuple[bool, bool]) -> None:
    """Everything that changes while the run goes on. `drawn` tells of the page around it whether the run was busy and
    its session there: what a person is asked for can be drawn only then."""
    now = worker.busy, worker.session is not None  # before the records are read: what comes after is seen next time
    worker.see()
    moment = state.moment(worker)
    is_staged = course.is_staged()
    if not is_staged:
        activity = worker.session.activity if worker.session is not None and state.at_event() is None else None
        draw(
            state_box(moment, worker.phase, lang, activity, waits_for=_waits_for(worker, lang)),
            *_note(worker, lang),
            left_out_box(moment.bank, lang),
            unread_box(moment.bank, moment.origin.engine, lang),
            key="run-top",
        )
    with places.view:
        view: View = "graph" if is_staged else _choose(moment, lang)
    with places.pane:
        _draw_view(view, worker, moment, lang)
    with places.beside:
        _draw_beside(worker, moment, lang)
    if now != drawn:
        st.rerun()


def _choose(moment: Moment, lang: Lang) -> View:
    """Until the reader has chosen, the graph while the run works, and the answer once it is there."""
    counts = {"graph": len(moment.bank.graph.nodes), "conflicts": len(moment.disputes)}
    fitting = "answer" if moment.bank.progress.answer.strip() else "graph"
    # Set at every look, a value that is on its way to the browser would take back what is pressed meanwhile.
    if not SESSION_VIEW.is_chosen() and SESSION_VIEW.held() != fitting:
        SESSION_VIEW.set(fitting)

    def words(name: View) -> str:
        count = counts.get(name)
        return t(f"session.view.{name}", lang) + (f" {count}" if count else "")

    return draw_switch(t("session.view", lang), VIEWS, words, key=SESSION_VIEW.key, on_change=SESSION_VIEW.choose)


def _draw_view(view: View, worker: Run, moment: Moment, lang: Lang) -> None:
    if view == "graph":
        with st.container(key="run-graph"):
            draw_graph(moment, lang)
    elif view == "conflicts":
        name = ("disputes", *past(worker.run_id, worker.records, moment.at), lang)
        draw(kept(name, lambda: disputes_box(moment, lang)), key="disputes")
    elif view == "feed":
        draw_feed(moment.feed, lang)
    else:
        card = answer_card(moment, lang, replay=state.is_replay(worker))
        earlier = earlier_box(remembered(worker.run_id, worker.records, moment.at, earlier_answers), lang)
        none = muted(t("run.answer_none", lang)) if card is None else None
        draw(*filter(None, (card, none, earlier)), key="answer")


def _draw_beside(worker: Run, moment: Moment, lang: Lang) -> None:
    """The card of the node that is selected, else what the scene is about, else the Insight Doc."""
    chosen, scene = selected_node(moment.bank), course.current_scene(worker) if course.is_staged() else None
    if chosen is not None:
        draw_node_card(chosen, details_of(worker.run_id, worker.records, moment), lang)
        return
    card = scene_card(scene, moment, lang) if scene is not None else None
    if card is not None and scene is not None:
        with st.container(key=f"scene-{scene.kind}"):  # what is read has more room than what is seen (frame.css)
            draw(card, key="scene-card")
        return
    title = box("h3", "part-title", t("layer.insight_doc", lang))
    if moment.bank.settings is None:
        draw(title, muted(t("run.opening", lang)), key="insight")
    else:
        draw(title, insight_box(moment, lang), key="insight")


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
        return [problem_box(words, lang, problem.detail)]
    if process is not None and process.choice.note(lang):
        return [note(process.choice.note(lang))]
    return []
