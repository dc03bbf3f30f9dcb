"""The settlement: proposed, confirmed by the author as it was seen, written whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank_studio.settlement.settler import HinderedError
from memorybank_studio.tests.settlement.settling import drafted, owners, propose, row, settled
from memorybank_studio.tests.tasks.studio import Studio, offered
from memorybank_studio.types import (
    HAS_STATUS,
    Entity,
    EntityKind,
    Fact,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    TaskState,
    entity_key,
)
from memorybank_studio.writes import Mark, StatusChange

# -- nothing without it, everything with it ---------------------------------------------------------------------------


def is_empty(studio: Studio) -> bool:
    stores = studio.stores
    return (stores.facts.count(), stores.plans.all(), stores.settings.all()) == ((0, 0), (), ())


def test_nothing_reaches_the_hub_before_the_author_confirms(studio: Studio) -> None:
    task, table = propose(
        studio,
        "fact: Lin OWNS Frost Sword @3",
        "plan: The siege",
        "status: The siege = InProgress",
        "setting: Frost Sword = It never rusts.",
    )
    kinds = [type(one.item) for one in table.proposals]
    assert kinds == [Entity, Entity, Fact, Plan, StatusChange, Setting]
    assert {one.mark for one in table.proposals} == {Mark.NEW}
    assert all(one.turns == (1,) and one.shown and one.ticked for one in table.proposals)
    assert is_empty(studio)
    assert studio.gateway.confirm(task, table.proposals).applied
    assert owners(studio) == ["Lin"]
    (plan,) = studio.stores.plans.all()
    assert (plan.title, plan.status) == ("The siege", PlanStatus.IN_PROGRESS)
    setting = studio.stores.settings.exact("frost sword")
    assert (setting.text, setting.origin.task, setting.origin.turns) == ("It never rusts.", task, (1,))
    assert studio.states() == [TaskState.CLOSED]


# -- found elsewhere, reviewed part by part ---------------------------------------------------------------------------


def test_what_was_found_waits_in_a_table_through_a_restart_and_facts_bring_their_names_along(studio: Studio) -> None:
    table = offered(studio.gateway, "Import", drafted("fact: Lin OWNS Frost Sword @1", "setting: Jade = cold"))
    task = table.task
    assert is_empty(studio)
    studio = studio.reopened()
    assert studio.gateway.table(task) == table
    assert studio.propose(task).proposals == table.proposals, "and to settle again keeps what came from no turn"
    fact = row(table, Fact)
    alone = [replace(one, ticked=one is fact) for one in table.proposals]
    assert studio.gateway.confirm(task, alone).applied
    assert studio.stores.facts.count() == (2, 1), "with the names that it needs, and no more"
    assert studio.stores.settings.all() == ()
    assert (studio.states(), studio.gateway.table(task)) == ([TaskState.CLOSED], None)
    studio.gateway.close()


# -- what is confirmed is what was seen -------------------------------------------------------------------------------


def test_a_hub_that_changed_under_the_table_is_shown_before_it_is_written(studio: Studio) -> None:
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @5")
    settled(studio, "fact: Shu OWNS Frost Sword @5", title="Two")  # the sword is known by now: that changes nothing
    with pytest.raises(HinderedError, match="changed since you saw this row") as hindered:
        studio.gateway.confirm(task, table.proposals)
    assert hindered.value.row == 3
    assert owners(studio) == ["Shu"]
    fresh = studio.gateway.remark(task, table.proposals)
    assert fresh[2].mark is Mark.CONTRADICTS
    assert fresh[2].ticked, "the author's ticks stay"
    studio.gateway.confirm(task, fresh)
    assert owners(studio) == ["Lin"]


def test_a_table_is_of_the_whole_history_or_of_none(studio: Studio) -> None:
    task, table = propose(studio, "setting: Jade = cold")
    studio.gateway.handle("setting: Jade = warm", task=task)
    with pytest.raises(InputError, match="2 turns more than its table"):
        studio.gateway.confirm(task, table.proposals)
    other = studio.open_task("Other")
    with pytest.raises(InputError, match="no table to confirm"):
        studio.gateway.confirm(other, table.proposals)
    studio.gateway.confirm(task, studio.propose(task).proposals)
    with pytest.raises(InputError, match="is closed"):
        studio.gateway.confirm(task, table.proposals)


CYPHER = "OWNS]->(x) DETACH DELETE x //"


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        (Entity, {"name": "  "}, "no name"),
        (Fact, {"predicate": CYPHER}, "no predicate"),
        (Fact, {"subject": entity_key(EntityKind.ITEM, "?")}, "neither on record nor ticked"),
        (Fact, {"since": -1}, "whole number"),
        (Fact, {"predicate": HAS_STATUS}, "does not lead to something of the kind of"),
        (Setting, {"text": " "}, "needs a key and a text"),
        (Plan, {"kind": PlanKind.LONG}, "is not in the planning layer"),
    ],
)
def test_a_row_no_store_would_take_is_refused_before_anything_is_written(
    studio: Studio, kind: type, change: dict[str, Any], says: str
) -> None:
    """What an author may edit into a row, and what the message says."""
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")
    edited = [
        replace(one, item=replace(one.item, **change)) if isinstance(one.item, kind) else one for one in table.proposals
    ]
    with pytest.raises(HinderedError, match=says) as hindered:
        studio.gateway.confirm(task, edited)
    assert hindered.value.row == next(one.number for one in edited if isinstance(one.item, kind))
    assert is_empty(studio)
    assert studio.states() == [TaskState.OPEN]
    assert studio.gateway.waiting() == ()
    assert studio.gateway.confirm(task, table.proposals).applied
