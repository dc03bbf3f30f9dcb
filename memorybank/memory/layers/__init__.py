"""The three layers of memory as values: Interaction Tree, Query Graph, Insight Doc, and what is in progress."""

from __future__ import annotations

from dataclasses import fields
from typing import Self


class Copyable:
    """A mutable dataclass of the state. A copy is shallow: dicts and sets are copied, the values in them are frozen."""

    __slots__ = ()

    def copy(self) -> Self:
        """Return a snapshot, which later facts do not change."""
        values = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
        return type(self)(*(value.copy() if isinstance(value, dict | set | Copyable) else value for value in values))
