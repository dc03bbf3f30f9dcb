"""A node, beside the graph: topic, summary, keywords, state, how it came about, and the raw text it stands on.

The Session page shows it short; the Graph page gives it `details`, and it tells its whole story.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from memorybank.errors import InputError
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang, Node, NodeId
from memorybank.tools.deep_retrieval import view
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph_details import Details
from memorybank.ui.graph_page.graph_story import conflict_line, links_of
from memorybank.ui.graph_page.graph_tools import search_for
from memorybank.ui.graph_page.why_choice import draw_why_button
from memorybank.ui.shell import state
from memorybank.ui.shell.links import follow, turn_page
from memorybank.ui.shell.selections import select
from memorybank.views.box import Box, box, label, labelled, row_of, stack_of
from memorybank.views.boxes.conflict_evidence import checks_box, summary_box
from memorybank.views.boxes.entries import entry_head
from memorybank.views.boxes.node_story import history_of, neighbour_lines, origin_of
from memorybank.views.boxes.state import node_chips
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.badge import chip_of
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip

MOST_RAW = 6_000
"""Characters of raw text in the card; all of it is on the Tree page."""


def draw_node_card(node_id: NodeId, moment: Moment, lang: Lang, *, details: Details | None = None) -> None:
    """The card of a node that is in the memory at this moment, or of what it was merged into."""
    bank = moment.bank
    live = bank.graph.successor(node_id)
    node = bank.graph.nodes[live]
    with st.container(horizontal=True, vertical_alignment="center", key="node-actions"):
        if st.button(
            t("action.open_tree", lang),
            key="open-tree",
            icon=":material/account_tree:",
            help=t("tree.open_help", lang),
            type="tertiary",
        ):
            follow(link("tree", live))
            turn_page()
        made = bank.tree.merge_events.values()
        merge = next((each for each in made if each.new_node_id == live and not each.undone), None)
        if merge is not None:
            st.button(
                t("node.why_merged", lang),
                key="why-merged",
                icon=":material/call_merge:",
                help=t("node.why_merged_help", lang),
                type="tertiary",
                on_click=follow,
                args=(link("merge", merge.id),),
            )
        if details is not None and details.stories[live].comparisons:
            draw_why_button(live, lang)
        st.space("stretch")
        st.button(
            t("action.close", lang),
            key="close-node",
            icon=":material/close:",
            type="tertiary",
            on_click=select,
            args=(state.GRAPH,),
        )
    conflict = bank.disputed().get(live) if details is not None else None
    contested = conflict_line(conflict.id, details, lang) if details is not None and conflict is not None else None
    draw(stack_of(*_head(node_id, node, moment, lang), contested), key="node-head")
    if details is not None:
        _draw_tabs(node, details, lang)
    else:
        links = labelled(t("node.links", lang), *neighbour_lines(live, bank, lang))
        draw(stack_of(*_about(node, moment, lang), links, _raw(live, bank, lang)), key="node-card")


def _head(wanted: NodeId, node: Node, moment: Moment, lang: Lang) -> tuple[Box | None, ...]:
    return (
        _moved(wanted, node.id, node, lang),
        labelled(t("node.context", lang), box("p", "text strong", node.context)),
        _states(node.id, moment, lang),
    )


def _about(node: Node, moment: Moment, lang: Lang, *, leads: bool = False) -> tuple[Box | None, ...]:
    made_by = chip_of(moment.origin, lang, replay=state.at_event() is not None)
    summary = box("div", "", row_of(label(t("node.summary", lang)), made_by), summary_box(node, lang))
    return summary, checks_box(node, moment.bank, lang), _keywords(node, lang, leads=leads)


def _draw_tabs(node: Node, details: Details, lang: Lang) -> None:
    """The whole story, a part at a time; only what is open is drawn."""
    story = details.stories[node.id]
    counts = {
        "links": sum(node.id in edge.ends for edge in details.edges.values()),
        "history": sum(step.kind not in ("created", "imported") for step in story.steps),
    }
    parts: dict[str, Callable[[], Sequence[Box | None]]] = {
        "about": lambda: (*_about(node, details.moment, lang, leads=True), origin_of(story, details, lang)),
        "links": lambda: (links_of(node, details, lang),),
        "history": lambda: (history_of(story, details, lang),),
        "raw": lambda: (_raw(node.id, details.moment.bank, lang),),
    }
    names = [t(f"graph.card.tab.{name}", lang, count=counts.get(name, 0)) for name in parts]
    for tab, (name, build) in zip(st.tabs(names, key="node-tabs", on_change="rerun"), parts.items(), strict=True):
        if tab.open:
            with tab:
                draw(stack_of(*build()), key=f"node-{name}", on_choose=choose)


def choose(what: str) -> None:
    """What was clicked in a card or a list: an edge is selected, a keyword is searched for, all else is a link."""
    kind, _, rest = what.partition(":")
    if kind == "edge":
        select(state.GRAPH, edge=rest)
    elif kind == "keyword":
        search_for(rest)
    else:
        follow(what)


def _moved(wanted: NodeId, live: NodeId, node: Node, lang: Lang) -> Box | None:
    if wanted == live:
        return None
    return box("p", "notice merge text", t("node.merged_into", lang, topic=node_label(node, lang)))


def _states(node_id: NodeId, moment: Moment, lang: Lang) -> Box:
    return row_of(*node_chips(node_id, moment, lang), box("span", "muted small mono", node_id))


def _keywords(node: Node, lang: Lang, *, leads: bool) -> Box | None:
    """`leads`: a click shows the nodes that have the keyword, too."""
    if not node.keywords:
        return None
    words = [
        box(
            "span",
            "chip gr-word",
            clip(word, 40),
            choose=f"keyword:{word}" if leads else "",
            title=t("graph.card.filter_keyword", lang) if leads else "",
        )
        for word in node.keywords
    ]
    return labelled(t("node.keywords", lang), row_of(*words))


def _raw(node_id: NodeId, bank: MemoryState, lang: Lang) -> Box:
    try:
        entries = view(bank, node_id).entries
    except InputError:
        entries = ()
    left = MOST_RAW
    shown = []
    for source in entries:
        if left <= 0:
            break
        text = source.text[:left]
        left -= len(text)
        cut = "…" if len(text) < len(source.text) else None
        head = box("div", "", entry_head(source.entry, lang), choose=link("entry", source.entry.id))
        shown.append(box("div", "gap", head, box("p", "raw", text, cut)))
    hidden = len(entries) - len(shown)
    rest = box("p", "muted small gap", t("node.more_entries", lang, count=hidden)) if hidden else None
    return box("div", "raw-text", label(t("node.entries", lang)), *shown, rest)
