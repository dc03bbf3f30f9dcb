"""What a query returns, column by column: the text of its RETURN and the reading of the answer, side by side.

All rows come as one list of lists: over Bolt, a record costs a driver in Python four times what a list's element does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

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
    """Columns of these properties of a node or relationship, under their own names."""
    return {name: f"{variable}.{name}" for name in properties}
