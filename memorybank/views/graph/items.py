"""A node and an edge as they are drawn: pyvis items, made once for each way that one can look.

Labels and tooltips are plain text, cleaned and cut.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from memorybank.engines.offline.units import plain as unmarked
from memorybank.language.text import FUNCTION_WORDS
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
from memorybank.views.memory.lineage import Version
from memorybank.views.text.display import clip, columns, plain

LABEL_COLUMNS = 40
"""The most columns of a name: Latin letters, or half as many Han characters. One of more than half of them is drawn in
two lines."""
TITLE_COLUMNS = 100
"""The most columns of a title, in a list or above a text."""
MOST_BESIDE = 26
"""The most columns of what tells a node from its namesakes, in a line below its name."""
_MOST_WORDS = 5
_CLAUSE_END_RE = re.compile(r"[：；，。:;,.!?](?=\s)|[：；，。]")
_GAP_RE = re.compile(r"(?<=.)(?:(?<![\w-])|(?=[^\W\da-zA-Z])|(?<=[^\W\da-zA-Z]))(?![”’》」）、])(?<![“‘《「（])")
_ARTICLE_RE = re.compile(r"(?:an?|the) (?=\S+ )", re.IGNORECASE)
TOOLTIP_COLUMNS = 80
"""The most columns of one line; what is longer is on the card beside the graph."""
MOST_TITLES = 2
_REMEMBERED = 30_000


def node_label(node: Node | Version, lang: Lang) -> str:
    """Return a node's name: from its topic; without one its keywords, or the start of its summary. Never its id."""
    texts = (node.context, " · ".join(node.keywords), node.summary)
    return next(filter(None, (_name_of(text[:400]) for text in texts)), "") or t("graph.untitled", lang)


def node_title(node: Node | Version, lang: Lang) -> str:
    """Return a node's topic in one line, as it stands but for marks; without one its name."""
    return clip(unmarked(node.context), TITLE_COLUMNS) or node_label(node, lang)


@functools.lru_cache(maxsize=_REMEMBERED)
def _name_of(text: str) -> str:
    """Return the first clause of a text, or the phrase of at most five words that it begins with, cut after none of its
    small words; a Chinese clause that is too long is named by its head, which comes after its last 的."""
    line = unmarked(plain(text))
    clause = _CLAUSE_END_RE.split(line, maxsplit=1)[0] or line
    if article := _ARTICLE_RE.match(clause):
        clause = clause[article.end()].upper() + clause[article.end() + 1 :]
    if _width(clause) <= LABEL_COLUMNS:
        return clause
    head = clause.rpartition("的")[2]
    if head != clause and LABEL_COLUMNS / 4 <= _width(head) <= LABEL_COLUMNS:
        return head
    words, after = clause.split()[:_MOST_WORDS], clause.split()[_MOST_WORDS:]
    while words and _width(" ".join(words)) > LABEL_COLUMNS:
        after = [words.pop()]
    is_small = [word.casefold() in FUNCTION_WORDS for word in [*words, *after[:1]]]
    end = len(words)
    if after and not is_small[end] and True in is_small[2:end]:  # the last phrase goes on: it is left out
        end -= is_small[2:end][::-1].index(True)
    while end and is_small[end - 1]:
        end -= 1
    return " ".join(words[:end]) or clip(clause, LABEL_COLUMNS)


def names_of(nodes: Collection[Node], lang: Lang) -> dict[NodeId, str]:
    """Return the name of each node, in lines. Nodes that share one are told apart by what their topics say next, or by
    a keyword: by the first of these that no namesake has."""
    names = {node.id: node_label(node, lang) for node in nodes}
    often = Counter(names.values())
    said = {node.id: _said_beside(node.context[:400], node.keywords) for node in nodes if often[names[node.id]] > 1}
    known = Counter((names[node_id], words) for node_id, texts in said.items() for words in texts)
    lines = {node_id: _in_lines(name) for node_id, name in names.items()}
    for node_id, texts in said.items():
        name = names[node_id]
        own = (words for words in texts if known[name, words] == 1 and words.casefold() not in name.casefold())
        lines[node_id] += "".join(f"\n{words}" for words in islice(own, 1))
    return lines


@functools.lru_cache(maxsize=_REMEMBERED)
def _said_beside(topic: str, keywords: tuple[str, ...]) -> dict[str, None]:
    """Return what may stand below a node's name: the second clause of its topic, its keywords; none that is long."""
    clauses = _CLAUSE_END_RE.split(unmarked(plain(topic)), maxsplit=1)[1:]
    texts = (*map(_name_of, clauses), *map(plain, keywords))
    return dict.fromkeys(words for words in texts if 0 < _width(words) <= MOST_BESIDE)


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(columns, text))


@functools.lru_cache(maxsize=_REMEMBERED)
def _in_lines(label: str) -> str:
    """Part a long name in two at the space nearest to its middle, or there when it has none."""
    if _width(label) <= LABEL_COLUMNS / 2:
        return label
    gaps = [place for place, char in enumerate(label) if char == " "]
    gaps = gaps or [match.start() for match in _GAP_RE.finditer(label)] or [len(label) // 2]
    middle = _width(label) / 2
    gap = min(gaps, key=lambda place: abs(_width(label[:place]) - middle))
    return f"{label[:gap]}\n{label[gap:].lstrip()}"


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
    name: str,
    raw_characters: int,
    merged_from: tuple[NodeId, ...],
    is_outlined: bool,
    tint: int = 0,
) -> dict[str, Any]:
    """Return a node as it looks at a moment. `name` is one of `names_of`; `tint` is the number of its topic's colour,
    for one without a state. The same answer is the same object: most stay as they were."""
    topic = _cut(node.context, TOOLTIP_COLUMNS)
    mark, badge, refuted = marks.nodes.get(node.id), marks.badges.get(node.id, ""), len(marks_of(node))
    step, names = size_step(raw_characters), marks.names
    return _node_options(
        node.id, name, topic, point, merged_from, state, is_outlined, step, mark, badge, names, lang, refuted, tint
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
    tint: int,
) -> dict[str, Any]:
    from pyvis.node import Node as PyvisNode

    look = MARK_LOOKS[mark] if mark and MARK_LOOKS[mark].shape else NODE_LOOKS[state]
    is_marked = state is not NodeState.NORMAL or mark is not None
    extra: dict[str, Any] = {"outlined": True} if is_outlined else {}
    if state is NodeState.NORMAL:
        extra["tint"] = tint
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
