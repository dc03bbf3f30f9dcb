"""The parts of the whole node card: its links with their reasons."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.memory.events import JudgedRelation
from memorybank.memory.types import Lang, Node, NodeId, Relation
from memorybank.ui.graph_page.graph_details import Details
from memorybank.views.box import Box, box, chip, labelled, muted, row_of
from memorybank.views.boxes.conflicts import RELATION_LOOKS
from memorybank.views.boxes.node_story import more
from memorybank.views.graph.style import EdgeKind
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.edges import NodeLink, Reason, reasons_of

MOST_LINKS, MOST_REASONS = 30, 3
EDGE_LOOKS = {EdgeKind.CONFLICT: "conflict", EdgeKind.DISPUTED: "disputed", EdgeKind.RELATED: "node"}


# -- links ------------------------------------------------------------------------------------------------------------


def links_of(node: Node, details: Details, lang: Lang) -> Box:
    """Its neighbours, contested ones first, each with why."""
    edges = [edge for edge in details.edges.values() if node.id in edge.ends]
    rows = [_link(node.id, edge, details, lang) for edge in edges[:MOST_LINKS]]
    none = muted(t("node.links_none", lang))
    inside = [box("ul", "gr-plain", *rows), more(len(edges) - MOST_LINKS, lang)] if rows else [none]
    return labelled(t("node.links", lang), *inside)


def _link(node_id: NodeId, edge: NodeLink, details: Details, lang: Lang) -> Box:
    neighbour = edge.ends[0] if edge.ends[1] == node_id else edge.ends[1]
    reasons = reasons_of(edge, details.reasons, details.members)
    contested = edge.kind is not EdgeKind.RELATED
    return box(
        "li",
        "gr-step",
        row_of(
            chip(t(f"edge.{edge.kind}", lang), EDGE_LOOKS[edge.kind]) if contested else None,
            details.name(neighbour, lang, "text strong gr-name"),
        ),
        *(conflict_line(conflict.id, details, lang) for conflict in edge.conflicts),
        *(box("p", "text small muted", reason.words) for reason in newest_first(reasons)[:1] if edge.linked),
        box("span", "small gr-link", t("graph.card.show_edge", lang), choose=f"edge:{edge.id}"),
    )


def conflict_line(conflict_id: str, details: Details, lang: Lang) -> Box:
    conflict = details.moment.bank.conflicts.all[conflict_id]  # type: ignore[index]
    return box(
        "p",
        "text small",
        conflict.description,
        " ",
        box("span", "gr-link", t("graph.card.open_conflict", lang), choose=link("conflict", conflict_id)),
    )


def newest_first(reasons: Iterable[Reason]) -> list[Reason]:
    """What found something first; among these the latest."""
    return sorted(reasons, key=lambda reason: (reason.relation is Relation.UNRELATED, -reason.seq))


def verdict_chip(judged: JudgedRelation, lang: Lang) -> Box:
    """What the agent made of a pair; why, when the pointer rests on it."""
    words = t(f"graph.relation.{judged.relation}", lang)
    return box("span", f"chip {RELATION_LOOKS[judged.relation]}".strip(), words, title=judged.reasoning)
