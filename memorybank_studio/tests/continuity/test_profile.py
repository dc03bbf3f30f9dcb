"""A character's page, the map of relations and the timeline, as of each chapter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.views.graph.layout import Layout
from memorybank_studio.continuity.profile import (
    Appearance,
    Person,
    appearances,
    chapters_naming,
    is_ended,
    is_new,
    profile,
    relation_map,
    timeline,
)
from memorybank_studio.hub.stores import Stores
from memorybank_studio.page.facts import build_fact_view, place
from memorybank_studio.tests.tasks.studio import IMPORT, character, chunk, fact
from memorybank_studio.types import (
    HAS_STATUS,
    HAS_TRAIT,
    IN_CHAPTER,
    UNRESOLVED,
    Chunk,
    Entity,
    EntityKind,
    Plan,
    PlanKind,
)
from tests.tables import tables

TABLES = tables(__file__)

ANN = replace(character("Ann"), aliases=("the Fox",))
BEA = character("Bea")
FIRE = character("the fire", kind=EntityKind.EVENT)
BRAVE = character("brave", kind=EntityKind.TRAIT)
OPEN = character(UNRESOLVED, kind=EntityKind.STATUS)
LETTER = character("Who wrote to Ann?", kind=EntityKind.HOOK)
RING = character("Where is the ring?", kind=EntityKind.HOOK)


def appearing(stores: Stores, entity: Entity, chapter: int | None = None, most: int = 9) -> tuple[Appearance, ...]:
    return appearances(stores, entity.key, chapters_naming(stores, entity.key, chapter), most)[0]


def test_each_fact_stands_in_its_group_as_of_the_chapter(stores: Stores) -> None:
    trait, knows = fact(ANN, HAS_TRAIT, BRAVE, 1), fact(ANN, "KNOWS_OF", FIRE, 3)
    unaware, known_by = fact(ANN, "UNAWARE_OF", FIRE, 1, 3), fact(BEA, "KNOWS_OF", ANN, 1)
    loves, later = fact(ANN, "LOVES", BEA, 1), fact(ANN, "HATES", BEA, 5)
    told = [trait, knows, unaware, known_by, loves, later]
    told += [fact(LETTER, HAS_STATUS, OPEN, 1), fact(RING, HAS_STATUS, OPEN, 1)]
    stores.facts.apply([ANN, BEA, FIRE, BRAVE, OPEN, LETTER, RING], told)
    fox = Plan(kind=PlanKind.GENERAL, title="The Fox returns", origin=IMPORT)
    stores.plans.apply([fox, replace(fox, title="Annabel sings")])
    second = profile(stores, ANN.key, 2)
    assert second is not None
    assert (second.traits, second.knows, second.unaware) == ((trait,), (), (unaware,))
    assert (second.known_by, second.facts) == ((known_by,), (loves,))
    assert second.other == (knows, later)
    assert second.hooks == (LETTER,), "the ring's hook does not name her"
    assert [plan.title for plan in second.plans] == ["The Fox returns"]
    fifth = profile(stores, ANN.key, 5)
    assert fifth is not None
    assert (fifth.knows, fifth.unaware, fifth.facts) == ((knows,), (), (loves, later))
    assert profile(stores, RING.key.__class__("e-nobody"), 1) is None


def test_sentences_that_name_them_by_any_name_up_to_the_chapter(stores: Stores) -> None:
    stores.facts.apply([ANN, BEA], [])
    stores.archive.put(
        [
            chunk(1, 0, "Snow fell. Ann's lamp burned. Nobody came."),
            chunk(2, 0, "The Fox slept; Ann dreamt of Ann."),
            chunk(3, 0, "Annabel and Joanne sang."),
            chunk(4, 0, "Bea wept."),
            chunk(5, 0, "Then the\nFox woke."),
        ]
    )
    shown = appearing(stores, ANN)
    assert [(each.chapter, each.count) for each in shown] == [(5, 1), (2, 3), (1, 1)]
    quotes = {
        each.chapter: [(quote.text, quote.text[quote.start : quote.end]) for quote in each.quotes] for each in shown
    }
    assert quotes[1] == [("Ann's lamp burned.", "Ann")]
    assert quotes[2] == [("The Fox slept; Ann dreamt of Ann.", "The Fox")], "a sentence is quoted once"
    assert quotes[5] == [("Then the\nFox", "the\nFox")]
    assert [each.chapter for each in appearing(stores, ANN, 2)] == [2, 1]
    assert [each.chapter for each in appearing(stores, ANN, most=1)] == [5]


@pytest.mark.parametrize(("name", "others", "text", "count"), TABLES["of_names_that_overlap"])
def test_of_names_that_overlap_the_longer_is_meant(
    stores: Stores, name: str, others: list[str], text: str, count: int
) -> None:
    stores.facts.apply([character(name), *map(character, others)], [])
    stores.archive.put([chunk(1, 0, text)])
    assert [each.count for each in appearing(stores, character(name))] == [count]


def test_a_long_sentence_is_cut_near_the_name(stores: Stores) -> None:
    stores.facts.apply([ANN], [])
    words = "so it went on " * 60
    stores.archive.put([Chunk(chapter_id=1, chapter_title="", place=0, start=0, end=9, text=f"{words} Ann {words}.")])
    quote = appearing(stores, ANN)[0].quotes[0]
    assert len(quote.text) <= 240
    assert quote.text[quote.start : quote.end] == "Ann"


# -- the map of relations ------------------------------------------------------------------------------------------


CAL, DEE = map(character, ("Cal", "Dee"))


@pytest.fixture
def story(stores: Stores) -> Stores:
    told = [
        fact(ANN, "LOVES", BEA, 1, 3),
        fact(ANN, "HATES", BEA, 3),
        fact(BEA, "FRIEND_OF", CAL, 1, 3),
        fact(CAL, "KNOWS", ANN, 3),
    ]
    stores.facts.apply([ANN, BEA, CAL], told)
    return stores


def test_what_begins_and_what_ends_in_the_chapter_is_marked(story: Stores) -> None:
    shown = relation_map(story, 3, most=9)
    assert {entity.name for entity in shown.entities} == {"Ann", "Bea", "Cal"}
    assert {link.predicate for link in shown.links if is_new(link, 3)} == {"HATES", "KNOWS"}
    assert {link.predicate for link in shown.links if is_ended(link, 3)} == {"LOVES", "FRIEND_OF"}
    points = place(Layout(), shown.entities, shown.links)
    view = build_fact_view(shown, points, 3, "en", told_in="en")
    marks = {(edge["from"], edge["to"]): edge["mark"] for edge in view.edges}
    assert marks == {(ANN.key, BEA.key): "added", (BEA.key, CAL.key): "removed", (CAL.key, ANN.key): "added"}
    assert all(edge["label"][0] in "+−" for edge in view.edges), "told by more than a colour"
    later = relation_map(story, 4, most=9)
    assert {link.predicate for link in later.links} == {"HATES", "KNOWS"}
    view = build_fact_view(later, place(Layout(), later.entities, later.links), 4, "en", told_in="en")
    assert {edge["mark"] for edge in view.edges} == {"relation"}


def test_of_two_hundred_the_most_connected_come_first(stores: Stores) -> None:
    many = [character(f"Person {number}") for number in range(200)]
    stores.facts.apply([ANN, *many], [fact(ANN, "KNOWS", each, 1) for each in many])
    shown = relation_map(stores, 1, most=40)
    assert (len(shown.entities), shown.left_out) == (40, 161)
    assert shown.entities[0] == ANN
    assert len(shown.links) == 39


# -- the timeline --------------------------------------------------------------------------------------------------


TOWN = character("Northgate", kind=EntityKind.LOCATION)
FIVE = character("5", note="Ashes", kind=EntityKind.CHAPTER)
TEXTS = {1: "Ann came home.", 2: "Then the Fox slept.", 3: "Bea wept for Ann.", 4: "Anna rang a bell. Bea saw the Fox."}


def chunks(texts: dict[int, str], *names: str) -> list[Chunk]:
    return [
        Chunk(chapter_id=n, chapter_title=f"Part {n}", place=0, start=0, end=len(text), text=text, entity_list=names)
        for n, text in texts.items()
    ]


def people(stores: Stores) -> dict[str, Person]:
    return {person.name: person for person in timeline(stores).people}


def test_the_words_of_a_chapter_name_people_by_any_of_their_names(stores: Stores) -> None:
    stores.archive.put(chunks(TEXTS))
    stores.facts.apply([ANN, BEA, CAL], [])
    by_name = people(stores)
    assert by_name.keys() == {"Ann", "Bea"}, "who is nowhere has no track"
    assert by_name["Ann"].present == {1, 2, 3, 4}, "the Fox is Ann; Anna is somebody else"
    assert by_name["Bea"].present == {3, 4}
    assert [person.name for person in timeline(stores).people] == ["Ann", "Bea"], "the busiest first"
    told = [(chapter.number, chapter.title, chapter.words) for chapter in timeline(stores).chapters]
    assert told == [(1, "Part 1", 3), (2, "Part 2", 4), (3, "Part 3", 4), (4, "Part 4", 8)]
    stores.archive.put(chunks({4: "Nobody came."}))
    assert people(stores)["Ann"].present == {1, 2, 3}, "a chapter that is written anew is read anew"


def test_settled_deeds_place_people_and_states_do_not(stores: Stores) -> None:
    stores.archive.put(chunks({1: "Snow fell.", 2: "Snow fell."}))
    facts = [
        fact(CAL, "LOCATED_IN", TOWN, 2),
        fact(BEA, "TOOK_PART_IN", FIRE, 1),
        fact(FIRE, IN_CHAPTER, FIVE, 1),
        fact(CAL, "KILLED", DEE, 4),
        fact(ANN, "LOVES", BEA, 2),
        fact(ANN, "LOCATED_IN", TOWN, 0),
    ]
    stores.facts.apply([ANN, BEA, CAL, DEE, TOWN, FIRE, FIVE], facts)
    settled = {name: set(person.settled) for name, person in people(stores).items()}
    assert settled == {"Cal": {2, 4}, "Bea": {5}, "Dee": {4}}, "in the chapter of the event; not before the story"
    chapters = timeline(stores).chapters
    assert [(chapter.number, chapter.title, chapter.words, chapter.events) for chapter in chapters] == [
        (1, "Part 1", 2, ()),
        (2, "Part 2", 2, ()),
        (4, "", 0, ()),
        (5, "Ashes", 0, ("the fire",)),
    ]
