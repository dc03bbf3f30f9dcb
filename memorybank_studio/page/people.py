"""A page for each character, place and thing: what is on record of it as of a chapter, its namings, what is to come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.views.box import Box, aside, box, chip, item_of, labelled, muted, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.text.display import plain
from memorybank_studio.continuity.profile import (
    Appearance,
    Profile,
    appearances,
    chapters_naming,
    others_named,
    profile,
)
from memorybank_studio.hub.verbalisation import tell_fact
from memorybank_studio.page.entries import draw_entry, draw_new
from memorybank_studio.page.plans import plan_line
from memorybank_studio.page.renaming import ask_to_rename, quoted
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import FACTS_CHAPTER, PERSON, turn_to
from memorybank_studio.types import BEARERS, BY_HAND, Entity, EntityKey, EntityKind, Fact, normal

CHAPTERS = 8
"""The number of chapters on a page of appearances."""
MOST_NAMES = 100
_PAGED = "studio-person-chapters"


def draw_person_link(entity: Entity, name: str, lang: Lang) -> None:
    """Draw the way to a character's page, wherever they are named; nothing for what is no character."""
    if entity.kind is EntityKind.CHARACTER:
        words = t("studio.person_open", lang, name=entity.name)
        button(words, f"studio-person-open-{name}", partial(show_person, entity.key), icon="person", look="tertiary")


def show_person(key: EntityKey) -> None:
    """Turn to a character's page. For callbacks."""
    turn_to("bible", "people")
    PERSON.set(str(key))
    back_to_first_page(_PAGED)


def draw_people(held: OpenStudio, lang: Lang) -> None:
    stores = held.studio.stores
    known = stores.facts.entities(stores.facts.names(BEARERS).values())
    draw_new(held, "entity", "entity", lang, is_open=not known)
    if not known:
        draw(muted(t("studio.people_none", lang)), key="studio-people-none")
        return
    order = {kind: place for place, kind in enumerate(BEARERS)}
    listed = sorted(known.values(), key=lambda entity: (order[entity.kind], entity.name, entity.key))
    people = [str(entity.key) for entity in listed]
    if PERSON.held() not in people:  # somebody of another time, or nobody yet
        PERSON.set(None)
    left, right = st.columns([2, 3], gap="large")
    with left:
        chosen = st.selectbox(
            t("studio.person", lang),
            people,
            index=None,
            format_func=lambda key: _listed(known[EntityKey(key)], lang),
            placeholder=t("studio.person_choose", lang),
            key=PERSON.key,
            persist_state="session",
            on_change=partial(back_to_first_page, _PAGED),
        )
    with right:
        chapter = draw_chapter(held, lang)
    shown = profile(stores, EntityKey(chosen), chapter) if chosen else None
    if shown is None:
        names = [box("p", "text leads", _listed(one, lang), choose=str(one.key)) for one in listed[:MOST_NAMES]]
        lines = box("ul", "line-list", *(item_of(name) for name in names))
        draw(
            muted(t("studio.person_hint", lang)),
            lines,
            key="studio-person-hint",
            on_choose=lambda key: show_person(EntityKey(key)),
        )
        return
    _draw_profile(held, shown, chapter, lang)
    _draw_appearances(held, shown.entity, chapter, lang)


def _listed(entity: Entity, lang: Lang) -> str:
    kind = () if entity.kind is EntityKind.CHARACTER else (t(f"studio.kind.{entity.kind}", lang),)
    return " · ".join((entity.name, *entity.aliases[:3], *kind))


def _draw_profile(held: OpenStudio, shown: Profile, chapter: int | None, lang: Lang) -> None:
    entity, sentence = shown.entity, teller(held, others_named(shown))
    knows_none = "studio.person_knows_none" if entity.kind is EntityKind.CHARACTER else ""
    draw(head(entity, lang), key="studio-person-head")
    with st.container(horizontal=True, gap="small"):
        draw_entry(held, entity, f"of-{entity.key}", lang)
        words = t("studio.rename_this", lang)
        button(words, "studio-person-rename", partial(ask_to_rename, entity.key), icon="edit_note", look="tertiary")
    noted = ((hook, box("p", "muted small text", hook.note) if hook.note else None) for hook in shown.hooks)
    hooks = [item_of(box("p", "text", hook.name), note) for hook, note in noted]
    left, right = st.columns(2, gap="large")
    with left:
        draw(
            _ranks(held, shown, lang),
            holding(shown.facts, sentence, chapter, lang),
            part("person_traits", shown.traits, sentence, lang),
            part("holds_else", shown.other, sentence, lang, "muted"),
            key="studio-person-facts",
        )
        _draw_facts(held, shown, sentence, lang)
    with right:
        draw(
            part("person_knows", shown.knows, sentence, lang, empty=knows_none),
            part("person_unaware", shown.unaware, sentence, lang),
            part("person_known_by", shown.known_by, sentence, lang),
            _listed_under("person_hooks", hooks, lang),
            _listed_under("person_plans", [plan_line(plan, lang) for plan in shown.plans], lang),
            key="studio-person-ahead",
        )


def _ranks(held: OpenStudio, shown: Profile, lang: Lang) -> Box | None:
    """Return an ability's ranks in their order, each with who stands at it."""
    if not shown.entity.ranks:
        return None
    of = {fact.subject: fact for fact in shown.facts if fact.object == shown.entity.key}  # the latest word of each
    known = held.studio.stores.facts.entities(of)
    lines = []
    for rank in shown.entity.ranks:
        at = (key for key, fact in of.items() if normal(rank) in map(normal, fact.properties.values()))
        names = (chip(known[key].name, "node") for key in at if key in known)
        lines.append(item_of(row_of(box("span", "text", rank), *names)))
    return labelled(t("studio.ranks", lang), box("ol", "points", *lines))


