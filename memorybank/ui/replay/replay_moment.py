"""The moment that the slider stands at: what happened, the stages, the graph, the Insight Doc."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.events import OBSERVATIONS
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph import HEIGHT, draw_graph, selected_node
from memorybank.ui.graph_page.node_card import draw_node_card
from memorybank.ui.replay.replay_diff import set_moment
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, aside, box, muted, note
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.boxes.insight import insight_box
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.commits import borders_of
from memorybank.views.run.feed import say
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.playback import Moment


def draw_event(moment: Moment, worker: Run, lang: Lang) -> None:
    words, buttons = st.columns([3, 2], vertical_alignment="center", gap="medium")
    with words:
        draw(event_box(moment, worker, lang), key="replay-event")
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
            draw_node_card(chosen, moment, lang)


def _draw_insight(moment: Moment, worker: Run, lang: Lang) -> None:
    if moment.bank.settings is None:
        draw(muted(t("run.opening", lang)), key="insight")
        return
    draw(answer_card(moment, lang, replay=state.is_replay(worker)), insight_box(moment, lang), key="insight")


def _open_fork() -> None:
    this_tab().replay.fork_open = not this_tab().replay.fork_open


def event_box(moment: Moment, worker: Run, lang: Lang) -> Box:
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
        box("div", "row moment-links", *_links(item, lang), _counts(item, worker, lang)),
    )


def _links(item: FeedItem, lang: Lang) -> list[Box]:
    links = []
    for kind, id_ in item.targets:
        links.append(box("span", "cite", t(f"replay.moment.open.{kind}", lang), choose=link(kind, id_), title=id_))
    return links


def _counts(item: FeedItem, worker: Run, lang: Lang) -> Box | None:
    """A fact is true once its stage has ended; before, the memory below does not show it yet."""
    k = state.at_event()
    event: Any = item.record.event
    if k is None or isinstance(event, OBSERVATIONS):
        return None
    borders = borders_of(worker.records)
    place = bisect_left(borders, item.seq)
    if place == len(borders):
        return aside(t("replay.moment.counts_not", lang))
    if borders[place] <= k:
        return None
    words = t("replay.moment.counts", lang, seq=borders[place])
    return box("span", "muted small", words, choose=link("moment", borders[place]))
