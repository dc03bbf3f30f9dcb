"""The timeline: who is in which chapter, by the chapters' words and by settled facts, as of each chapter."""

from __future__ import annotations

from memorybank_studio.continuity.profile import Person, timeline
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.tasks.studio import IMPORT, fact
from memorybank_studio.types import IN_CHAPTER, Chunk, Entity, EntityKind

ANN = Entity(kind=EntityKind.CHARACTER, name="Ann", aliases=("the Fox",), origin=IMPORT)
BEA = Entity(kind=EntityKind.CHARACTER, name="Bea", origin=IMPORT)
CAL = Entity(kind=EntityKind.CHARACTER, name="Cal", origin=IMPORT)
DEE = Entity(kind=EntityKind.CHARACTER, name="Dee", origin=IMPORT)
TOWN = Entity(kind=EntityKind.LOCATION, name="Northgate", origin=IMPORT)
FIRE = Entity(kind=EntityKind.EVENT, name="the fire", origin=IMPORT)
FIVE = Entity(kind=EntityKind.CHAPTER, name="5", note="Ashes", origin=IMPORT)
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


def test_a_story_in_chinese(stores: Stores) -> None:
    lin = Entity(kind=EntityKind.CHARACTER, name="林霜", aliases=("霜儿",), origin=IMPORT)
    stores.archive.put(chunks({1: "林霜上山。", 2: "霜儿下山。", 3: "众人提起林霜。"}))
    stores.facts.apply([lin], [])
    shown = timeline(stores)
    assert shown.people[0].present == {1, 2, 3}
    assert [chapter.words for chapter in shown.chapters] == [4, 4, 6], "characters, without the stops"
