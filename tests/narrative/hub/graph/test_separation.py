"""What has happened and what is to happen never mix, in two databases or in one."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.narrative.hub.facts import Facts
from memorybank.narrative.hub.labels import LABELS, MARK, Layer, guard
from memorybank.narrative.hub.ownership import Owner, claim
from memorybank.narrative.hub.plans import Plans
from memorybank.narrative.types import EntityKind, Fact, PlanKind
from tests.narrative.hub.graph.conftest import Hub
from tests.narrative.hub.graph.story import CAST, EVERYTHING, MEI, START, SWORD, WHOLE, fact, origin


def test_the_label_sets_are_disjoint_and_complete() -> None:
    facts, plans = LABELS[Layer.FACTS], LABELS[Layer.PLANS]
    assert not facts & plans
    assert set(EntityKind) < facts
    assert set(PlanKind) < plans


@pytest.mark.parametrize("layer", list(Layer))
def test_the_guard_lets_nobody_write_the_mark_of_a_studio(layer: Layer) -> None:
    with pytest.raises(InputError, match="belongs to no layer"):
        guard(layer, [MARK])


@pytest.mark.parametrize("label", [*PlanKind, "Plan"])
def test_the_guard_refuses_a_plan_label_among_facts(label: str) -> None:
    with pytest.raises(InputError, match="belongs to the planning layer"):
        guard(Layer.FACTS, ["Entity", label])


@pytest.mark.parametrize("label", [*EntityKind, "Entity"])
def test_the_guard_refuses_a_fact_label_among_plans(label: str) -> None:
    with pytest.raises(InputError, match="belongs to the fact layer"):
        guard(Layer.PLANS, ["Plan", label])


def test_the_guard_refuses_a_label_of_nobody() -> None:
    with pytest.raises(InputError, match="belongs to no layer"):
        guard(Layer.PLANS, ["Step`) DETACH DELETE n //"])


def test_a_plan_becomes_no_fact_on_any_path(hub: Hub) -> None:
    hub.plans.apply(EVERYTHING, [], "settlement")
    wrong: list[tuple[Any, Any]] = [
        ([WHOLE], []),
        ([], [START]),
        (CAST, [Fact(subject=START.key, predicate="OWNS", object=SWORD.key, origin=origin())]),  # type: ignore[arg-type]
        (CAST, [Fact(subject=MEI.key, predicate="DOES", object=START.key, origin=origin())]),  # type: ignore[arg-type]
    ]
    for entities, facts in wrong:
        with pytest.raises(InputError):
            hub.facts.apply(entities, facts)
    assert hub.facts.count() == (0, 0)
    assert hub.facts.about(START.key) == hub.facts.history(START.key) == ()  # type: ignore[arg-type]
    assert hub.facts.entity(START.key) is None  # type: ignore[arg-type]
    assert hub.facts.named(START.title) == ()
    assert hub.facts.names() == {}
    assert hub.facts.graph() == ((), ())
    assert hub.facts.of_task(START.origin.task) == ()


def test_a_fact_becomes_no_plan_on_any_path(hub: Hub) -> None:
    owns = fact(MEI, "OWNS", SWORD)
    hub.facts.apply(CAST, [owns])
    wrong: list[Any] = [MEI, owns, CAST[0], "Step"]
    for one in wrong:
        with pytest.raises(InputError, match="takes plans alone"):
            hub.plans.apply([one], [], "settlement")
    assert hub.plans.all() == hub.plans.children(None) == hub.plans.pointer(chapter=9) == ()
    assert hub.plans.plan(MEI.key) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["CONTAINS", "NEXT", "FIRST_STEP"])
def test_a_predicate_named_as_the_plans_order_is_refused_and_changes_no_plan(hub: Hub, name: str) -> None:
    hub.plans.apply(EVERYTHING, [], "settlement")
    before = hub.plans.all()
    with pytest.raises(InputError, match="relation of the planning layer"):
        hub.facts.apply(CAST, [fact(MEI, name, SWORD)])
    assert hub.facts.count() == (0, 0)
    assert hub.plans.all() == before


def test_no_node_is_of_both_layers(hub: Hub) -> None:
    hub.facts.apply(CAST, [fact(MEI, "OWNS", SWORD)])
    hub.plans.apply(EVERYTHING, [], "settlement")
    claim(hub.connection, Owner(studio="one", title="Mei's"))
    facts, plans = LABELS[Layer.FACTS], LABELS[Layer.PLANS]
    seen = set()
    for layer in (hub.connection.facts, hub.connection.plans):
        for row in layer.rows("MATCH (node) RETURN labels(node) AS labels"):
            labels = set(row["labels"])
            assert labels <= facts or labels <= plans or labels == {MARK}
            seen |= labels
    assert {"Entity", "Character", "Plan", "Step", MARK} <= seen
    assert hub.facts.count() == (len(CAST), 1), "the mark is none of the facts"
    assert len(hub.plans.all()) == len(EVERYTHING), "and none of the plans"
    if hub.connection.two_databases:
        assert not hub.connection.facts.rows("MATCH (node:Plan) RETURN node.key AS key")


def test_each_layer_takes_its_own_database_only(hub: Hub) -> None:
    with pytest.raises(InputError, match="facts do not go to the planning layer"):
        Facts(hub.connection.plans)
    with pytest.raises(InputError, match="plans do not go to the fact layer"):
        Plans(hub.connection.facts)
