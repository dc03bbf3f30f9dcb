"""The labels and relationship types of the two graph layers, and the guard that keeps them apart.

The two label sets are disjoint, so that even in one database no node is of both layers; every write passes the guard.
What must stand in a query's text, because Cypher takes it as no parameter, is checked here first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from memorybank.errors import InputError, Notice
from memorybank_studio.types import EntityKind, PlanKind


class Layer(StrEnum):
    FACTS = "fact layer"
    PLANS = "planning layer"

    @property
    def notice(self) -> Notice:
        """Its name for people."""
        return Notice("hub.fact_layer" if self is Layer.FACTS else "hub.planning_layer")


ENTITY = "Entity"
"""Every node of the fact layer has it besides its kind: keys are unique over all kinds."""
PLAN = "Plan"
"""Every node of the planning layer has it besides its kind."""

REVISION: dict[Layer, str] = {Layer.FACTS: "FactRevision", Layer.PLANS: "PlanRevision"}
"""Of the one node in each layer that counts its writes."""

MARK = "Studio"
"""Of the one node in a server's database that says whose story is in it; of neither layer (`ownership.py`)."""

LABELS: dict[Layer, frozenset[str]] = {
    Layer.FACTS: frozenset({ENTITY, REVISION[Layer.FACTS], *EntityKind}),
    Layer.PLANS: frozenset({PLAN, REVISION[Layer.PLANS], *PlanKind}),
}

_PREDICATE_RE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")


def guard(layer: Layer, labels: Iterable[str]) -> None:
    """Refuse labels that are not the layer's own. Raises InputError."""
    for label in labels:
        if label in LABELS[layer]:
            continue
        owner = next((other for other in Layer if label in LABELS[other]), None)
        if owner is None:
            raise InputError("hub.label_of_none", layer=layer.notice, label=str(label)[:64])
        raise InputError("hub.label_of_other", layer=layer.notice, label=str(label)[:64], owner=owner.notice)


def is_predicate(name: str) -> bool:
    return isinstance(name, str) and _PREDICATE_RE.fullmatch(name) is not None


def predicate(name: str) -> str:
    """The name as a relationship type for a query's text, between backticks. Raises InputError."""
    if not is_predicate(name):
        raise InputError("hub.no_predicate", name=str(name)[:80])
    return f"`{name}`"


assert LABELS[Layer.FACTS].isdisjoint(LABELS[Layer.PLANS])
assert MARK not in LABELS[Layer.FACTS] | LABELS[Layer.PLANS]
