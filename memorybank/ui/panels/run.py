"""A run on the Session page. It reads the run's records, draws the moment, and polls only while something happens."""

from __future__ import annotations

import streamlit as st

from memorybank.embedding.process import EmbeddingProcess
from memorybank.types import ConflictStatus, Lang, MergeEvent
from memorybank.ui import state
from memorybank.ui.i18n import t
from memorybank.ui.orders import Phase
from memorybank.ui.panels.conflicts import conflict_card, merge_card
from memorybank.ui.panels.controls import draw_controls, draw_watching
from memorybank.ui.panels.feed import draw_feed
from memorybank.ui.panels.graph import HEIGHT, draw_graph, selected_node
from memorybank.ui.panels.insight import draw_insight
from memorybank.ui.panels.node_card import draw_node_card
from memorybank.ui.panels.problems import draw_problem
from memorybank.ui.panels.strip import draw_state, draw_strip
from memorybank.ui.playback import Moment
from memorybank.ui.problems import explain
from memorybank.ui.rich import box, draw
from memorybank.ui.watcher import Watcher
from memorybank.ui.worker import Worker

POLL = 0.7
"""Seconds between two looks at a run that goes on."""


def draw_run(worker: Worker | Watcher, lang: Lang) -> None:
    busy = worker.busy
    if isinstance(worker, Watcher):
        draw_watching(lang)
    else:
        draw_controls(worker, state.moment(worker), lang)
    st.fragment(_draw_live, run_every=POLL if busy else None)(worker, lang, busy)


def _draw_live(worker: Worker | Watcher, lang: Lang, was_busy: bool) -> None:
    """Everything that changes while the run goes on."""
    busy = worker.busy  # before the records are read: what comes after is seen at the next look
    worker.see(state.tab())
    moment = state.moment(worker)
    draw_state(moment, worker.phase, lang, waits_for=_waits_for(worker, lang))
    _draw_note(worker, lang)
    draw_strip(moment.strip, lang)
    graph, beside = st.columns([3, 2], gap="medium")
    with graph:
        draw_graph(moment, lang)
    with beside.container(height=HEIGHT, border=True, key="beside"):
        chosen = selected_node(moment.bank)
        if chosen is None:
            st.subheader(t("layer.insight_doc", lang), anchor=False)
            draw_insight(moment, lang)
        else:
            draw_node_card(chosen, moment, lang)
    events, feed = st.columns([3, 2], gap="medium")
    with events:
        _draw_events(worker, moment, lang)
    with feed:
        st.subheader(t("feed.title", lang), anchor=False)
        with st.container(height=HEIGHT, border=True, key="feed-box"):
            draw_feed(moment.feed, lang)
    if busy != was_busy:
        st.rerun()


def _waits_for(worker: Worker | Watcher, lang: Lang) -> str:
    process = _process(worker)
    loading = process is not None and process.state == "loading" and worker.busy
    return t("model.loading", lang, model=process.name) if process is not None and loading else ""


def _process(worker: Worker | Watcher) -> EmbeddingProcess | None:
    embedder = worker.session.parts.embedder if worker.session is not None else None
    return embedder if isinstance(embedder, EmbeddingProcess) else None


def _draw_note(worker: Worker | Watcher, lang: Lang) -> None:
    """What stopped the run, or that another model serves than the one wanted."""
    process = _process(worker)
    if worker.error is not None:
        problem = explain(worker.error, lang)
        stopped = worker.phase is Phase.FAILED
        words = t("error.unexpected", lang, message=problem.words) if stopped else problem.words
        draw_problem(words, lang, key="problem-run", detail=problem.detail)
    elif process is not None and process.choice.note(lang):
        draw([box("p", "muted small", process.choice.note(lang))], key="note")


def _draw_events(worker: Worker | Watcher, moment: Moment, lang: Lang) -> None:
    """Conflicts, the open ones first, then merges with their undo."""
    bank = moment.bank
    st.subheader(t("events.title", lang), anchor=False)
    conflicts = sorted(bank.conflicts.all.values(), key=lambda one: int(one.id[1:]), reverse=True)
    conflicts.sort(key=lambda one: one.status is not ConflictStatus.OPEN)
    merges = sorted(bank.tree.merge_events.values(), key=lambda one: int(one.id[1:]), reverse=True)
    if not conflicts and not merges:
        draw([box("p", "muted", t("events.none", lang))], key="events-none")
    for conflict in conflicts:
        draw([conflict_card(conflict, bank, lang)], key=f"conflict-{conflict.id}")
    for merge in merges:
        draw([merge_card(merge, bank, lang)], key=f"merge-{merge.id}")
        if not merge.undone and not isinstance(worker, Watcher):
            _draw_undo(worker, merge, lang)


def _draw_undo(worker: Worker, merge: MergeEvent, lang: Lang) -> None:
    st.button(
        t("action.undo_merge", lang),
        key=f"undo-{merge.id}",
        icon=":material/undo:",
        type="tertiary",
        help=t("action.undo_merge_help", lang),
        disabled=worker.phase is Phase.FAILED,
        on_click=worker.obey,
        args=(lambda session: session.undo_merge(merge.id),),
    )
