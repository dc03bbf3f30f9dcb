"""A node, beside the graph: topic, summary, keywords, state, how it came about, and the raw text it stands on."""

from __future__ import annotations

import streamlit as st

from memorybank.bank import MemoryBank
from memorybank.errors import InputError
from memorybank.tools.deep_retrieval import DeepEntry, view
from memorybank.types import Lang, MergeEvent, Node, NodeId
from memorybank.ui import state
from memorybank.ui.display import clip
from memorybank.ui.graph.component import select
from memorybank.ui.graph.model import node_label
from memorybank.ui.i18n import t
from memorybank.ui.links import follow, link, turn_page
from memorybank.ui.panels.entries import entry_head
from memorybank.ui.playback import Moment
from memorybank.ui.rich import Box, box, chip, draw

MOST_RAW = 6_000
"""Characters of raw text in the card; all of it is on the Tree page."""


def draw_node_card(node_id: NodeId, moment: Moment, lang: Lang) -> None:
    bank = moment.bank
    live = bank.graph.successor(node_id)
    node = bank.graph.nodes[live]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        if st.button(
            t("action.open_tree", lang), key="open-tree", icon=":material/account_tree:", help=t("tree.open_help", lang)
        ):
            follow(link("tree", live))
            turn_page()
        st.button(
            t("action.close", lang),
            key="close-node",
            icon=":material/close:",
            type="tertiary",
            on_click=select,
            args=(state.GRAPH,),
        )
    try:
        entries = view(bank, live).entries
    except InputError:
        entries = ()
    draw(
        [
            box(
                "div",
                "stack",
                _moved(node_id, live, node, lang),
                box("div", "", box("p", "label", t("node.context", lang)), box("p", "text strong", node.context)),
                _states(live, moment, lang),
                box("div", "", box("p", "label", t("node.summary", lang)), box("p", "text", node.summary)),
                _keywords(node, lang),
                _lineage(live, bank, lang),
                _neighbours(node, bank, lang),
                _raw(entries, lang),
            )
        ],
        key="node-card",
    )


def _moved(asked: NodeId, live: NodeId, node: Node, lang: Lang) -> Box | None:
    if asked == live:
        return None
    return box("p", "notice merge text", t("node.merged_into", lang, topic=node_label(node, lang)))


def states_of(node_id: NodeId, moment: Moment) -> list[tuple[str, str]]:
    """Key of the words and look of the chip, for all that holds."""
    found = []
    conflict = moment.bank.disputed().get(node_id)
    if conflict is not None:
        is_open = node_id in moment.bank.under_validation()
        found.append(("state.conflict", "conflict") if is_open else ("state.disputed", "disputed"))
    if node_id in moment.merged:
        found.append(("state.merged", "merge"))
    if node_id in moment.new:
        found.append(("state.new", "new"))
    return found or [("state.normal", "node")]


def _states(node_id: NodeId, moment: Moment, lang: Lang) -> Box:
    chips = [chip(t(words, lang), look) for words, look in states_of(node_id, moment)]
    return box("div", "row", *chips, box("span", "muted small mono", node_id))


def _keywords(node: Node, lang: Lang) -> Box | None:
    if not node.keywords:
        return None
    words = [box("span", "chip", clip(word, 40)) for word in node.keywords]
    return box("div", "", box("p", "label", t("node.keywords", lang)), box("div", "row", *words))


def merges_into(node_id: NodeId, bank: MemoryBank) -> list[MergeEvent]:
    """Standing merges that led to a node, the last one first, those behind its sources after it."""
    found: list[MergeEvent] = []
    wanted = [node_id]
    while wanted:
        target = wanted.pop(0)
        for merge in bank.tree.merge_events.values():
            if merge.new_node_id == target and not merge.undone:
                found.append(merge)
                wanted.extend(merge.merged_node_ids)
    return found


def _lineage(node_id: NodeId, bank: MemoryBank, lang: Lang) -> Box | None:
    merges = merges_into(node_id, bank)
    if not merges:
        return None
    lines = []
    for merge in merges:
        standing = bank.graph.merges.get(merge.id)
        topics = [source.context for source in standing.sources] if standing else list(merge.merged_node_ids)
        lines.append(
            box(
                "div",
                "card merge gap",
                box("div", "row", chip(t(f"merge.trigger.{merge.trigger}", lang), "merge")),
                *(box("p", "text", f"• {topic}") for topic in topics),
                box("p", "text muted small", merge.description),
            )
        )
    return box("div", "", box("p", "label", t("node.merged_from", lang)), *lines)


def _neighbours(node: Node, bank: MemoryBank, lang: Lang) -> Box:
    near = [
        box("p", "text", node_label(other, lang), choose=link("node", other.id), title=other.context)
        for other in bank.graph.neighbours(node.id)
    ]
    none = box("p", "muted", t("node.links_none", lang))
    return box("div", "", box("p", "label", t("node.links", lang)), *(near or [none]))


def _raw(entries: tuple[DeepEntry, ...], lang: Lang) -> Box:
    left = MOST_RAW
    shown = []
    for one in entries:
        if left <= 0:
            break
        text = one.text[:left]
        left -= len(text)
        cut = "…" if len(text) < len(one.text) else None
        shown.append(box("div", "gap", entry_head(one.entry, lang), box("p", "raw", text, cut)))
    hidden = len(entries) - len(shown)
    rest = box("p", "muted small gap", t("node.more_entries", lang, count=hidden)) if hidden else None
    return box("div", "raw-text", box("p", "label", t("node.entries", lang)), *shown, rest)
