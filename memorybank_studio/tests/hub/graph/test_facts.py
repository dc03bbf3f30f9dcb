"""The fact layer keeps to its contract on every server and in memory."""

from __future__ import annotations

import random
import threading
from dataclasses import replace

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.hub.facts import Facts
from memorybank_studio.tests.hub.graph.conftest import Hub, Layers
from memorybank_studio.tests.hub.graph.story import (
    CAST,
    CAVE,
    CHAPTER,
    DEAD,
    DONE,
    FAMINE,
    FIRE,
    FIRST,
    FLIGHT,
    LETTER,
    MEI,
    OPEN,
    PENDANT,
    SECOND,
    SWORD,
    WEI,
    entity,
    fact,
    origin,
    status,
)
from memorybank_studio.tests.hub.in_memory import FactsInMemory, link_of
from memorybank_studio.types import IN_CHAPTER, Entity, EntityKey, EntityKind, Fact, FactKey, TaskId
from tests.tables import tables

OWNS = fact(MEI, "OWNS", SWORD, 1)
OWNS_LATER = fact(WEI, "OWNS", SWORD, 5)
HATES = fact(WEI, "HATES", MEI, 2, properties={"reason": "灭门", "a key\"with'quotes`": "}) DETACH DELETE n //"})
STORY = (OWNS, HATES, fact(SWORD, "遗落于", CAVE), fact(MEI, IN_CHAPTER, CHAPTER, 3), status(PENDANT, OPEN, 1))


def _everything(layers: Layers) -> tuple[set[Entity], set[tuple[str, str]]]:
    """All there is, to be compared."""
    found = {layers.facts.entity(one.key) for one in CAST}
    told = {(one.key, repr(one)) for key in (one.key for one in CAST) for one in layers.facts.history(key)}
    return {one for one in found if one is not None}, told


def test_what_is_written_is_read_back_as_it_was(layers: Layers) -> None:
    layers.facts.apply(CAST, STORY)
    assert [layers.facts.entity(one.key) for one in CAST] == list(CAST)
    assert set(map(repr, layers.facts.history(MEI.key))) == set(map(repr, (OWNS, HATES, STORY[3])))
    assert layers.facts.count() == (len(CAST), len(STORY))
    assert set(map(repr, layers.facts.of_task(FIRST))) == set(map(repr, STORY)), "over all predicates"
    assert layers.facts.entity(EntityKey("e-unknown")) is None
    assert layers.facts.about(EntityKey("e-unknown")) == ()
    some = [MEI.key, EntityKey("e-unknown"), SWORD.key, MEI.key]
    assert layers.facts.entities(some) == {MEI.key: MEI, SWORD.key: SWORD}
    assert layers.facts.entities([]) == {}


def test_names_and_aliases_find_an_entity_however_they_are_written(layers: Layers) -> None:
    flower = entity(EntityKind.ITEM, "小梅")
    layers.facts.apply([*CAST, flower], [])
    assert layers.facts.named("  the FOX ") == (MEI,)
    assert layers.facts.named("小梅") == (MEI, flower)
    assert layers.facts.named("nobody") == ()
    names = layers.facts.names()
    assert names["Mei"] == names["the Fox"] == MEI.key
    assert names["小梅"] == flower.key, "its own name goes before another's alias"
    assert layers.facts.names([EntityKind.ITEM]) == {"Sword": SWORD.key, "小梅": flower.key}


def test_a_fact_holds_from_its_chapter_until_it_is_ended(layers: Layers) -> None:
    layers.facts.apply(CAST, [OWNS])
    layers.facts.apply([], [OWNS_LATER], ends=[(OWNS.key, 5)])
    ended = replace(OWNS, until=5)
    assert layers.facts.about(SWORD.key, chapter=0) == ()
    assert layers.facts.about(SWORD.key, chapter=1) == (ended,)
    assert layers.facts.about(SWORD.key, chapter=4) == (ended,)
    assert layers.facts.about(SWORD.key, chapter=5) == (OWNS_LATER,)
    assert layers.facts.about(SWORD.key) == (OWNS_LATER,)
    assert layers.facts.history(SWORD.key) == (ended, OWNS_LATER)
    assert layers.facts.links() == (link_of(ended), link_of(OWNS_LATER)), "ended ones too"
    assert layers.facts.matching(MEI.key, "OWNS") == ()
    assert layers.facts.matching(MEI.key, "OWNS", chapter=2) == (ended,)
    assert layers.facts.matching(SWORD.key, "OWNS") == (), "the sword is owned, it owns nothing"
    layers.facts.apply(CAST, [OWNS])
    assert layers.facts.about(SWORD.key) == (OWNS_LATER,), "the later end outlives the old word told again"


def test_settling_again_or_the_rest_after_a_crash_changes_nothing(layers: Layers) -> None:
    ends = [(OWNS.key, 5)]
    layers.facts.apply(CAST[:3], [HATES, OWNS])
    layers.facts.apply(CAST, [*STORY, OWNS_LATER], ends)
    once = _everything(layers)
    for _ in range(2):
        layers.facts.apply(CAST, [*STORY, OWNS_LATER], ends)
    assert _everything(layers) == once
    assert layers.facts.count() == (len(CAST), len(STORY) + 1)


