"""An edge, beside the graph: what lies between two nodes, why it was judged so, and when."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import ConflictId, Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph_details import Details
from memorybank.ui.graph_page.graph_story import EDGE_LOOKS, newest_first
from memorybank.ui.graph_page.node_card import choose
from memorybank.ui.shell import state
from memorybank.ui.shell.selections import select
from memorybank.views.box import Box, aside, box, chip, label, labelled, muted, row_of, stack_of
from memorybank.views.boxes.conflicts import RELATION_LOOKS
from memorybank.views.boxes.cut import cut_note
from memorybank.views.boxes.node_story import event_link
from memorybank.views.graph.style import EdgeKind
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.edges import NodeLink, Reason, reasons_of

MOST_SAID = 20


def draw_edge_card(edge: NodeLink, details: Details, lang: Lang) -> None:
    with st.container(horizontal=True, horizontal_alignment="right", key="edge-actions"):
        st.button(
            t("action.close", lang),
            key="close-edge",
            icon=":material/close:",
            type="tertiary",
            on_click=select,
            args=(state.GRAPH,),
        )
    reasons = newest_first(reasons_of(edge, details.reasons, details.members))
    draw(
        stack_of(
            row_of(*_chips(edge, lang)),
            box("p", "text", t(f"graph.edge.{edge.kind}", lang)),
            *(_conflict(conflict.id, details, lang) for conflict in edge.conflicts),
            _reasons(reasons, edge, details, lang),
            *(_end(name, edge, place, details, lang) for place, name in enumerate(("older", "newer"))),
        ),
        key="edge-card",
        on_choose=choose,
    )


def _chips(edge: NodeLink, lang: Lang) -> list[Box]:
    kinds = [edge.kind, *([EdgeKind.RELATED] if edge.linked and edge.kind is not EdgeKind.RELATED else [])]
    return [chip(t(f"edge.{kind}", lang), EDGE_LOOKS[kind]) for kind in kinds]


def _end(name: str, edge: NodeLink, place: int, details: Details, lang: Lang) -> Box:
    node = details.moment.bank.graph.nodes[edge.ends[place]]
    return box(
        "div",
        "side",
        label(t(f"graph.edge.{name}", lang)),
        box("p", "text strong gr-name", node.context or details.topic(node.id, lang), choose=link("node", node.id)),
        box("p", "text small clamp", node.summary),
    )


def _conflict(conflict_id: ConflictId, details: Details, lang: Lang) -> Box:
    conflict = details.moment.bank.conflicts.all[conflict_id]
    look = EDGE_LOOKS[EdgeKind.CONFLICT if not conflict.closed_by else EdgeKind.DISPUTED]
    return box(
        "div",
        f"card {look}",
        chip(t(f"conflict.status.{conflict.status}", lang), look),
        box("p", "text", conflict.description),
        box("p", "muted small text", reason) if (reason := conflict.closing.in_language(lang)) else None,
        box("span", "small gr-link", t("graph.card.open_conflict", lang), choose=link("conflict", conflict_id)),
    )


def _reasons(reasons: list[Reason], edge: NodeLink, details: Details, lang: Lang) -> Box:
    if not reasons:
        return labelled(t("graph.edge.why", lang), muted(t("graph.edge.no_reason", lang)))
    rows = [_reason(reason, edge, details, lang) for reason in reasons[:MOST_SAID]]
    return labelled(t("graph.edge.why", lang), box("ul", "gr-plain", *rows), cut_note(MOST_SAID, len(reasons), lang))


def _reason(reason: Reason, edge: NodeLink, details: Details, lang: Lang) -> Box:
    """What was said; when it was said of what the ends once were, of which."""
    judged = None
    if reason.relation is not None:
        share = round(100 * (reason.confidence or 0.0))
        judged = chip(t(f"graph.relation.{reason.relation}", lang), RELATION_LOOKS[reason.relation])
        judged = box("span", "", judged, " ", aside(t("conflicts.sure", lang, percent=share)))
    of = None
    if {reason.left, reason.right} != set(edge.ends):
        of = box(
            "p",
            "small muted",
            t("graph.edge.said_of", lang),
            " ",
            details.name(reason.left, lang),
            " — ",
            details.name(reason.right, lang),
        )
    return box(
        "li",
        "gr-step",
        row_of(judged or chip(t("graph.edge.linked", lang), "node"), event_link(reason.seq, reason.round, lang)),
        box("p", "text", reason.words),
        of,
    )
