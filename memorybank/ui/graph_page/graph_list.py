"""Nodes and edges as lists beside the canvas: the way for the keyboard, for screen readers, and for looking through."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph_details import Details
from memorybank.ui.graph_page.graph_story import EDGE_LOOKS
from memorybank.ui.graph_page.node_card import choose
from memorybank.ui.shell import state
from memorybank.ui.shell.selections import selection
from memorybank.ui.shell.switch import draw_switch
from memorybank.views.box import Box, box, chip, muted
from memorybank.views.boxes.state import row_chips
from memorybank.views.graph.style import EdgeKind, NodeState
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.edges import NodeLink, ordered_edges

Listed = Literal["nodes", "edges"]
LIST = "graph-list"
PAGE = 50
"""Lines shown at first, and with each wish for more."""


def draw_list(
    node_ids: Sequence[NodeId],
    matches: Sequence[NodeId] | None,
    states: Mapping[NodeId, frozenset[NodeState]],
    details: Details,
    selected: NodeId | None,
    lang: Lang,
) -> None:
    """Nodes or edges, the newest first.

    `node_ids`: what the filters keep. `matches`: what a search finds among them, best first; None: nothing is sought.
    """
    nodes = details.moment.bank.graph.nodes
    shown = set(node_ids)
    edges = [edge for edge in details.edges.values() if shown.issuperset(edge.ends)]
    if matches is not None:
        hits = set(matches)
        edges = [edge for edge in edges if not hits.isdisjoint(edge.ends)]
    listed = _draw_head(len(node_ids if matches is None else matches), len(edges), lang)
    if listed == "nodes":
        ids = list(matches) if matches is not None else sorted(node_ids, key=lambda node_id: -nodes[node_id].seq)
        draw_rows(
            [
                _node(node_id, states[node_id], details, node_id == selected, lang)
                for node_id in ids[: page_end(LIST, PAGE)]
            ],
            len(ids),
            listed,
            lang,
        )
    else:
        lines = ordered_edges(edges, nodes)
        chosen = selection(state.GRAPH).edge
        page = lines[: page_end(LIST, PAGE)]
        draw_rows([_edge(edge, details, edge.id == chosen, lang) for edge in page], len(lines), listed, lang)


def _draw_head(nodes: int, edges: int, lang: Lang) -> Listed:
    counts = {"nodes": nodes, "edges": edges}
    return draw_switch(
        t("graph.list.what", lang),
        get_args(Listed),
        lambda name: t(f"graph.list.{name}", lang, count=counts[name]),
        key="graph-listed",
        on_change=functools.partial(back_to_first_page, LIST),
    )


def draw_rows(rows: Sequence[Box], total: int, listed: Listed, lang: Lang) -> None:
    if not rows:
        draw(muted(t(f"graph.list.none.{listed}", lang)), key=LIST)
        return
    draw(box("ul", "gr-items in-sight", *rows), key=LIST, on_choose=choose)
    draw_more(LIST, PAGE, total, lang)


def _node(node_id: NodeId, states: frozenset[NodeState], details: Details, is_selected: bool, lang: Lang) -> Box:
    node = details.moment.bank.graph.nodes[node_id]
    chips = row_chips(states, lang)
    return box(
        "li",
        "",
        box(
            "div",
            f"gr-item{' gr-selected' if is_selected else ''}",
            box("span", "gr-line", details.topic(node_id, lang)),
            *chips,
            box("span", "muted small gr-number", t("graph.list.links", lang, count=len(node.links))),
            choose=link("node", node_id),
            title=f"{node_id} · {node.context}",
            current=is_selected,
        ),
    )


def _edge(edge: NodeLink, details: Details, is_selected: bool, lang: Lang) -> Box:
    left, right = (details.topic(end, lang) for end in edge.ends)
    kind = None if edge.kind is EdgeKind.RELATED else chip(t(f"edge.{edge.kind}", lang), EDGE_LOOKS[edge.kind])
    return box(
        "li",
        "",
        box(
            "div",
            f"gr-item gr-pair{' gr-selected' if is_selected else ''}",
            box("span", "gr-line", left),
            box("span", "muted", "—"),
            box("span", "gr-line", right),
            kind,
            choose=f"edge:{edge.id}",
            title=f"{left} — {right}",
            current=is_selected,
        ),
    )
