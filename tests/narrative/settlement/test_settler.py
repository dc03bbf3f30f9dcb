"""The settlement: proposed, confirmed by the author as it was seen, written whole or not at all."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.narrative.types import (
    HAS_STATUS,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    TaskState,
    entity_key,
)
from memorybank.narrative.writes import Mark
from tests.hostile import PAYLOADS
from tests.narrative.settlement.settling import drafted, owners, propose, row, settled
from tests.narrative.tasks.studio import IMPORT, Studio, open_studio

# -- nothing without it, everything with it ---------------------------------------------------------------------------


def test_nothing_reaches_the_hub_before_the_author_confirms(studio: Studio) -> None:
    task, table = propose(
        studio,
        "fact: Lin OWNS Frost Sword @3",
        "plan: The siege",
        "status: The siege = InProgress",
        "setting: Frost Sword = It never rusts.",
    )
    assert [(type(one.item).__name__, one.mark) for one in table.proposals] == [
        ("Entity", Mark.NEW),
        ("Entity", Mark.NEW),
        ("Fact", Mark.NEW),
        ("Plan", Mark.NEW),
        ("StatusChange", Mark.NEW),
        ("Setting", Mark.NEW),
    ]
    assert all(one.turns == (1,) and one.shown and one.ticked for one in table.proposals)
    assert studio.stores.facts.count() == (0, 0)
    assert studio.stores.plans.all() == ()
    assert studio.stores.settings.all() == ()

    confirmed = studio.gateway.confirm(task, table.proposals)
    assert confirmed.applied
    assert owners(studio) == ["Lin"]
    (plan,) = studio.stores.plans.all()
    assert (plan.title, plan.status) == ("The siege", PlanStatus.IN_PROGRESS)
    setting = studio.stores.settings.exact("frost sword")
    assert (setting.text, setting.origin.task, setting.origin.turns) == ("It never rusts.", task, (1,))
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED


def test_only_what_is_ticked_is_written_and_as_it_was_edited(studio: Studio) -> None:
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @3", "setting: Jade = warm", "setting: River = deep")
    edited = []
    for proposal in table.proposals:
        if isinstance(proposal.item, Setting) and proposal.item.key == "Jade":
            proposal = replace(proposal, item=replace(proposal.item, text="cold"))
        if isinstance(proposal.item, Setting) and proposal.item.key == "River":
            proposal = replace(proposal, ticked=False)
        edited.append(proposal)
    studio.gateway.confirm(task, edited)
    assert [(one.key, one.text) for one in studio.stores.settings.all()] == [("Jade", "cold")]


def test_a_table_of_nothing_closes_the_task(studio: Studio) -> None:
    task, table = propose(studio, "only chatter")
    assert table.proposals == ()
    assert studio.gateway.confirm(task, ()).applied
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED


# -- found elsewhere, reviewed part by part ---------------------------------------------------------------------------


def test_what_was_found_waits_in_a_table_and_is_confirmed_part_by_part(studio: Studio) -> None:
    lines = (
        "fact: Lin OWNS Frost Sword @1",
        "fact: Shu HATES Lin @2",
        "fact: Lin KNOWS Shu @2",
        "setting: Jade = cold",
    )
    reply = studio.gateway.propose("Import: facts", drafted(*lines))
    task, table = studio.gateway.tasks()[0].id, reply.table
    assert table is not None
    assert studio.stores.facts.count() == (0, 0)
    studio.gateway.close()

    studio = open_studio(studio.folder, studio.stores)
    waiting = studio.gateway.table(task)
    assert waiting == table, "it waits through a restart"
    rows = waiting.proposals
    facts = [one for one in rows if isinstance(one.item, Fact)]
    assert {one.item.origin.task for one in facts if isinstance(one.item, Fact)} == {task}
    second = [one for one in facts if one.item.origin.chapter == 2]  # type: ignore[union-attr]
    chosen = [second[0], replace(second[1], ticked=False)]
    left = [one for one in rows if one not in second]
    assert studio.gateway.confirm(task, chosen, left).applied
    assert studio.stores.facts.count() == (2, 1), "with the names that it needs, and no more"
    assert studio.gateway.tasks()[0].state is TaskState.OPEN
    studio.gateway.close()

    studio = open_studio(studio.folder, studio.stores)
    rest = studio.gateway.table(task)
    assert {one.shown for one in rest.proposals} == {
        "Frost Sword (item)",
        "Lin owns Frost Sword (since chapter 1)",
        "Jade: cold",
    }, "what was shown unticked is dropped, what was not shown waits"
    again_found = studio.propose(task)
    assert len(again_found.proposals) == 3, "and /settle keeps what came from no turn"
    assert studio.gateway.confirm(task, again_found.proposals).applied
    assert owners(studio) == ["Lin"]
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED
    studio.gateway.close()


def test_a_part_that_was_refused_leaves_the_whole_table(studio: Studio) -> None:
    reply = studio.gateway.propose("Import", drafted("fact: Lin OWNS Frost Sword @1", "setting: Jade = cold"))
    task, rows = reply.table.task, reply.table.proposals
    fact = row(reply.table, Fact)
    left = [replace(one, ticked=False) for one in rows if one is not fact]
    with pytest.raises(InputError, match="neither in the hub nor ticked"):
        studio.gateway.confirm(task, [fact], left)
    kept = studio.gateway.table(task)
    assert kept.proposals == rows
    assert studio.stores.facts.count() == (0, 0)


def test_thousands_of_rows_are_marked_in_seconds(studio: Studio) -> None:
    lines = [f"fact: P{number % 300} OWNS Q{number} Sword @{number % 100}" for number in range(3_000)]
    drafts = drafted(*lines)
    began = time.perf_counter()
    reply = studio.gateway.propose("Import", drafts)
    assert len(reply.table.proposals) == 3_300 + 3_000
    assert studio.gateway.confirm(reply.table.task, reply.table.proposals).applied
    assert time.perf_counter() - began < 20
    assert studio.stores.facts.count() == (3_300, 3_000)


# -- what is confirmed is what was seen -------------------------------------------------------------------------------


def test_a_hub_that_changed_under_the_table_is_shown_before_it_is_written(studio: Studio) -> None:
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @5")
    settled(studio, "fact: Shu OWNS Frost Sword @5", title="Two")  # the sword is known by now: that changes nothing
    with pytest.raises(InputError, match=r"row 3 \('Lin owns Frost Sword.*is contradicts by now, not new"):
        studio.gateway.confirm(task, table.proposals)
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


def test_the_table_outlives_a_restart_of_the_program(studio: Studio) -> None:
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @5", "plan: The siege", "status: The siege = Completed")
    studio.gateway.close()
    reopened = open_studio(studio.folder, studio.stores)
    assert reopened.gateway.table(task) == table
    assert reopened.gateway.confirm(task, table.proposals).applied
    assert reopened.gateway.table(task) is None
    reopened.gateway.close()


CYPHER = "OWNS]->(x) DETACH DELETE x //"
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "predicate": ({"predicate": CYPHER}, "no predicate"),
    "empty name": ({"name": "  "}, "no name"),
    "surrogate": ({"text": "\ud83d"}, "surrogate"),
    "surrogate key": ({"key": "Jade\ud83d"}, "surrogate"),
    "surrogate category": ({"category": "\ud83d"}, "surrogate"),
    "surrogate source": ({"origin": Origin(task=IMPORT.task, source="\ud83d")}, "surrogate"),
    "empty setting": ({"text": " "}, "needs a key and a text"),
    "subject": ({"subject": entity_key(EntityKind.ITEM, "?")}, "neither in the hub nor ticked"),
    "chapter": ({"since": -1}, "whole number"),
    "parent": ({"kind": PlanKind.LONG}, "is not in the planning layer"),
    "status object": ({"predicate": HAS_STATUS}, "leads to a Status"),
}
"""What an author may edit into a row, and what the message says."""


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (Entity, "empty name"),
        (Fact, "predicate"),
        (Fact, "subject"),
        (Fact, "chapter"),
        (Fact, "status object"),
        (Setting, "surrogate"),
        (Setting, "surrogate key"),
        (Setting, "surrogate category"),
        (Setting, "surrogate source"),
        (Entity, "surrogate source"),
        (Plan, "surrogate source"),
        (Setting, "empty setting"),
        (Plan, "parent"),
    ],
)
def test_a_row_no_store_would_take_is_refused_before_anything_is_written(
    studio: Studio, kind: type, changes: str
) -> None:
    change, says = BAD[changes]
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")
    edited = [
        replace(one, item=replace(one.item, **change)) if isinstance(one.item, kind) else one for one in table.proposals
    ]
    with pytest.raises(InputError, match=says):
        studio.gateway.confirm(task, edited)
    assert studio.stores.facts.count() == (0, 0)
    assert studio.stores.plans.all() == ()
    assert studio.stores.settings.all() == ()
    assert studio.gateway.tasks()[0].state is TaskState.OPEN
    assert studio.gateway.waiting() == ()
    assert studio.gateway.confirm(task, table.proposals).applied


@pytest.mark.parametrize("name", sorted(set(PAYLOADS) - {"long word"}))
def test_hostile_names_and_texts_are_settled_as_they_are(studio: Studio, name: str) -> None:
    text = PAYLOADS[name]
    task, table = propose(studio, "setting: Jade = cold", "fact: Lin OWNS Frost Sword @3")
    edited = []
    for one in table.proposals:
        if isinstance(one.item, Setting):
            one = replace(one, item=replace(one.item, text=text, key=f"k {text[:80]}"))
        edited.append(one)
    studio.gateway.confirm(task, studio.gateway.remark(task, edited))
    (setting,) = studio.stores.settings.all()
    assert setting.text == text
    studio.gateway.close()
    reopened = open_studio(studio.folder, studio.stores)
    assert reopened.gateway.tasks()[0].state is TaskState.CLOSED
    reopened.gateway.close()
