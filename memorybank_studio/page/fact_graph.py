"""The fact layer at a chapter as a picture for the graph component: entities are nodes, facts are arrows. Pure.

What an entity is (its kind) shows in its shape; states and traits are words in its tooltip, not nodes of their own, for
they would tie all who are dead to one point. Places come from the graph's own layout: an older node never moves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from memorybank.memory.types import Lang, NodeId
from memorybank.views.graph.layout import Layout, NewNode, Point
from memorybank.views.graph.model import GraphView, LegendItem
from memorybank.views.graph.style import EDGE_LOOKS, NODE_LOOKS, EdgeKind, EdgeLook, NodeLook, NodeState, node_size
from memorybank.views.i18n import t
from memorybank.views.text.display import clip
from memorybank_studio.hub.verbalisation import tell_predicate
from memorybank_studio.types import Entity, EntityKey, EntityKind, Fact, Link

SHAPES: Final[Mapping[EntityKind, str]] = {
    EntityKind.CHARACTER: "dot",
    EntityKind.LOCATION: "square",
    EntityKind.ITEM: "diamond",
    EntityKind.FACTION: "hexagon",
    EntityKind.ABILITY: "triangle",
    EntityKind.HOOK: "triangleDown",
    EntityKind.EVENT: "star",
}
"""Kinds that are drawn."""
LABEL, LINE = 24, 80
"""Columns."""
_MOST_LINES = 6
_STEPS = 8
"""Facts from which on a node is as large as it gets."""


def place(layout: Layout, entities: Sequence[Entity], facts: Sequence[Link]) -> Mapping[NodeId, Point]:
    """Give each entity without a place one, near those that it has to do with; the busiest come first."""
    links: dict[EntityKey, list[NodeId]] = defaultdict(list)
    for fact in facts:
        links[fact.subject].append(NodeId(fact.object))
        links[fact.object].append(NodeId(fact.subject))
    for entity in entities:
        if entity.kind in SHAPES:
            layout.add(NewNode(id=NodeId(entity.key), links=tuple(dict.fromkeys(links[entity.key]))))
    return layout.points


def build_fact_view(
    entities: Sequence[Entity],
    facts: Sequence[Link],
    points: Mapping[NodeId, Point],
    lang: Lang,
    *,
    total: int,
    told_in: Lang,
    chosen: Sequence[Fact] = (),
) -> GraphView:
    """`total`: entities of the whole layer. `told_in`: the story's language, of the relations. `chosen`: the facts of
    the entity that was chosen: its relations tell what is said of them, too (a link has no words)."""
    details = {_link(item): item.properties for item in chosen}
    drawn = {item.key: item for item in entities if item.kind in SHAPES and NodeId(item.key) in points}
    named = {item.key: item.name for item in entities}
    pairs: dict[tuple[EntityKey, EntityKey], list[Link]] = defaultdict(list)
    states: dict[EntityKey, list[str]] = defaultdict(list)
    for fact in facts:
        if fact.subject in drawn and fact.object in drawn and fact.subject != fact.object:
            pairs[fact.subject, fact.object].append(fact)
        elif fact.subject in drawn and fact.object in named:
            states[fact.subject].append(f"{tell_predicate(fact.predicate, told_in)} {named[fact.object]}")
    busy = Counter(end for pair, links in pairs.items() for end in pair for _ in links)
    nodes = [_node(item, points[NodeId(item.key)], busy[item.key], states[item.key], lang) for item in drawn.values()]
    edges = [_edge(pair, links, named, details, told_in) for pair, links in pairs.items()]
    hidden = total - len(drawn)
    return GraphView(
        nodes=tuple(nodes),
        edges=tuple(edges),
        shown=len(nodes),
        total=total,
        description=t("studio.graph_description", lang, entities=len(nodes), relations=len(edges)),
        notice=t("studio.graph_hidden", lang, count=hidden) if hidden > 0 else "",
        legend=_legend(drawn.values(), lang),
        lang=lang,
    )


def _node(entity: Entity, point: Point, facts: int, states: Sequence[str], lang: Lang) -> dict[str, Any]:
    look = NODE_LOOKS[NodeState.NORMAL]
    words = [t(f"studio.kind.{entity.kind}", lang), *states[:_MOST_LINES]]
    return {
        "id": entity.key,
        "label": clip(entity.name, LABEL),
        "topic": clip(entity.name, LINE),
        "x": point.x,
        "y": point.y,
        "shape": SHAPES[entity.kind],
        "group": NodeState.NORMAL.value,
        "size": node_size(look, min(facts, _STEPS), is_marked=False),
        "title": clip(" · ".join(words), LINE * 2),
    }


_Link = tuple[EntityKey, str, EntityKey, int]


def _link(fact: Fact | Link) -> _Link:
    return fact.subject, fact.predicate, fact.object, fact.since


def _edge(
    pair: tuple[EntityKey, EntityKey],
    facts: Sequence[Link],
    named: Mapping[EntityKey, str],
    details: Mapping[_Link, Mapping[str, str]],
    lang: Lang,
) -> dict[str, Any]:
    look = EDGE_LOOKS[EdgeKind.RELATED]
    relations = list(dict.fromkeys(tell_predicate(fact.predicate, lang) for fact in facts))
    subject, object_ = (clip(named[end], LABEL) for end in pair)
    lines: dict[str, None] = {}
    for fact in facts:
        lines[clip(f"{subject} {tell_predicate(fact.predicate, lang)} {object_}", LINE)] = None
        lines |= {clip(f"{name}: {value}", LINE): None for name, value in details.get(_link(fact), {}).items()}
    return {
        "id": f"{pair[0]}|{pair[1]}",
        "from": pair[0],
        "to": pair[1],
        "lines": list(lines)[:_MOST_LINES],
        "kind": EdgeKind.RELATED.value,
        "label": clip(" · ".join(relations), LABEL),
        "title": "",
        "color": look.color,
        "width": look.width,
        "dashes": False,
        "arrows": "to",
        "mark": "relation",  # or the component takes it for a plain line: no arrow
    }


def _legend(entities: Any, lang: Lang) -> tuple[LegendItem, ...]:
    plain = NODE_LOOKS[NodeState.NORMAL]
    kinds = {item.kind for item in entities}
    items = [
        LegendItem(
            words=t(f"studio.kind.{kind}", lang), look=NodeLook(shape=shape, fill=plain.fill, outline=plain.outline)
        )
        for kind, shape in SHAPES.items()
        if kind in kinds
    ]
    relation = LegendItem(words=t("studio.relation", lang), look=EdgeLook(color="", width=1.3, arrow=True))
    return (*items, relation) if items else ()
