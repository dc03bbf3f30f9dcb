"""The two layers in memory keep the contract of `hub.contracts`."""

from __future__ import annotations

import pytest

from memorybank.errors import InputError
from memorybank.narrative.hub.contracts import FactLayer, PlanLayer
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.types import (
    CAUSES,
    HAS_STATUS,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    TaskId,
)
from memorybank.narrative.writes import StatusChange

ORIGIN = Origin(task=TaskId("t"))


def entity(name: str, kind: EntityKind = EntityKind.CHARACTER, *aliases: str) -> Entity:
    return Entity(kind=kind, name=name, aliases=aliases, origin=ORIGIN)


def fact(subject: Entity, predicate: str, object_: Entity, since: int = 0, until: int | None = None) -> Fact:
    return Fact(subject=subject.key, predicate=predicate, object=object_.key, since=since, until=until, origin=ORIGIN)


LIN, GU = entity("林霜", EntityKind.CHARACTER, "霜儿"), entity("顾青")
SWORD = entity("照夜", EntityKind.ITEM)


def test_facts_hold_from_their_chapter_to_their_end() -> None:
    facts: FactLayer = FactsInMemory()
    owned = fact(LIN, "OWNS", SWORD, since=3)
    facts.apply([LIN, GU, SWORD], [owned])
    facts.apply([LIN, GU, SWORD], [owned])
    facts.apply([], [fact(GU, "OWNS", SWORD, since=7)], ends=[(owned.key, 7)])
    assert [one.subject for one in facts.about(SWORD.key, chapter=6)] == [LIN.key]
    assert [one.subject for one in facts.about(SWORD.key, chapter=7)] == [GU.key]
    assert [one.subject for one in facts.about(SWORD.key)] == [GU.key]
    assert facts.about(SWORD.key, chapter=2) == ()
    assert len(facts.history(SWORD.key)) == 2
    assert facts.matching(GU.key, "OWNS") == facts.about(GU.key)
    assert facts.count() == (3, 2)
    facts.apply([], [], replaces=[owned.key])
    assert len(facts.history(SWORD.key)) == 1
    assert len(facts.of_task(TaskId("t"))) == 1


def test_names_and_aliases_lead_to_their_entity() -> None:
    facts = FactsInMemory()
    facts.apply([LIN, SWORD], [])
    assert facts.names() == {"林霜": LIN.key, "霜儿": LIN.key, "照夜": SWORD.key}
    assert facts.names((EntityKind.ITEM,)) == {"照夜": SWORD.key}
    assert [one.key for one in facts.named("霜儿")] == [LIN.key]
    assert facts.entity(LIN.key) == LIN


@pytest.mark.parametrize("predicate", ["owns", "A`]->() DETACH DELETE n", "", "OWNS "])
def test_a_predicate_is_a_relationship_type(predicate: str) -> None:
    with pytest.raises(InputError, match="predicate"):
        FactsInMemory().apply([LIN, SWORD], [fact(LIN, predicate, SWORD)])


def test_an_unknown_end_is_refused_and_nothing_is_written() -> None:
    facts = FactsInMemory()
    with pytest.raises(InputError, match="no entity"):
        facts.apply([LIN], [fact(LIN, "OWNS", SWORD)])
    assert facts.count() == (0, 0)


def test_hooks_and_causes() -> None:
    facts = FactsInMemory()
    hook, dealt = entity("灯为何忽明忽暗", EntityKind.HOOK), entity("灯油掺水", EntityKind.EVENT)
    seen, lost = entity("灯光明灭", EntityKind.EVENT), entity("船触礁", EntityKind.EVENT)
    open_, closed = entity(UNRESOLVED, EntityKind.STATUS), entity(RESOLVED, EntityKind.STATUS)
    first = fact(hook, HAS_STATUS, open_, since=1, until=6)
    facts.apply(
        [hook, dealt, seen, lost, open_, closed],
        [first, fact(hook, HAS_STATUS, closed, since=6), fact(dealt, CAUSES, seen), fact(seen, CAUSES, lost)],
    )
    assert [one.key for one, _ in facts.hooks(chapter=3)] == [hook.key]
    assert facts.hooks() == ()
    assert [one.key for one, _ in facts.hooks(resolved=True)] == [hook.key]
    assert [one.subject for one in facts.causes(lost.key)] == [seen.key, dealt.key]
    assert [one.subject for one in facts.causes(lost.key, depth=1)] == [seen.key]
    entities, between = facts.graph(limit=2)
    assert len(entities) == 2
    assert all({one.subject, one.object} <= {one.key for one in entities} for one in between)


def test_plans_keep_their_order_and_their_clock() -> None:
    plans: PlanLayer = PlansInMemory()
    general = Plan(kind=PlanKind.GENERAL, title="g", origin=ORIGIN)
    long = Plan(kind=PlanKind.LONG, title="l", parent=general.key, origin=ORIGIN)
    short = Plan(kind=PlanKind.SHORT, title="s", parent=long.key, storyline="a", origin=ORIGIN)
    first = Plan(kind=PlanKind.STEP, title="1", parent=short.key, due=3, origin=ORIGIN)
    second = Plan(kind=PlanKind.STEP, title="2", parent=short.key, after=first.key, origin=ORIGIN)
    plans.apply([general, long, short, first, second], (), "settlement")
    plans.apply((), [StatusChange(plan=first.key, status=PlanStatus.IN_PROGRESS)], "board")
    plans.apply((), [StatusChange(plan=second.key, status=PlanStatus.IN_PROGRESS)], "board")
    assert [one.title for one in plans.all(status=PlanStatus.IN_PROGRESS, kind=PlanKind.STEP)] == ["2"]
    assert [one.title for one in plans.children(short.key)] == ["1", "2"]
    assert [one.title for one in plans.parents(second.key)] == ["g", "l", "s"]
    (pointer,) = [one for one in plans.pointer(chapter=5) if one.storyline == "a"]
    assert pointer.current is not None
    assert pointer.next is not None
    assert (pointer.current.title, pointer.next.title) == ("2", "1")
    assert [one.title for one in pointer.overdue] == ["1"]
    assert plans.plan(first.key) is not None
    with pytest.raises(InputError, match="settlement or the plan board"):
        plans.apply((), (), "check")  # type: ignore[arg-type]
