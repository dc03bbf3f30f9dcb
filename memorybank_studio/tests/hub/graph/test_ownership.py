"""A graph server holds one studio's story: the first marks it, another is refused by name, its own comes back."""

from __future__ import annotations

import threading

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.hub.labels import MARK
from memorybank_studio.hub.ownership import Owner, claim
from memorybank_studio.tests.hub.graph.conftest import Hub
from memorybank_studio.tests.hub.graph.story import CAST, EVERYTHING

SIEGE = Owner(studio="aa11", title="The Siege")
WINTER = Owner(studio="bb22", title="Winter")


def marks(hub: Hub) -> set[tuple[str, str]]:
    query = f"MATCH (mark:{MARK}) RETURN mark.studio AS studio, mark.title AS title"
    rows = [row for layer in (hub.connection.facts, hub.connection.plans) for row in layer.rows(query)]
    assert len(rows) == 2, "one node a database, which each layer sees"
    return {(row["studio"], row["title"]) for row in rows}


def test_another_studio_is_refused_with_both_names_and_what_to_do(hub: Hub) -> None:
    claim(hub.connection, SIEGE)
    with pytest.raises(InputError, match=r"“The Siege” \(aa11\), not of “Winter” \(bb22\): set NEO4J_DATABASE"):
        claim(hub.connection, WINTER)
    assert marks(hub) == {("aa11", "The Siege")}


def test_ones_own_is_opened_again_under_a_new_title(hub: Hub) -> None:
    claim(hub.connection, SIEGE)
    claim(hub.connection, Owner(studio="aa11", title="The Long Siege"))
    assert marks(hub) == {("aa11", "The Long Siege")}


def test_a_story_from_before_there_were_marks_belongs_to_who_opens_it(hub: Hub) -> None:
    hub.facts.apply(CAST, [])
    hub.plans.apply(EVERYTHING, [], "settlement")
    claim(hub.connection, SIEGE)
    assert hub.facts.count() == (len(CAST), 0)
    assert len(hub.plans.all()) == len(EVERYTHING)
    with pytest.raises(InputError, match="Siege"):
        claim(hub.connection, WINTER)


def test_one_layer_of_another_studio_is_enough_to_be_refused(hub: Hub) -> None:
    claim(hub.connection, SIEGE)
    hub.connection.facts.write(lambda ask: ask(f"MATCH (node:{MARK}) DETACH DELETE node"))
    if hub.connection.two_databases:
        with pytest.raises(InputError, match=r"planning layer .* “The Siege”"):
            claim(hub.connection, WINTER)
    else:  # the mark was both layers'
        claim(hub.connection, WINTER)


def test_a_hostile_title_is_data(hub: Hub) -> None:
    title = "'}) DETACH DELETE n //</b>`"
    hub.facts.apply(CAST, [])
    claim(hub.connection, Owner(studio="aa11", title=title))
    assert hub.facts.count() == (len(CAST), 0)
    assert marks(hub) == {("aa11", title)}


def test_of_two_that_begin_at_once_one_gets_the_database(hub: Hub) -> None:
    lost: list[Owner] = []

    def begin(owner: Owner) -> None:
        try:
            claim(hub.connection, owner)
        except (InputError, StoreUnavailableError):  # refused, or told that somebody else wrote just now: try again
            lost.append(owner)

    threads = [threading.Thread(target=begin, args=(one,)) for one in (SIEGE, WINTER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    (loser,) = lost
    with pytest.raises(InputError, match="holds the story of the studio"):
        claim(hub.connection, loser)
    winner = WINTER if loser == SIEGE else SIEGE
    assert marks(hub) == {(winner.studio, winner.title)}
