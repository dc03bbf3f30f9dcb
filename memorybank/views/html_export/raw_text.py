"""Raw texts cut at every border that a node draws in them: each piece is a text of its own, kept once in the pool.

Whatever node marks its part of an entry, it names the same pieces; so a text of which twenty nodes own a part is in the
file once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from memorybank.memory.events import ClustersFound, ConflictClosed, MemoryImported, NodeCreated
from memorybank.memory.types import Entry, EntryId, Lang, Span
from memorybank.runs.journal import Record
from memorybank.views.box import Box, Piece, box, note
from memorybank.views.i18n import t

LONGEST = 6_000
"""Characters of an entry shown in a node's card; of a longer one, what lies around the marks. Its head leads to all."""
AROUND = 1_500
"""Characters shown before and after them."""
MOST_OF_ONE, MOST_OF_ALL = 200_000, 20_000_000
"""Characters of one entry, and of all, that are in the file whole."""


class RawTexts:
    def __init__(self, records: Iterable[Record[Any]]) -> None:
        self._borders: dict[EntryId, list[int]] = {}
        self._room = MOST_OF_ALL
        for record in records:
            for span in _spans(record.event):
                self._borders.setdefault(span.entry_id, []).extend((span.start, span.end))
        self._borders = {entry_id: sorted(set(borders)) for entry_id, borders in self._borders.items()}

    def whole(self, entry: Entry, lang: Lang) -> tuple[tuple[str, ...], Box | None]:
        """Its pieces, and a word about what the file has no room for."""
        size = len(entry.text)
        last = min(size, MOST_OF_ONE, self._room)
        self._room -= last
        cut = note(t("export.cut", lang, shown=f"{last:,}", total=f"{size:,}")) if last < size else None
        return tuple(entry.text[start:end] for start, end in self._cuts(entry, 0, last)), cut

    def marked(self, entry: Entry, spans: Sequence[Span], lang: Lang) -> Box:
        """The entry with a node's parts marked."""
        own = sorted((span.start, span.end) for span in spans)
        first, last = _window(entry, own)
        pieces: list[Piece] = []
        for start, end in self._cuts(entry, first, last):
            text = entry.text[start:end]
            is_own = any(span_start <= start and end <= span_end for span_start, span_end in own)
            pieces.append(box("mark", "span", text) if is_own and not _owns_all(entry, own) else text)
        part = t("tree.part", lang, start=first + 1, end=last, total=len(entry.text))
        return box("div", "", box("p", "raw", *pieces), note(part) if last - first < len(entry.text) else None)

    def _cuts(self, entry: Entry, first: int, last: int) -> list[tuple[int, int]]:
        borders = self._borders.get(entry.id, [])
        inner = borders[bisect_right(borders, first) : bisect_left(borders, last)]
        points = [first, *inner, last]
        return [(start, end) for start, end in pairwise(points) if start < end]


def _window(entry: Entry, own: Sequence[tuple[int, int]]) -> tuple[int, int]:
    size = len(entry.text)
    if size <= LONGEST or not own:
        return 0, min(size, LONGEST)
    first = max(0, own[0][0] - AROUND)
    return first, min(size, max(end for _, end in own) + AROUND, first + LONGEST)


def _owns_all(entry: Entry, own: Sequence[tuple[int, int]]) -> bool:
    """A mark on everything marks nothing."""
    return any(not entry.text[:start].strip() and not entry.text[end:].strip() for start, end in own)


def _spans(event: Any) -> Iterable[Span]:
    match event:
        case NodeCreated() | ConflictClosed():
            yield from event.spans
        case ClustersFound():
            for cluster in event.clusters:
                yield from cluster.spans
        case MemoryImported():
            for node in event.nodes:
                yield from node.spans
        case _:
            pass
