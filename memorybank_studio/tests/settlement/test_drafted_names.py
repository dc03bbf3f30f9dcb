"""Names and plans that are only drafted so far stand beside those on record, for who reads on."""

from __future__ import annotations

from memorybank_studio.drafts import DraftItem
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.by_model import with_drafts
from memorybank_studio.types import Entity, EntityKind, Origin, Plan, PlanKind, TaskId

ORIGIN = Origin(task=TaskId("t1"))


def test_drafts_stand_beside_what_is_on_record(stores: Stores) -> None:
    lin = Entity(kind=EntityKind.CHARACTER, name="Lin", origin=ORIGIN)
    sword = Entity(kind=EntityKind.ITEM, name="Frost Sword", aliases=("the blade",), origin=ORIGIN)
    war = Plan(kind=PlanKind.GENERAL, title="War", origin=ORIGIN)
    one = Plan(kind=PlanKind.LONG, title="One", parent=war.key, origin=ORIGIN)
    stores.facts.apply([lin], [])
    stores.plans.apply([war], [], "board")
    known = with_drafts(stores, [DraftItem(item=item, turns=(1,)) for item in (lin, sword, war, one)])
    assert dict(known.facts.names()) == {"Lin": lin.key, "Frost Sword": sword.key, "the blade": sword.key}
    assert set(known.facts.names([EntityKind.ITEM])) == {"Frost Sword", "the blade"}
    assert known.facts.named("THE BLADE") == (sword,)
    assert known.facts.named("lin") == (lin,)
    assert known.facts.entity(sword.key) == sword
    assert dict(known.facts.entities([lin.key, sword.key])) == {lin.key: lin, sword.key: sword}
    assert known.plans.all() == (war, one)
    assert known.plans.children(war.key) == (one,)
    assert known.plans.plan(one.key) == one
    assert known.facts.latest() == 0
    assert stores.facts.entity(sword.key) is None, "nothing is written"
