"""The map of relations: who stands how to whom as of a chapter, what came new in it and what ended with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.graph.component import draw as draw_graph
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.selections import selection
from memorybank.views.box import Box, box, chip, labelled, muted, note, row_of
from memorybank.views.graph.layout import Layout
from memorybank.views.graph.model import GraphView, LegendItem
from memorybank.views.graph.style import EDGE_MARK_LOOKS, EdgeMark
from memorybank.views.i18n import t
from memorybank_studio.continuity.profile import RelationMap, is_ended, is_new, of_storyline, relation_map
from memorybank_studio.hub.verbalisation import tell_predicate
from memorybank_studio.page import desk
from memorybank_studio.page.fact_graph import build_fact_view, place
from memorybank_studio.page.people import draw_chapter, draw_person_link
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.types import EntityKey, Link, PlanKind

HEIGHT: Final = 560
SIZES: Final = (20, 40, 80, 200)
"""People and factions of a picture, at most; the second at first."""
MOST_LINES: Final = 40
"""Changes that are told below the picture."""


def draw_relations(held: OpenStudio, lang: Lang) -> None:
    chapter = draw_chapter(held, lang)
    stores = held.studio.stores
    left, middle, right = st.columns([3, 2, 2], gap="medium")
    storylines = sorted({plan.storyline for plan in stores.plans.all(kind=PlanKind.SHORT) if plan.storyline})
    storyline = middle.selectbox(
        t("studio.relations_storyline", lang),
        storylines,
        index=None,
        placeholder=t("studio.relations_any", lang),
        key="studio-relations-storyline",
        persist_state="session",
    )
    most = right.selectbox(
        t("studio.relations_most", lang),
        SIZES,
        index=1,
        key="studio-relations-most",
        persist_state="session",
    )
    among = of_storyline(stores, storyline) if storyline else None
    kinds = relation_map(stores, chapter, most=0, among=among).predicates
    chosen = left.multiselect(
        t("studio.relations_kinds", lang),
        kinds,
        format_func=lambda name: tell_predicate(name, held.card.lang),
        placeholder=t("studio.relations_any", lang),
        key="studio-relations-kinds",
        persist_state="session",
    )
    shown = relation_map(stores, chapter, most=most or SIZES[1], predicates=chosen, among=among)
    if not shown.entities:
        draw(muted(t("studio.relations_none", lang)), key="studio-relations-none")
        return
    _draw_map(held, shown, chapter, lang)


def _draw_map(held: OpenStudio, shown: RelationMap, chapter: int | None, lang: Lang) -> None:
    studio = studio_tab().desk
    studio.map_places = studio.map_places or Layout()
    points = place(studio.map_places, shown.entities, shown.links)
    total = len(shown.entities) + shown.left_out
    view = build_fact_view(shown.entities, shown.links, points, lang, total=total, told_in=held.card.lang)
    view = marked(view, shown.links, chapter, lang)
    if shown.left_out:
        view = replace(view, notice=t("studio.relations_left_out", lang, count=shown.left_out))
    draw_graph(view, key=desk.RELATIONS_GRAPH, height=HEIGHT)
    draw(note(view.description), key="studio-relations-count")
    clicked = selection(desk.RELATIONS_GRAPH).node
    person = next((entity for entity in shown.entities if str(entity.key) == str(clicked)), None)
    if person is not None:
        draw_person_link(person, "relations", lang)
    if chapter is not None:
        draw(_changes(held, shown, chapter, lang), key="studio-relations-changes")


def marked(view: GraphView, links: Sequence[Link], chapter: int | None, lang: Lang) -> GraphView:
    """The same picture, its arrows marked by what came new and what ended. Two between whom something holds that is
    not new are not marked."""
    marks: dict[str, EdgeMark] = {}
    for pair, between in _by_pair(links).items():
        holding = [link for link in between if not is_ended(link, chapter)]
        if not holding:
            marks[pair] = EdgeMark.REMOVED
        elif any(is_new(link, chapter) for link in holding):
            marks[pair] = EdgeMark.ADDED
    edges = tuple(_edge(edge, marks.get(edge["id"])) for edge in view.edges)
    legend = [
        LegendItem(words=t(f"studio.relations_{mark}", lang, chapter=chapter), look=EDGE_MARK_LOOKS[mark])
        for mark in (EdgeMark.ADDED, EdgeMark.REMOVED)
        if mark in marks.values()
    ]
    return replace(view, edges=edges, legend=(*view.legend, *legend))


def _by_pair(links: Sequence[Link]) -> dict[str, list[Link]]:
    pairs: dict[str, list[Link]] = {}
    for link in links:
        pairs.setdefault(f"{link.subject}|{link.object}", []).append(link)
    return pairs


def _edge(edge: dict[str, Any], mark: EdgeMark | None) -> dict[str, Any]:
    if mark is None:
        return edge
    look = EDGE_MARK_LOOKS[mark]
    dashes = list(look.dashes) or False
    sign = "+ " if mark is EdgeMark.ADDED else "− "
    return {
        **edge,
        "color": look.color,
        "width": look.width,
        "dashes": dashes,
        "mark": mark.value,
        "label": f"{sign}{edge['label']}",
    }


def _changes(held: OpenStudio, shown: RelationMap, chapter: int, lang: Lang) -> Box:
    names = {entity.key: entity.name for entity in shown.entities}
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
    return box("li", "", row_of(chip(t(f"studio.relations_{mark}_short", lang), look), box("span", "text", sentence)))
