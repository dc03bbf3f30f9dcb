"""What has happened and what is to happen never mix, in two databases or in one."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.labels import LABELS, MARK, Layer, guard
from memorybank_studio.hub.plans import Plans
from memorybank_studio.studio import Owner, claim
from memorybank_studio.tests.hub.graph.conftest import Hub, has_two_databases
from memorybank_studio.tests.hub.graph.story import CAST, EVERYTHING, MEI, START, SWORD, WHOLE, fact, origin
from memorybank_studio.types import EntityKind, Fact, PlanKind


@pytest.mark.parametrize(
    ("layer", "own", "labels", "reason"),
    [
        (Layer.FACTS, "Entity", [*PlanKind, "Plan"], "the planning layer"),
        (Layer.PLANS, "Plan", [*EntityKind, "Entity"], "the fact layer"),
        (Layer.PLANS, "Plan", ["Step`) DETACH DELETE n //", MARK], "no layer"),
        (Layer.FACTS, "Entity", [MARK], "no layer"),
    ],
    ids=["plan labels among facts", "fact labels among plans", "labels of nobody", "the mark of a studio"],
)
def test_the_guard_refuses_labels_that_are_not_the_layers_own(
    layer: Layer, own: str, labels: list[str], reason: str
) -> None:
    guard(layer, [own])
    for label in labels:
        with pytest.raises(InputError, match=f"belongs to {reason}"):
            guard(layer, [own, label])


def test_a_plan_becomes_no_fact_on_any_path(hub: Hub) -> None:
    hub.plans.apply(EVERYTHING, [])
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
    assert hub.facts.links() == ()
    assert hub.facts.of_task(START.origin.task) == ()


def test_a_fact_becomes_no_plan_on_any_path(hub: Hub) -> None:
    owns = fact(MEI, "OWNS", SWORD)
    hub.facts.apply(CAST, [owns])
    wrong: list[Any] = [MEI, owns, CAST[0], "Step"]
    for one in wrong:
        with pytest.raises(InputError, match="takes plans alone"):
            hub.plans.apply([one], [])
    assert hub.plans.all() == hub.plans.children(None) == hub.plans.pointer(chapter=9) == ()
    assert hub.plans.plan(MEI.key) is None  # type: ignore[arg-type]


def test_no_node_is_of_both_layers(hub: Hub) -> None:
    hub.facts.apply(CAST, [fact(MEI, "OWNS", SWORD)])
    hub.plans.apply(EVERYTHING, [])
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
    if has_two_databases(hub.connection):
        assert not hub.connection.facts.rows("MATCH (node:Plan) RETURN node.key AS key")


def test_each_layer_takes_its_own_database_only(hub: Hub) -> None:
    with pytest.raises(InputError, match="facts do not go to the planning layer"):
        Facts(hub.connection.plans)
    with pytest.raises(InputError, match="plans do not go to the fact layer"):
        Plans(hub.connection.facts)
