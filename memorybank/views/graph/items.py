"""A node and an edge as they are drawn: pyvis items, made once for each way that one can look.

Labels and tooltips are plain text, cleaned and cut.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from memorybank.memory.types import Lang, Node, NodeId
from memorybank.session.checks import marks_of
from memorybank.views.graph.layout import Point
from memorybank.views.graph.overlays import Marks, Names
from memorybank.views.graph.style import (
    EDGE_LOOKS,
    EDGE_MARK_LOOKS,
    MARK_LOOKS,
    NODE_LOOKS,
    EdgeKind,
    EdgeMark,
    NodeMark,
    NodeState,
    node_size,
    size_step,
)
from memorybank.views.i18n import t
from memorybank.views.memory.edges import NodeLink
from memorybank.views.text.display import clip

LABEL_COLUMNS = 24
"""The most columns of a label: Latin letters, or half as many Han characters."""
TOOLTIP_COLUMNS = 80
"""The most columns of one line; what is longer is on the card beside the graph."""
MOST_TITLES = 2
_REMEMBERED = 30_000


def node_label(node: Node, lang: Lang) -> str:
    """Return a node's topic cut to a line; without one its keywords, or the start of its summary. Never its id."""
    return (
        _cut(node.context, LABEL_COLUMNS)
        or _cut(" · ".join(node.keywords), LABEL_COLUMNS)
        or _cut(node.summary, LABEL_COLUMNS)
        or t("graph.untitled", lang)
    )


def _cut(text: str, width: int) -> str:
    """Clip a line, remembered: the same few thousand are cut for each picture. Not for a text that is worth a page."""
    return _cut_line(text, width) if len(text) < 400 else clip(text, width)


@functools.lru_cache(maxsize=_REMEMBERED)
def _cut_line(text: str, width: int) -> str:
    is_simple = len(text) <= width and text.isascii() and text.isprintable()
    return " ".join(text.split()) if is_simple else clip(text, width)


def node_item(
    node: Node,
    point: Point,
    state: NodeState,
    marks: Marks,
    lang: Lang,
    *,
    raw_characters: int,
    merged_from: tuple[NodeId, ...],
    is_outlined: bool,
) -> dict[str, Any]:
    """Return a node as it looks at a moment. The same answer is the same object: most stay as they were."""
    label, topic = node_label(node, lang), _cut(node.context, TOOLTIP_COLUMNS)
    mark, badge, refuted = marks.nodes.get(node.id), marks.badges.get(node.id, ""), len(marks_of(node))
    step, names = size_step(raw_characters), marks.names
    return _node_options(
        node.id, label, topic, point, merged_from, state, is_outlined, step, mark, badge, names, lang, refuted
    )


def edge_item(edge: NodeLink, marks: Marks, lang: Lang) -> dict[str, Any]:
    """Return an edge as it looks at a moment; the same answer is the same object."""
    return _edge_options(edge, marks.edges.get(edge.ends), marks.arrows.get(edge.ends), marks.names, lang)


@functools.lru_cache(maxsize=_REMEMBERED)
def _node_options(
    node_id: NodeId,
    label: str,
    topic: str,
    point: Point,
    merged_from: tuple[NodeId, ...],
    state: NodeState,
    is_outlined: bool,
    step: int,
    mark: NodeMark | None,
    badge: str,
    names: Names,
    lang: Lang,
    refuted: int,
) -> dict[str, Any]:
    from pyvis.node import Node as PyvisNode

    look = MARK_LOOKS[mark] if mark and MARK_LOOKS[mark].shape else NODE_LOOKS[state]
    is_marked = state is not NodeState.NORMAL or mark is not None
    extra: dict[str, Any] = {"outlined": True} if is_outlined else {}
    if mark is not None:
        extra |= {"mark": mark.value, "badge": badge}
    words = [] if mark is None else [t(f"canvas.mark.{mark}", lang, **dict(names))]
    words += [t(f"state.{state}", lang)] if state is not NodeState.NORMAL else []
    words += [t(f"state.{NodeState.NEW}", lang)] if is_outlined else []
    words += [t("state.refuted", lang, count=refuted)] if refuted else []
    if topic and topic != label:
        extra["topic"] = topic
    if merged_from:
        extra["merged_from"] = list(merged_from)
    drawn = PyvisNode(
        node_id,
        look.shape,
        label,
        x=point.x,
        y=point.y,
        group=state.value,
        size=node_size(look, step, is_marked=is_marked),
        title=" · ".join(words),
        **extra,
    )
    options: dict[str, Any] = drawn.options
    return options


@functools.lru_cache(maxsize=_REMEMBERED)
def _edge_options(
    edge: NodeLink, mark: EdgeMark | None, arrow: NodeId | None, names: Names, lang: Lang
) -> dict[str, Any]:
    from pyvis.edge import Edge as PyvisEdge

    look = EDGE_LOOKS[edge.kind] if mark is None or edge.kind is not EdgeKind.RELATED else EDGE_MARK_LOOKS[mark]
    words = t(f"edge.{edge.kind}", lang)
    extra: dict[str, Any] = {} if mark is None else {"mark": mark.value}
    if edge.conflicts:
        extra["conflicts"] = [conflict.id for conflict in edge.conflicts]
        extra["lines"] = _lines([conflict.description for conflict in edge.conflicts], lang)
    if arrow is not None:
        extra["arrows"] = "to" if arrow == edge.ends[1] else "from"
    drawn = PyvisEdge(
        *edge.ends,
        # An explicit, lasting id: without one, every redraw would add the edge again.
        id=edge.id,
        kind=edge.kind.value,
        label="" if edge.kind is EdgeKind.RELATED else words,
        title=words if mark is None else t(f"canvas.edge_mark.{mark}", lang, **dict(names)),
        color=look.color,
        width=look.width,
        dashes=list(look.dashes) or False,
        **extra,
    )
    options: dict[str, Any] = drawn.options
    return options


def _lines(titles: Sequence[str], lang: Lang) -> list[str]:
    """Return what an edge stands for, a line each."""
    lines = [_cut(title, TOOLTIP_COLUMNS) for title in titles[:MOST_TITLES]]
    more = len(titles) - len(lines)
    return [*lines, t("conflict.more_evidence", lang, count=more)] if more else lines
