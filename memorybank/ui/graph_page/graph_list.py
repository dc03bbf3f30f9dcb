"""The nodes as a list beside the canvas: the way for the keyboard, for screen readers, and for looking through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph_details import Details
from memorybank.ui.graph_page.node_card import choose
from memorybank.views.box import Box, box, label, muted
from memorybank.views.boxes.state import row_chips
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t
from memorybank.views.link import link

LIST = "graph-list"
PAGE = 50
"""Lines shown at first, and with each wish for more."""
_CONTESTED = frozenset({NodeState.CONFLICT, NodeState.DISPUTED})


def draw_list(
    matches: Sequence[NodeId] | None,
    states: Mapping[NodeId, frozenset[NodeState]],
    details: Details,
    selected: NodeId | None,
    lang: Lang,
) -> None:
    """Draw what a search found, best first (`matches`); where nothing is sought (None), all nodes: contested ones
    first, the newest first among each."""
    nodes = details.moment.bank.graph.nodes
    newest = sorted(nodes, key=lambda node_id: (_CONTESTED.isdisjoint(states[node_id]), -nodes[node_id].seq))
    ids = newest if matches is None else matches
    rows = [_node(each, states[each], details, each == selected, lang) for each in ids[: page_end(LIST, PAGE)]]
    draw(
        label(t("graph.list.nodes", lang, count=len(ids))),
        box("ul", "gr-items in-sight", *rows) if rows else muted(t("graph.list.none", lang)),
        key=LIST,
        on_choose=choose,
    )
    draw_more(LIST, PAGE, len(ids), lang)


def _node(node_id: NodeId, states: frozenset[NodeState], details: Details, is_selected: bool, lang: Lang) -> Box:
    node = details.moment.bank.graph.nodes[node_id]
    return box(
        "li",
        "",
        box(
            "div",
            f"gr-item{' gr-selected' if is_selected else ''}",
            box("span", "gr-line", details.topic(node_id, lang)),
            *row_chips(states, lang),
            box("span", "muted small gr-number", t("graph.list.links", lang, count=len(node.links))),
            choose=link("node", node_id),
            title=f"{node_id} · {node.context}",
            current=is_selected,
        ),
    )
