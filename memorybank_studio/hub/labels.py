"""The labels and relationship types of the two graph layers, and the guard that keeps them apart.

The two label sets are disjoint, so that even in one database no node is of both layers; every write passes the guard.
What must stand in a query's text, because Cypher takes it as no parameter, is checked here first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memorybank.errors import InputError, Notice
from memorybank_studio.types import EntityKind, PlanKind

if TYPE_CHECKING:
    from memorybank_studio.hub.connection import Ask


class Layer(StrEnum):
    FACTS = "fact layer"
    PLANS = "planning layer"

    @property
    def notice(self) -> Notice:
        """Return the layer's name for people."""
        return Notice("hub.fact_layer" if self is Layer.FACTS else "hub.planning_layer")


ENTITY = "Entity"
"""Every node of the fact layer has it besides its kind: keys are unique over all kinds."""
PLAN = "Plan"
"""Every node of the planning layer has it besides its kind."""

REVISION: dict[Layer, str] = {Layer.FACTS: "FactRevision", Layer.PLANS: "PlanRevision"}
"""The label of the one node in each layer that counts its writes."""

MARK = "Studio"
"""The label of the one node in a server's database that says whose story is in it; of neither layer (`studio.py`)."""

LABELS: dict[Layer, frozenset[str]] = {
    Layer.FACTS: frozenset({ENTITY, REVISION[Layer.FACTS], *EntityKind}),
    Layer.PLANS: frozenset({PLAN, REVISION[Layer.PLANS], *PlanKind}),
}

_PREDICATE_RE = re.compile(r"[A-Z\u4e00-\u9fff][A-Z0-9_\u4e00-\u9fff]{0,63}")
"""A relation's name, which may be Chinese: capitals and Han characters."""


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
    """Return the name as a relationship type for a query's text, between backticks. Raises InputError."""
    if not is_predicate(name):
        raise InputError("hub.no_predicate", name=str(name)[:80])
    return f"`{name}`"


assert LABELS[Layer.FACTS].isdisjoint(LABELS[Layer.PLANS])
assert MARK not in LABELS[Layer.FACTS] | LABELS[Layer.PLANS]


_MOST = 2**31 - 1
LONGEST_ID = 256
"""Characters of what is indexed: servers take some kilobytes at most there."""


def text(value: str, name: str) -> str:
    """Return the text. Raises InputError, which names it as `name`, for half a surrogate pair: it has no UTF-8 form."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError("hub.half_character", name=name, place=error.start) from None
    return value


def number(value: int, name: str) -> int:
    """Return the number itself, from 0 to 2,147,483,647. Raises InputError."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise InputError("hub.bad_number", name=name, value=str(value)[:40], most=_MOST)
    return value


def optional_number(value: int | None, name: str) -> int | None:
    return None if value is None else number(value, name)


def define(layer: Layer) -> str:
    label = REVISION[layer]
    return f"CREATE CONSTRAINT {label.lower()} IF NOT EXISTS FOR (node:{label}) REQUIRE node.key IS UNIQUE"


def revision(layer: Layer) -> Callable[[Ask], int]:
    """Return a function that asks for the number; 0 before the first write."""
    query = f"MATCH (node:{REVISION[layer]} {{key: 'one'}}) RETURN node.number AS number"

    def read_number(ask: Ask) -> int:
        rows = ask(query)
        return int(rows[0]["number"]) if rows else 0

    return read_number


def increment(layer: Layer, ask: Ask) -> int:
    """Return the number after it was raised, for the end of a write."""
    query = (
        f"MERGE (node:{REVISION[layer]} {{key: 'one'}}) "
        "SET node.number = coalesce(node.number, 0) + 1 RETURN node.number AS number"
    )
    return int(ask(query)[0]["number"])


Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    columns: Mapping[str, str]
    """Name and Cypher expression of each."""

    @property
    def returned(self) -> str:
        return f"RETURN collect([{', '.join(self.columns.values())}]) AS rows"

    def read(self, answer: Iterable[Row]) -> list[Row]:
        return [dict(zip(self.columns, values, strict=True)) for record in answer for values in record["rows"]]


def held_by(variable: str, *properties: str) -> dict[str, str]:
    """Return columns of these properties of a node or relationship, under their own names."""
    return {name: f"{variable}.{name}" for name in properties}
