"""Names as they stand in the chapters' own words, for who was settled only after a chapter came in.

A chunk's `entity_list` holds the names that were known when its chapter was imported. Texts of a whole book are a few
megabytes, so they are kept in memory from the first question on and looked through, which takes a millisecond.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from memorybank.language.han import is_han
from memorybank.narrative.hub.collection import Row
from memorybank.narrative.types import normal

_SHORTEST = 3
"""Letters of a name that is looked for; a shorter one is a part of too many words. Of Chinese characters two."""


class ChapterNames:
    """Thread-safe. `read`: all chunks as they are now."""

    def __init__(self, read: Callable[[], Iterable[Row]]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._rows: tuple[Row, ...] | None = None
        self._found: dict[str, frozenset[str]] = {}

    def forget(self) -> None:
        """The chapters have changed."""
        with self._lock:
            self._rows = None
            self._found = {}

    def untagged(self, name: str) -> frozenset[str]:
        """Ids of the chunks in which a name stands without being in their `entity_list`, and without being a part of a
        longer name that is."""
        with self._lock:
            if self._rows is None:
                self._rows = tuple(self._read())
            if name not in self._found:
                self._found[name] = frozenset(_untagged(name.strip(), self._rows))
            return self._found[name]


def _untagged(name: str, rows: Sequence[Row]) -> Iterable[str]:
    if len(name) < (2 if is_han(name) else _SHORTEST):
        return
    stands = _stands(name)
    key = normal(name)
    for row in rows:
        if name in row.text and stands(row.text):
            known = cast("Sequence[str]", row.metadata.get("entity_keys", ()))
            if not any(key in entity_key for entity_key in known):
                yield row.id


def _stands(name: str) -> Callable[[str], object]:
    """Whether a name that is in a text is a word of it, where words are parted."""
    if is_han(name) or not (name[0].isalnum() and name[-1].isalnum()):
        return lambda text: True
    return re.compile(rf"\b{re.escape(name)}\b").search
