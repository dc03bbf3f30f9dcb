"""What an agent answered, as the journal keeps it. A model wrote it, so it is read as any value, of any shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def listed(answer: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """The objects that an answer lists under a name; what is no object is left out."""
    items = answer.get(name)
    if isinstance(items, list | tuple):
        yield from (item for item in items if isinstance(item, Mapping))
