"""Facts as of a chapter: one map of who and what stand in which relation, what came new and what ended, and beside it
all about one entity with how it came to be so.

What an entity is (its kind) shows in its shape; states and traits are words in its tooltip. Places come from the
graph's own layout: an older node never moves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.graph.component import draw as draw_graph
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.tab import select, selection
from memorybank.views.box import Box, box, chip, item_of, labelled, muted, note, row_of
from memorybank.views.graph.layout import Layout, NewNode, Point
from memorybank.views.graph.model import GraphView, LegendItem
from memorybank.views.graph.style import (
    EDGE_LOOKS,
    EDGE_MARK_LOOKS,
    NODE_LOOKS,
    EdgeKind,
    EdgeLook,
    EdgeMark,
    NodeLook,
    NodeState,
    node_size,
)
from memorybank.views.i18n import t
from memorybank.views.text.display import clip
from memorybank_studio.continuity.profile import RelationMap, is_ended, is_new, relation_map
from memorybank_studio.hub.verbalisation import tell_name, tell_predicate
from memorybank_studio.page import desk
from memorybank_studio.page.people import draw_chapter, draw_person_link, head, holding, part, teller
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import FACTS_ENTITY, studio_tab
from memorybank_studio.types import NAMED_KINDS, Entity, EntityKey, EntityKind, Link

HEIGHT: Final = 520
MOST_DRAWN: Final = 60
"""Entities of a picture, the most connected ones."""
MOST_LINES: Final = 40
"""Changes that are told below the picture."""
SHAPES: Final[Mapping[EntityKind, str]] = dict(
    zip(NAMED_KINDS, ("dot", "square", "diamond", "hexagon", "triangle", "triangleDown", "star"), strict=True)
)


def draw_facts(held: OpenStudio, lang: Lang) -> None:
    chapter = draw_chapter(held, lang)
    names = held.studio.stores.facts.names(NAMED_KINDS)
    if not names:
        draw(box("p", "muted text", t("studio.facts_none", lang)), key="studio-facts-none")
        return
    shown = relation_map(held.studio.stores, chapter, most=MOST_DRAWN)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _draw_map(held, shown, names, chapter, lang)
    with right:
        _draw_about(held, names, chapter, lang)
    if chapter is not None and shown.entities:
        draw(_changes(held, shown, chapter, lang), key="studio-relations-changes")


def _draw_map(
    held: OpenStudio, shown: RelationMap, names: Mapping[str, EntityKey], chapter: int | None, lang: Lang
) -> None:
    if not shown.entities:
        draw(muted(t("studio.relations_none", lang)), key="studio-relations-none")
        return
    studio = studio_tab().desk
    studio.places = studio.places or Layout()
    _follow_click(names)
    points = place(studio.places, shown.entities, shown.links)
    view = build_fact_view(shown, points, chapter, lang, told_in=held.card.lang)
    draw_graph(view, key=desk.FACTS_GRAPH, height=HEIGHT)
    draw(note(f"{view.description} · {t('studio.graph_note', lang)}"), key="studio-graph-note")


def _draw_about(held: OpenStudio, names: Mapping[str, EntityKey], chapter: int | None, lang: Lang) -> None:
    facts = held.studio.stores.facts
    chosen = st.selectbox(
        t("studio.about", lang),
        sorted(names),
        index=None,
        placeholder=t("studio.about_choose", lang),
        key=FACTS_ENTITY.key,
        on_change=_mark_chosen,
        args=(dict(names),),
        persist_state="session",
    )
    entity = facts.entity(names[chosen]) if chosen is not None and chosen in names else None
    if entity is None:
        draw(box("p", "muted text", t("studio.about_hint", lang)), key="studio-about-hint")
        return
    history = facts.history(entity.key)
    sentence = teller(held, {end for fact in history for end in fact.ends})
    draw(
        head(entity, lang),
        holding([fact for fact in history if fact.holds(chapter)], sentence, chapter, lang),
        part("holds_else", [fact for fact in history if not fact.holds(chapter)], sentence, lang, "muted"),
        key="studio-about",
    )
    draw_person_link(entity, "facts", lang)


def _follow_click(names: Mapping[str, EntityKey]) -> None:
    """Choose in the list what was clicked in the graph; once, so that the list can choose something else."""
    clicked = selection(desk.FACTS_GRAPH)
    if clicked is None or clicked == studio_tab().desk.clicked:
        return
    studio_tab().desk.clicked = clicked
    name = next((name for name, key in names.items() if NodeId(key) == clicked), None)
    if name is not None:
        FACTS_ENTITY.set(name)


def _mark_chosen(names: Mapping[str, EntityKey]) -> None:
    key = names.get(FACTS_ENTITY.held() or "")
    node = NodeId(key) if key is not None else None
    studio_tab().desk.clicked = node
    select(desk.FACTS_GRAPH, node)


LABEL, LINE = 24, 80
"""The columns that a label and a line may fill."""
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
        layout.add(NewNode(id=NodeId(entity.key), links=tuple(dict.fromkeys(links[entity.key]))))
    return layout


def build_fact_view(
    shown: RelationMap, points: Mapping[NodeId, Point], chapter: int | None, lang: Lang, *, told_in: Lang
) -> GraphView:
    """Build the picture of the facts; an arrow is marked where all of it ended in the chapter, or some of it is new.
    `told_in`: the story's language, of the relations."""
    drawn = {item.key: item for item in shown.entities}
    named = {item.key: item.name for item in (*shown.entities, *shown.states)}
    pairs: dict[tuple[EntityKey, EntityKey], list[Link]] = defaultdict(list)
    states: dict[EntityKey, list[str]] = defaultdict(list)
    for fact in shown.links:
        if fact.subject in drawn and fact.object in drawn:
            pairs[fact.subject, fact.object].append(fact)
        elif fact.subject in drawn and fact.object in named:
            states[fact.subject].append(f"{tell_predicate(fact.predicate, told_in)} {named[fact.object]}")
    busy = Counter(end for pair, links in pairs.items() for end in pair for _ in links)
    nodes = [_node(item, points[NodeId(item.key)], busy[item.key], states[item.key], lang) for item in drawn.values()]
    marks = {pair: _mark_of(links, chapter) for pair, links in pairs.items()}
    edges = [_edge(pair, links, marks[pair], named, told_in) for pair, links in pairs.items()]
    return GraphView(
        nodes=tuple(nodes),
        edges=tuple(edges),
        shown=len(nodes),
        total=len(nodes) + shown.left_out,
        description=t("studio.graph_description", lang, entities=len(nodes), relations=len(edges)),
        notice=t("studio.relations_left_out", lang, count=shown.left_out) if shown.left_out else "",
        legend=_legend(drawn.values(), set(marks.values()), chapter, lang),
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


def _mark_of(links: Sequence[Link], chapter: int | None) -> EdgeMark | None:
    holding = [link for link in links if not is_ended(link, chapter)]
    if not holding:
        return EdgeMark.REMOVED
    return EdgeMark.ADDED if any(is_new(link, chapter) for link in holding) else None


def _edge(
    pair: tuple[EntityKey, EntityKey],
    facts: Sequence[Link],
    mark: EdgeMark | None,
    named: Mapping[EntityKey, str],
    lang: Lang,
) -> dict[str, Any]:
    look = EDGE_MARK_LOOKS[mark] if mark else EDGE_LOOKS[EdgeKind.RELATED]
    sign = {None: "", EdgeMark.ADDED: "+ ", EdgeMark.REMOVED: "− "}[mark]
    relations = list(dict.fromkeys(tell_predicate(fact.predicate, lang) for fact in facts))
    subject, object_ = (clip(named[end], LABEL) for end in pair)
    return {
        "id": f"{pair[0]}|{pair[1]}",
        "from": pair[0],
        "to": pair[1],
        "lines": [clip(f"{subject} {relation} {object_}", LINE) for relation in relations[:_MOST_LINES]],
        "kind": EdgeKind.RELATED.value,
        "label": sign + clip(" · ".join(relations), LABEL),
        "title": "",
        "color": look.color,
        "width": look.width,
        "dashes": list(look.dashes) or False,
        "arrows": "to",
        "mark": mark.value if mark else "relation",  # or the component takes it for a plain line: no arrow
    }


def _legend(
    entities: Iterable[Entity], marks: Container[EdgeMark | None], chapter: int | None, lang: Lang
) -> tuple[LegendItem, ...]:
    plain = NODE_LOOKS[NodeState.NORMAL]
    kinds = {item.kind for item in entities}
    items = [
        LegendItem(
            words=t(f"studio.kind.{kind}", lang), look=NodeLook(shape=shape, fill=plain.fill, outline=plain.outline)
        )
        for kind, shape in SHAPES.items()
        if kind in kinds
    ]
    if items:
        items.append(LegendItem(words=t("studio.relation", lang), look=EdgeLook(color="", width=1.3, arrow=True)))
    for mark in (EdgeMark.ADDED, EdgeMark.REMOVED):
        if mark in marks:
            words = t(f"studio.relations_{mark}", lang, chapter=chapter)
            items.append(LegendItem(words=words, look=EDGE_MARK_LOOKS[mark]))
    return tuple(items)


def _changes(held: OpenStudio, shown: RelationMap, chapter: int, lang: Lang) -> Box:
    names = {entity.key: tell_name(entity, held.card.lang) for entity in (*shown.entities, *shown.states)}
    changed = [link for link in shown.links if is_new(link, chapter) or is_ended(link, chapter)]
    lines = [_line(link, names, chapter, held.card.lang, lang) for link in changed[:MOST_LINES]]
    words = t("studio.relations_changes", lang, chapter=chapter)
    more = len(changed) - len(lines)
    return labelled(
        words,
        box("ul", "line-list", *lines) if lines else muted(t("studio.relations_same", lang)),
        muted(t("studio.relations_more", lang, count=more)) if more > 0 else None,
    )


def _line(link: Link, names: dict[EntityKey, str], chapter: int, told_in: Lang, lang: Lang) -> Box:
    ended = is_ended(link, chapter)
    mark, look = (EdgeMark.REMOVED, "disputed") if ended else (EdgeMark.ADDED, "done")
    gap = "" if told_in == "zh" else " "
    sentence = gap.join((names[link.subject], tell_predicate(link.predicate, told_in), names[link.object]))
    return item_of(row_of(chip(t(f"studio.relations_{mark}_short", lang), look), box("span", "text", sentence)))