def test_a_task_takes_back_its_own_earlier_word(layers: Layers) -> None:
    lost = fact(MEI, "LOST", SWORD, 4)
    layers.facts.apply(CAST, [OWNS, lost])
    told_anew = replace(OWNS, properties={"how": "stolen"})
    for _ in range(2):
        layers.facts.apply([], [told_anew], replaces=[lost.key, OWNS.key, FactKey("f-of nobody")])
    assert layers.facts.history(SWORD.key) == (told_anew,)


def test_the_same_words_from_another_task_leave_the_first_origin(layers: Layers) -> None:
    layers.facts.apply(CAST, [OWNS])
    layers.facts.apply(
        [replace(MEI, aliases=("Vixen",), note="", origin=origin(SECOND))], [replace(OWNS, origin=origin(SECOND))]
    )
    assert layers.facts.of_task(SECOND) == ()
    assert layers.facts.of_task(FIRST) == (OWNS,)
    mei = layers.facts.entity(MEI.key)
    assert mei is not None
    assert (mei.note, mei.origin, mei.aliases) == ("a thief", MEI.origin, ("the Fox", "小梅", "Vixen"))
    layers.facts.apply([], [replace(OWNS, properties={"since": "her birth"}, origin=origin(SECOND))])
    assert [one.properties for one in layers.facts.of_task(SECOND)] == [{"since": "her birth"}]


def test_hooks_are_open_until_the_chapter_that_resolves_them(layers: Layers) -> None:
    first, second = status(LETTER, OPEN, 2), status(PENDANT, OPEN, 1)
    layers.facts.apply(CAST, [first, second, status(MEI, DEAD, 9)])
    assert layers.facts.hooks() == ((PENDANT, second), (LETTER, first)), "oldest first"
    resolved = status(PENDANT, DONE, 7)
    layers.facts.apply([], [resolved], ends=[(second.key, 7)])
    assert layers.facts.hooks() == ((LETTER, first),)
    assert layers.facts.hooks(resolved=True) == ((PENDANT, resolved),)
    assert [hook for hook, _ in layers.facts.hooks(chapter=6)] == [PENDANT, LETTER]
    assert layers.facts.hooks(chapter=1) == ((PENDANT, replace(second, until=7)),)


def test_causes_lead_back_nearest_first_and_around_no_ring(layers: Layers) -> None:
    near, far = fact(FIRE, "CAUSES", FLIGHT, 4), fact(FAMINE, "CAUSES", FIRE, 1)
    ring = fact(FLIGHT, "CAUSES", FAMINE, 9)
    layers.facts.apply(CAST, [near, far, fact(FLIGHT, "BEFORE", FIRE)])
    assert layers.facts.causes(FLIGHT.key) == (near, far)
    assert layers.facts.causes(FAMINE.key) == ()
    layers.facts.apply([], [ring])
    assert layers.facts.causes(FLIGHT.key) == (near, far, ring)


def test_the_overview_follows_every_write_its_own_and_another_ones(hub: Hub) -> None:
    """Against the layer in memory, which counts anew each time; the second writer knows nothing of the first's."""
    draw = random.Random(7)
    people = [entity(EntityKind.CHARACTER, f"person {number}") for number in range(12)]
    told = FactsInMemory()
    other = Facts(hub.connection.facts)
    written: list[Fact] = []
    for place in range(24):
        writer = other if place % 4 == 3 else hub.facts
        facts = [fact(draw.choice(people), "KNOWS", draw.choice(people), draw.randint(1, 9)) for _ in range(5)]
        ends = [(one.key, one.since + 2) for one in draw.sample(written, min(2, len(written)))]
        gone = [one.key for one in draw.sample(written, min(1, len(written)))] if place % 3 == 2 else []
        for layer in (writer, told):
            layer.apply(people if place == 0 else [people[0]], facts, ends=ends, replaces=gone)  # type: ignore[attr-defined]
        written += facts
        links = hub.facts.links()
        assert [link.since for link in links] == sorted(link.since for link in links)
        assert set(links) == set(told.links()), place
        assert hub.facts.latest() == told.latest()
    late = entity(EntityKind.ITEM, "a late thing")
    other.apply([late], [])
    assert hub.facts.names([EntityKind.ITEM]) == {"a late thing": late.key}


@pytest.mark.parametrize(
    "name", ["owns", "OWNS`]->() DETACH DELETE n //", "", "1ST", "A" * 65, "拥 有", "OWNS\n", "_A", "É"]
)
def test_what_is_no_relationship_type_is_refused_and_writes_nothing(hub: Hub, name: str) -> None:
    with pytest.raises(InputError, match=r"no predicate: write .*A-Z"):
        hub.facts.apply(CAST, [OWNS, fact(MEI, name, WEI)])
    with pytest.raises(InputError):
        hub.facts.matching(MEI.key, name)
    assert hub.facts.count() == (0, 0)