def _draw_facts(held: OpenStudio, shown: Profile, sentence: Callable[[Fact], str], lang: Lang) -> None:
    draw_new(held, "fact", f"fact-{shown.entity.key}", lang, {"subject": shown.entity.name})
    facts = {str(fact.key): fact for fact in (*shown.facts, *shown.traits, *shown.knows, *shown.unaware, *shown.other)}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = st.selectbox(
            t("studio.bible_fact", lang),
            list(facts),
            index=None,
            format_func=lambda key: plain(sentence(facts[key])),
            placeholder=t("studio.bible_fact_choose", lang),
            key=f"studio-person-fact-{shown.entity.key}",
        )
        if chosen in facts:
            draw_entry(held, facts[chosen], f"of-{chosen}", lang)


def teller(held: OpenStudio, ends: Iterable[EntityKey]) -> Callable[[Fact], str]:
    """Return a function that tells a fact in the story's language; all ends of the facts are looked up at once."""
    known = held.studio.stores.facts.entities(ends)
    return lambda fact: tell_fact(fact, known.get, held.card.lang)


def head(entity: Entity, lang: Lang) -> Box:
    """Return the entity's name and kind, its other names, and what is noted of it."""
    aliases = t("studio.aliases", lang, names=" · ".join(entity.aliases)) if entity.aliases else ""
    return stack_of(
        row_of(box("span", "wr-title text", entity.name), chip(t(f"studio.kind.{entity.kind}", lang), "node")),
        box("p", "muted small text", aliases) if aliases else None,
        box("p", "text", entity.note) if entity.note else None,
    )


def holding(facts: Sequence[Fact], sentence: Callable[[Fact], str], chapter: int | None, lang: Lang) -> Box:
    """Return the facts that hold in the chapter, or now."""
    when = t("studio.holds_at", lang, chapter=chapter) if chapter is not None else t("studio.holds_now", lang)
    return labelled(when, _lines(facts, sentence, lang) if facts else muted(t("studio.holds_nothing", lang)))


def part(
    words: str, facts: Sequence[Fact], sentence: Callable[[Fact], str], lang: Lang, look: str = "", empty: str = ""
) -> Box | None:
    """Return a group of facts under its label; nothing where there are none and nothing is to be said of that."""
    if not facts and not empty:
        return None
    return labelled(t(f"studio.{words}", lang), _lines(facts, sentence, lang, look) if facts else muted(t(empty, lang)))


def _listed_under(words: str, lines: Sequence[Box], lang: Lang) -> Box | None:
    return labelled(t(f"studio.{words}", lang), box("ul", "line-list", *lines)) if lines else None


def _draw_appearances(held: OpenStudio, entity: Entity, chapter: int | None, lang: Lang) -> None:
    stores = held.studio.stores
    candidates = chapters_naming(stores, entity.key, chapter)
    shown, looked = appearances(stores, entity.key, candidates, page_end(_PAGED, CHAPTERS))
    st.subheader(t("studio.person_appears", lang), anchor=False)
    if not shown:
        draw(muted(t("studio.person_appears_none", lang)), key="studio-person-appears-none")
        return
    draw(box("ul", "line-list", *(_appearance(each, lang) for each in shown)), key="studio-person-appears")
    draw_more(_PAGED, CHAPTERS, len(shown) + len(candidates) - looked, lang)


def _appearance(shown: Appearance, lang: Lang) -> Box:
    return item_of(
        row_of(
            box("span", "text strong", t("studio.chapter", lang, number=shown.chapter, title=shown.title)),
            aside(t("studio.person_named", lang, count=shown.count)),
        ),
        *(quoted(quote.text, quote.start, quote.end) for quote in shown.quotes),
    )


def _lines(facts: Sequence[Fact], sentence: Callable[[Fact], str], lang: Lang, look: str = "") -> Box:
    """Return the facts, each with the words it stands on and the task that settled it."""
    return box("ul", "line-list", *(_line(fact, sentence(fact), lang, look) for fact in facts))


def _line(fact: Fact, sentence: str, lang: Lang, look: str) -> Box:
    source = t("studio.fact_source", lang, words=fact.origin.source) if fact.origin.source else ""
    task = fact.origin.task
    settled = t("studio.fact_by_hand" if task == BY_HAND else "studio.fact_task", lang, task=task)
    words = " · ".join(filter(None, (source, settled)))
    return box("li", look, box("p", "text", sentence), box("p", "muted small text", words))


def last_chapter(held: OpenStudio) -> int:
    """Return the last chapter that is written, or that a settled fact speaks of."""
    stores = held.studio.stores
    written = [number for number, _ in stores.archive.chapters()]
    named = [int(name) for name in stores.facts.names([EntityKind.CHAPTER]) if name.isascii() and name.isdecimal()]
    return max([stores.facts.latest(), *written, *named])


def draw_chapter(held: OpenStudio, lang: Lang) -> int | None:
    """Let the author choose the chapter as of which facts are shown; None, while there is none: the newest state."""
    last = last_chapter(held)
    if last < 1:
        return None
    kept = FACTS_CHAPTER.held()
    if not isinstance(kept, int) or not 0 <= kept <= last:
        FACTS_CHAPTER.set(last)
    return int(
        st.slider(
            t("studio.as_of", lang),
            0,
            last,
            key=FACTS_CHAPTER.key,
            help=t("studio.as_of_help", lang),
            persist_state="session",
        )
    )
