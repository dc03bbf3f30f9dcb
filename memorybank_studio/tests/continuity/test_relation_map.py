"""The map of relations: what holds as of a chapter, what begins and ends in it, and who is left out of many."""

from __future__ import annotations

import pytest

from memorybank.views.graph.layout import Layout
from memorybank_studio.continuity.profile import is_ended, is_new, relation_map
from memorybank_studio.hub.stores import Stores
from memorybank_studio.page.facts import build_fact_view, marked, place
from memorybank_studio.tests.tasks.studio import character, fact

ANN, BEA, CAL = map(character, ("Ann", "Bea", "Cal"))


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
    view = marked(build_fact_view(shown, points, "en", told_in="en"), shown.links, 3, "en")
    marks = {(edge["from"], edge["to"]): edge["mark"] for edge in view.edges}
    assert marks == {(ANN.key, BEA.key): "added", (BEA.key, CAL.key): "removed", (CAL.key, ANN.key): "added"}
    assert all(edge["label"][0] in "+−" for edge in view.edges), "told by more than a colour"
    later = relation_map(story, 4, most=9)
    assert {link.predicate for link in later.links} == {"HATES", "KNOWS"}
    view = build_fact_view(later, place(Layout(), later.entities, later.links), "en", told_in="en")
    assert marked(view, later.links, 4, "en").edges == view.edges


def test_of_two_hundred_the_most_connected_come_first(stores: Stores) -> None:
    many = [character(f"Person {number}") for number in range(200)]
    stores.facts.apply([ANN, *many], [fact(ANN, "KNOWS", each, 1) for each in many])
    shown = relation_map(stores, 1, most=40)
    assert (len(shown.entities), shown.left_out) == (40, 161)
    assert shown.entities[0] == ANN
    assert len(shown.links) == 39
