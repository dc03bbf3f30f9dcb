"""A node, beside the graph: what it says, how it came about, what it is linked with, and the raw text it stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import streamlit as st

from memorybank.errors import InputError
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, Lang, Node, NodeId, Relation
from memorybank.tools.deep_retrieval import view
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph import Details, search_for
from memorybank.ui.graph_page.why import draw_why_button
from memorybank.ui.shell import state
from memorybank.ui.shell.links import follow, turn_page
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import select
from memorybank.views.box import Box, aside, box, chip, label, labelled, muted, row_of, stack_of
from memorybank.views.boxes.conflict_evidence import checks_box, summary_box
from memorybank.views.boxes.conflicts import RELATION_LOOKS
from memorybank.views.boxes.entries import entry_head
from memorybank.views.boxes.node_story import event_link, history_of, more, origin_of
from memorybank.views.boxes.state import node_chips
from memorybank.views.graph.model import node_label
from memorybank.views.graph.style import EdgeKind
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.edges import NodeLink, Reason, reasons_of
from memorybank.views.run.origin import chip_of
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip

MOST_RAW = 6_000
"""The most characters of raw text in the card; all of it is on the Tree page."""
MOST_LINKS = 30
_EDGE_LOOKS = {EdgeKind.CONFLICT: "conflict", EdgeKind.DISPUTED: "disputed"}


def draw_node_card(node_id: NodeId, details: Details, lang: Lang) -> None:
    """Draw the card of a node that is in the memory at this moment, or of what it was merged into."""
    moment, bank = details.moment, details.moment.bank
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
            button(
                t("node.why_merged", lang),
                "why-merged",
                partial(follow, link("merge", merge.id)),
                icon="call_merge",
                look="tertiary",
                help_text=t("node.why_merged_help", lang),
            )
        if details.stories[live].judged:
            draw_why_button(live, lang)
        st.space("stretch")
        button(t("action.close", lang), "close-node", partial(select, state.GRAPH), icon="close", look="tertiary")
    conflict = bank.disputed().get(live)
    contested = _conflict_line(conflict.id, details, lang) if conflict is not None else None
    draw(stack_of(*_head(node_id, node, moment, lang), contested), key="node-head")
    _draw_tabs(node, details, lang)


def _head(wanted: NodeId, node: Node, moment: Moment, lang: Lang) -> tuple[Box | None, ...]:
    return (
        _moved(wanted, node.id, node, lang),
        labelled(t("node.context", lang), box("p", "text strong", node.context)),
        row_of(*node_chips(node.id, moment, lang), box("span", "muted small mono", node.id)),
    )


def _about(node: Node, moment: Moment, lang: Lang) -> tuple[Box | None, ...]:
    made_by = chip_of(moment.origin, lang, replay=state.at_event() is not None)
    summary = box("div", "", row_of(label(t("node.summary", lang)), made_by), summary_box(node, lang))
    return summary, checks_box(node, moment.bank, lang), _keywords(node, lang)


def _draw_tabs(node: Node, details: Details, lang: Lang) -> None:
    """Draw the whole story, a part at a time; only what is open is drawn."""
    story = details.stories[node.id]
    counts = {
        "links": sum(node.id in edge.ends for edge in details.edges.values()),
        "history": sum(step.kind not in ("created", "imported") for step in story.steps),
    }
    parts: dict[str, Callable[[], Sequence[Box | None]]] = {
        "about": lambda: (*_about(node, details.moment, lang), origin_of(story, details, lang)),
        "links": lambda: (_links(node, details, lang),),
        "history": lambda: (history_of(story, details, lang),),
        "raw": lambda: (_raw(node.id, details.moment.bank, lang),),
    }
    names = [t(f"graph.card.tab.{name}", lang, count=counts.get(name, 0)) for name in parts]
    for tab, (name, build) in zip(st.tabs(names, key="node-tabs", on_change="rerun"), parts.items(), strict=True):
        if tab.open:
            with tab:
                draw(stack_of(*build()), key=f"node-{name}", on_choose=choose)


def choose(what: str) -> None:
    """Act on a click in a card or a list: a keyword is searched for, all else is a link."""
    kind, _, rest = what.partition(":")
    if kind == "keyword":
        search_for(rest)
    else:
        follow(what)


def _moved(wanted: NodeId, live: NodeId, node: Node, lang: Lang) -> Box | None:
    if wanted == live:
        return None
    return box("p", "notice merge text", t("node.merged_into", lang, topic=node_label(node, lang)))


def _keywords(node: Node, lang: Lang) -> Box | None:
    """Return the keywords; a click on one shows the other nodes that have it, too."""
    if not node.keywords:
        return None
    help_ = t("graph.card.filter_keyword", lang)
    words = (
        box("span", "chip gr-word", clip(word, 40), choose=f"keyword:{word}", title=help_) for word in node.keywords
    )
    return labelled(t("node.keywords", lang), row_of(*words))


def _links(node: Node, details: Details, lang: Lang) -> Box:
    """Return the node's neighbours, contested ones first, each with the reason of its link."""
    edges = [edge for edge in details.edges.values() if node.id in edge.ends]
    rows = [_link(node.id, edge, details, lang) for edge in edges[:MOST_LINKS]]
    none = muted(t("node.links_none", lang))
    inside = [box("ul", "gr-plain", *rows), more(len(edges) - MOST_LINKS, lang)] if rows else [none]
    return labelled(t("node.links", lang), *inside)


def _link(node_id: NodeId, edge: NodeLink, details: Details, lang: Lang) -> Box:
    """Return the neighbour, what lies between the two, and what was judged of them last."""
    neighbour = edge.ends[0] if edge.ends[1] == node_id else edge.ends[1]
    reasons = reasons_of(edge, details.reasons, details.members)
    reason = max(reasons, key=lambda each: (each.relation is not Relation.UNRELATED, each.seq), default=None)
    return box(
        "li",
        "gr-step",
        row_of(
            chip(t(f"edge.{edge.kind}", lang), _EDGE_LOOKS[edge.kind]) if edge.kind in _EDGE_LOOKS else None,
            details.name(neighbour, lang, "text strong gr-name"),
        ),
        *(_conflict_line(conflict.id, details, lang) for conflict in edge.conflicts),
        *(_reason(reason, lang) if reason is not None else ()),
    )


def _reason(reason: Reason, lang: Lang) -> Iterable[Box]:
    """Yield the relation that was found, its confidence, its moment, and the words of the finding."""
    judged = []
    if reason.relation is not None:
        judged = [
            chip(t(f"graph.relation.{reason.relation}", lang), RELATION_LOOKS[reason.relation]),
            aside(t("conflicts.sure", lang, percent=round(100 * (reason.confidence or 0.0)))),
        ]
    yield row_of(*judged, event_link(reason.seq, reason.round, lang))
    yield box("p", "text small muted", reason.words)


def _conflict_line(conflict_id: ConflictId, details: Details, lang: Lang) -> Box:
    open_it = box("span", "gr-link", t("graph.card.open_conflict", lang), choose=link("conflict", conflict_id))
    return box("p", "text small", details.moment.bank.conflicts.all[conflict_id].description, " ", open_it)


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
