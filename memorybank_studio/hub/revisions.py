"""A number in each layer's database that every write raises within its own transaction: whoever keeps something of the
layer in memory asks for it, and knows whether that still holds, whoever wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memorybank_studio.hub.labels import REVISION, Layer

if TYPE_CHECKING:
    from memorybank_studio.hub.connection import Ask


def define(layer: Layer) -> str:
    label = REVISION[layer]
    return f"CREATE CONSTRAINT {label.lower()} IF NOT EXISTS FOR (node:{label}) REQUIRE node.key IS UNIQUE"


def revision(layer: Layer) -> Callable[[Ask], int]:
    """Asks for the number; 0 before the first write."""
    query = f"MATCH (node:{REVISION[layer]} {{key: 'one'}}) RETURN node.number AS number"

    def read_number(ask: Ask) -> int:
        rows = ask(query)
        return int(rows[0]["number"]) if rows else 0

    return read_number


def increment(layer: Layer, ask: Ask) -> int:
    """The number after it was raised, for the end of a write."""
    query = (
        f"MERGE (node:{REVISION[layer]} {{key: 'one'}}) "
        "SET node.number = coalesce(node.number, 0) + 1 RETURN node.number AS number"
    )
    return int(ask(query)[0]["number"])
