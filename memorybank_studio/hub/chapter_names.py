"""Names as they stand in the chapters' own words, for who was settled only after a chapter came in; and their lengths.

A chunk's `entity_list` holds the names that were known when its chapter was imported. Texts of a whole book are a few
megabytes, so they are kept in memory from the first question on and looked through, which takes a millisecond.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from memorybank.language.han import is_han
from memorybank_studio.counting import words_in
from memorybank_studio.hub.collection import Row
from memorybank_studio.types import normal

_SHORTEST = 3
"""Letters of a name that is looked for; a shorter one is a part of too many words. Of Chinese characters two."""


class ChapterNames:
    """Thread-safe. `read`: all chunks as they are now."""

    def __init__(self, read: Callable[[], Iterable[Row]]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._rows: tuple[Row, ...] | None = None
        self._found: dict[str, frozenset[str]] = {}
        self._chapters: dict[str, frozenset[int]] = {}
        self._lengths: dict[int, int] | None = None

    def forget(self) -> None:
        """The chapters have changed."""
        with self._lock:
            self._rows = None
            self._found = {}
            self._chapters = {}
            self._lengths = None

    def untagged(self, name: str) -> frozenset[str]:
        """Ids of the chunks in which a name stands without being in their `entity_list`, and without being a part of a
        longer name that is."""
        with self._lock:
            return self._untagged(name)

    def chapters(self, name: str) -> frozenset[int]:
        """Chapters in which the name stands, or is in an `entity_list`."""
        with self._lock:
            if name not in self._chapters:
                key, more = normal(name), self._untagged(name)
                self._chapters[name] = frozenset(
                    _chapter(row) for row in self._held() if row.id in more or key in _keys(row)
                )
            return self._chapters[name]

    def lengths(self) -> Mapping[int, int]:
        """Words (of Chinese: characters) by chapter."""
        with self._lock:
            if self._lengths is None:
                counted: Counter[int] = Counter()
                for row in self._held():
                    counted[_chapter(row)] += words_in(row.text)
                self._lengths = dict(sorted(counted.items()))
            return self._lengths

    def _held(self) -> tuple[Row, ...]:
        if self._rows is None:
            self._rows = tuple(self._read())
        return self._rows

    def _untagged(self, name: str) -> frozenset[str]:
        if name not in self._found:
            self._found[name] = frozenset(_untagged(name.strip(), self._held()))
        return self._found[name]


def _untagged(name: str, rows: Sequence[Row]) -> Iterable[str]:
    if len(name) < (2 if is_han(name) else _SHORTEST):
        return
    stands = _stands(name)
    key = normal(name)
    for row in rows:
        if name in row.text and stands(row.text) and not any(key in entity_key for entity_key in _keys(row)):
            yield row.id


def _keys(row: Row) -> Sequence[str]:
    return cast("Sequence[str]", row.metadata.get("entity_keys", ()))


def _chapter(row: Row) -> int:
    return cast("int", row.metadata["chapter_id"])


def _stands(name: str) -> Callable[[str], object]:
    """Whether a name that is in a text is a word of it, where words are parted."""
    if is_han(name) or not (name[0].isalnum() and name[-1].isalnum()):
        return lambda text: True
    return re.compile(rf"\b{re.escape(name)}\b").search