def test_a_fact_about_nobody_writes_nothing_of_its_call(layers: Layers) -> None:
    stranger = entity(EntityKind.CHARACTER, "Nobody")
    for wrong in (fact(stranger, "OWNS", SWORD), fact(MEI, "KNOWS", stranger)):
        with pytest.raises(InputError, match="is no entity: write it first"):
            layers.facts.apply(CAST, [OWNS, wrong])
    assert layers.facts.count() == (0, 0)


def test_predicates_lead_where_they_must(layers: Layers) -> None:
    for wrong in (fact(MEI, "HAS_STATUS", SWORD), fact(MEI, "HAS_TRAIT", DEAD), fact(MEI, IN_CHAPTER, CAVE)):
        with pytest.raises(InputError, match="leads to"):
            layers.facts.apply(CAST, [wrong])
    for name in ("three", "03", "3 ", "٣", "-1", ""):
        with pytest.raises(InputError, match="chapter_id in digits"):
            layers.facts.apply([entity(EntityKind.CHAPTER, name)], [])
    assert layers.facts.count() == (0, 0)


HOSTILE = [*tables(__file__)["hostile"], "x" * 100_000]


@pytest.mark.parametrize("words", HOSTILE, ids=lambda words: repr(words)[:24])
def test_hostile_words_are_data_in_every_place(layers: Layers, words: str) -> None:
    layers.facts.apply(CAST, STORY)
    told = replace(origin(), source=words, task=TaskId(words[:200]))
    stranger = Entity(kind=EntityKind.CHARACTER, name=words, aliases=(words + "!",), note=words, origin=told)
    said = Fact(subject=stranger.key, predicate="SAID", object=MEI.key, properties={words: words}, since=8, origin=told)
    for _ in range(2):
        layers.facts.apply([stranger], [said], ends=[(FactKey(words), 3)], replaces=[FactKey(words)])
    assert layers.facts.entity(stranger.key) == stranger
    assert layers.facts.named(words + "!") == (stranger,)
    assert layers.facts.names()[words] == stranger.key
    assert layers.facts.about(stranger.key) == (said,)
    assert layers.facts.of_task(said.origin.task) == (said,)
    assert layers.facts.entity(EntityKey(words)) is None
    assert layers.facts.about(EntityKey(words)) == layers.facts.causes(EntityKey(words)) == ()
    assert layers.facts.count() == (len(CAST) + 1, len(STORY) + 1)


def test_what_no_store_can_hold_is_refused_by_name(layers: Layers) -> None:
    for wrong in (
        entity(EntityKind.ITEM, "half \ud83d"),
        replace(MEI, note="\udc00"),
        replace(MEI, aliases=("\ud800",)),
    ):
        with pytest.raises(InputError, match="lone surrogate"):
            layers.facts.apply([wrong], [])
    for number in (-1, 2**31, 2**80):
        with pytest.raises(InputError, match="whole number"):
            layers.facts.apply(CAST, [replace(OWNS, since=number)])
        with pytest.raises(InputError, match="whole number"):
            layers.facts.apply(CAST, [], ends=[(OWNS.key, number)])
    with pytest.raises(InputError, match="1,000 characters: give an id of at most 256"):
        layers.facts.apply([replace(MEI, origin=origin(TaskId("x" * 1_000)))], [])
    assert layers.facts.count() == (0, 0)


def test_two_writers_of_the_same_facts_write_them_once(hub: Hub) -> None:
    people = [entity(EntityKind.CHARACTER, f"person {number}") for number in range(60)]
    told = [fact(one, "KNOWS", people[0]) for one in people]
    failed: list[StoreUnavailableError] = []

    def write() -> None:
        try:
            Facts(hub.connection.facts).apply(people, told)
        except StoreUnavailableError as error:
            failed.append(error)

    writers = [threading.Thread(target=write) for _ in range(4)]
    [one.start() for one in writers]
    [one.join() for one in writers]
    assert len(failed) < 4, "one of them wrote"
    assert all("nothing was written" in str(error) for error in failed)
    assert hub.facts.count() == (60, 60)
    assert len(hub.facts.history(people[0].key)) == 60


def test_what_is_renamed_keeps_its_key_and_its_facts_and_is_told_again_by_either_name(layers: Layers) -> None:
    layers.facts.apply(CAST, [OWNS])
    lan = replace(MEI, name="Lan", aliases=("Mei", "the Fox"), keyed_as="Mei")
    layers.facts.apply([lan], [])
    assert layers.facts.entity(MEI.key) == lan
    assert lan.key == MEI.key
    assert layers.facts.about(MEI.key) == (OWNS,)
    assert {entity.key for name in ("Lan", "mei", "The fox") for entity in layers.facts.named(name)} == {MEI.key}
    assert layers.facts.named("小梅") == (), "its word is taken whole"
    assert "Lan" in layers.facts.names()
    layers.facts.apply([MEI], [])
    told = layers.facts.entity(MEI.key)
    assert told is not None
    assert (told.name, told.keyed_as) == ("Lan", "Mei"), "an older word about her leaves her name"
