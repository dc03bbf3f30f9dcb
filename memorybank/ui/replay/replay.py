"""The Replay page: a slider over all events, and below it the moment, a difference of two, or the branches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.events import SessionForked
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import run_id_of
from memorybank.ui.batch.batch import draw_batch, has_batch
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.components.timeline.component import draw_timeline, mark_shown
from memorybank.ui.graph_page.graph import HEIGHT, details_of, draw_graph, selected_node
from memorybank.ui.graph_page.node_card import draw_node_card
from memorybank.ui.replay.replay_diff import draw_diff, named_moments, set_moment
from memorybank.ui.replay.replay_fork import draw_fork
from memorybank.ui.session.run import POLL
from memorybank.ui.shell import state
from memorybank.ui.shell.button import button
from memorybank.ui.shell.links import clear_focus, focus
from memorybank.ui.shell.saved import compare_listed, open_listed, stored_runs
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import REPLAY_SECTION
from memorybank.views.box import Box, box, muted, note
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.boxes.insight import insight_box
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.feed import say
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.playback import Moment
from memorybank.views.text.quantities import relative_time

Section = Literal["moment", "diff", "branches", "batch"]
SECTIONS: tuple[Section, ...] = ("moment", "diff", "branches", "batch")
"""The last one where there is a batch to show."""


def draw_replay(worker: Run, lang: Lang) -> None:
    busy = worker.busy
    st.fragment(_draw_now, run_every=POLL if busy else None)(worker, lang, busy)


def _draw_section(worker: Run, moment: Moment, lang: Lang) -> None:
    sections = SECTIONS if has_batch() else SECTIONS[:-1]
    if REPLAY_SECTION.held() not in sections:
        REPLAY_SECTION.set(sections[0])
    words = t("replay.section", lang)
    section = draw_switch(words, sections, lambda name: t(f"replay.section.{name}", lang), key=REPLAY_SECTION.key)
    if section == "diff":
        draw_diff(worker, lang)
    elif section == "branches":
        draw_branches(worker, lang)
    elif section == "batch":
        draw_batch(lang, here=worker.run_id)
    else:
        draw_state(worker, moment, lang)


def _follow_link(worker: Run) -> None:
    """A link to a moment led here: stand there. A number that the run does not have is its newest event."""
    wanted = focus("moment")
    clear_focus("moment")  # the slider moves on from there; the same link leads there again
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 10:
        state.look_at(int(wanted) if int(wanted) < len(worker.records) else None)


@guarded
def _draw_now(worker: Run, lang: Lang, was_busy: bool) -> None:
    """What changes while the slider moves, or while the run goes on."""
    worker.see()
    _follow_link(worker)
    is_compared = REPLAY_SECTION.held() == "diff"
    with st.container(key="timeline-card"):
        draw_timeline(worker, lang, moments=named_moments(worker) if is_compared else ())
    moment = state.moment(worker)
    draw_event(moment, lang)
    draw_fork(worker, lang)
    _draw_section(worker, moment, lang)
    mark_shown(moment.at)
    replay = this_tab().replay
    redraw, replay.redraw = replay.redraw, False
    if worker.busy != was_busy or redraw:
        st.rerun()


# -- the branches of a run --------------------------------------------------------------------------------------------


def parent_of(records: Sequence[Record[Any]]) -> SessionForked | None:
    """Return where a run left another one; None for one that is no branch."""
    return next((record.event for record in records if isinstance(record.event, SessionForked)), None)


def draw_branches(worker: Run, lang: Lang) -> None:
    records, stored = worker.records, stored_runs()
    forked = parent_of(records)
    parent = stored.by_run_id(forked.parent_run_id) if forked is not None else None
    if forked is not None and parent is None:
        draw(box("p", "notice", t("replay.branches.parent_gone", lang, seq=forked.parent_seq)), key="parent-gone")
    branches = stored.branches_of(run_id_of(records))
    if forked is None and not branches:
        draw(muted(t("replay.branches.none", lang)), key="no-branches")
    for run in (parent, *branches):
        if run is None:
            continue
        is_parent = run is parent
        seq = forked.parent_seq if is_parent and forked is not None else run.parted
        when = relative_time(run.changed, time.time(), lang)
        words = t(f"replay.branches.{'parent' if is_parent else 'item'}", lang, seq=seq, when=when)
        with st.container(horizontal=True, vertical_alignment="center", key=f"branch-{run.address}"):
            draw(box("p", "text", words), key=f"branch-{run.address}-words")
            pair = (run.address, worker.run_id) if is_parent else (worker.run_id, run.address)
            button(t("runs.compare", lang), f"branch-{run.address}-compare", partial(compare_listed, *pair))
            button(t("runs.open", lang), f"branch-{run.address}-open", partial(open_listed, run.address))


# -- the moment that the slider stands at -----------------------------------------------------------------------------


def draw_event(moment: Moment, lang: Lang) -> None:
    words, buttons = st.columns([3, 2], vertical_alignment="center", gap="medium")
    with words:
        draw(event_box(moment, lang), key="replay-event")
    with buttons.container(horizontal=True, horizontal_alignment="right", gap="small"):
        for name in ("a", "b"):
            st.button(
                t(f"replay.moment.set_{name}", lang),
                key=f"set-{name}",
                icon=":material/flag:",
                on_click=set_moment,
                args=(name,),
            )
        st.button(t("replay.moment.fork", lang), key="fork-here", icon=":material/fork_right:", on_click=_open_fork)


def draw_state(worker: Run, moment: Moment, lang: Lang) -> None:
    """The memory at the moment: the graph, and beside it the Insight Doc or the node that is selected."""
    graph, beside = st.columns([3, 2], gap="medium")
    with graph:
        draw_graph(moment, lang)
    with beside.container(height=HEIGHT, border=True, key="beside"):
        chosen = selected_node(moment.bank)
        if chosen is None:
            st.subheader(t("layer.insight_doc", lang), anchor=False)
            _draw_insight(moment, worker, lang)
        else:
            draw_node_card(chosen, details_of(worker.run_id, worker.records, moment), lang)


def _draw_insight(moment: Moment, worker: Run, lang: Lang) -> None:
    if moment.bank.settings is None:
        draw(muted(t("run.opening", lang)), key="insight")
        return
    draw(answer_card(moment, lang, replay=state.is_replay(worker)), insight_box(moment, lang), key="insight")


def _open_fork() -> None:
    this_tab().replay.fork_open = not this_tab().replay.fork_open


def event_box(moment: Moment, lang: Lang) -> Box:
    """The event's line with its links; for bookkeeping, the line before it."""
    if not moment.at or not moment.feed:
        return muted(t("replay.moment.start", lang))
    item = moment.feed[-1]
    own = item.seq == moment.at
    return box(
        "div",
        "moment",
        None if own else note(t("replay.moment.quiet", lang)),
        box("ol", "feed", box("li", item.tone, box("span", "text", say(item, lang)))),
        box("div", "row moment-links", *_links(item, lang)),
    )


def _links(item: FeedItem, lang: Lang) -> list[Box]:
    links = []
    for kind, id_ in item.targets:
        links.append(box("span", "cite", t(f"replay.moment.open.{kind}", lang), choose=link(kind, id_), title=id_))
    return links
