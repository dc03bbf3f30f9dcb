"""Facts as of a chapter: the graph, and beside it all about one entity with how it came to be so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.graph.component import draw as draw_graph
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.selections import select, selection
from memorybank.views.box import Box, box, chip, label, muted, note, row_of, stack_of
from memorybank.views.graph.layout import Layout
from memorybank.views.i18n import t
from memorybank_studio.hub.verbalisation import tell_fact
from memorybank_studio.page import desk
from memorybank_studio.page.fact_graph import SHAPES, build_fact_view, place
from memorybank_studio.page.people import MOST_ENTITIES, draw_chapter, draw_person_link, fact_lines
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import FACTS_ENTITY, studio_tab
from memorybank_studio.types import Entity, EntityKey, Fact, Link

HEIGHT: Final = 520


def draw_facts(held: OpenStudio, lang: Lang) -> None:
    chapter = draw_chapter(held, lang)
    stores = held.studio.stores
    entities, facts = stores.facts.graph(chapter=chapter, limit=MOST_ENTITIES)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _draw_picture(held, entities, facts, chapter, lang)
    with right:
        _draw_about(held, chapter, lang)


def _draw_picture(
    held: OpenStudio, entities: Sequence[Entity], facts: Sequence[Link], chapter: int | None, lang: Lang
) -> None:
    if not entities:
        draw(box("p", "muted text", t("studio.facts_none", lang)), key="studio-facts-none")
        return
    studio = studio_tab().desk
    studio.places = studio.places or Layout()
    points = place(studio.places, entities, facts)
    everything = held.studio.stores.facts.names(SHAPES)
    total = len(set(everything.values()))
    _follow_click(everything)
    key = everything.get(FACTS_ENTITY.held() or "")
    chosen = held.studio.stores.facts.about(key, chapter=chapter) if key is not None else ()
    view = build_fact_view(entities, facts, points, lang, total=total, told_in=held.card.lang, chosen=chosen)
    draw_graph(view, key=desk.FACTS_GRAPH, height=HEIGHT)
    draw(note(t("studio.graph_note", lang)), key="studio-graph-note")


def _draw_about(held: OpenStudio, chapter: int | None, lang: Lang) -> None:
    facts = held.studio.stores.facts
    names = facts.names(SHAPES)
    if not names:
        return
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
    holding = facts.about(entity.key, chapter=chapter)
    keys = {fact.key for fact in holding}
    other = [fact for fact in facts.history(entity.key) if fact.key not in keys]
    draw(_about(held, entity, holding, other, chapter, lang), key="studio-about")
    draw_person_link(entity, "facts", lang)


def _follow_click(names: Mapping[str, EntityKey]) -> None:
    """A click in the graph chooses in the list, too; once, so that the list can choose something else."""
    clicked = selection(desk.FACTS_GRAPH).node
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


def _about(
    held: OpenStudio, entity: Entity, holding: Sequence[Fact], other: Sequence[Fact], chapter: int | None, lang: Lang
) -> Box:
    ends = {end for fact in (*holding, *other) for end in (fact.subject, fact.object)}
    known = held.studio.stores.facts.entities(ends)

    def sentence(fact: Fact) -> str:
        return tell_fact(fact, known.get, held.card.lang)

    when = t("studio.holds_at", lang, chapter=chapter) if chapter is not None else t("studio.holds_now", lang)
    aliases = t("studio.aliases", lang, names=" · ".join(entity.aliases)) if entity.aliases else ""
    return stack_of(
        row_of(box("span", "wr-title text", entity.name), chip(t(f"studio.kind.{entity.kind}", lang), "node")),
        box("p", "muted small text", aliases) if aliases else None,
        box("p", "text", entity.note) if entity.note else None,
        label(when),
        fact_lines(holding, sentence, lang, is_task_told=True) if holding else muted(t("studio.holds_nothing", lang)),
        label(t("studio.holds_else", lang)) if other else None,
        fact_lines(other, sentence, lang, "muted", is_task_told=True) if other else None,
    )
