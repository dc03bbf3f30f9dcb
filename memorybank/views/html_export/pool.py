"""Everything that is drawn, each thing once: texts and boxes become numbers, a box holds the numbers of what is in it.

A moment of a run differs little from the one before it, and a raw text stands in many cards. So what does not change
costs a number a mention, and a text is in the file once, however often it is shown.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from memorybank.views.box import Box, Piece
from memorybank.views.text.display import plain


class Pool:
    def __init__(self) -> None:
        self._items: list[Any] = []
        self._places: dict[Hashable, int] = {}

    def put(self, piece: Piece) -> int:
        """The number of a text or a box."""
        return self._text(piece) if isinstance(piece, str) else self._box(piece)

    def put_all(self, pieces: Sequence[Piece]) -> list[int]:
        return [self.put(piece) for piece in pieces]

    def as_json(self) -> list[Any]:
        """A text as itself; a box as `[tag, look, numbers]`, with a fourth item where it has a title or leads on."""
        return self._items

    def _text(self, text: str) -> int:
        return self._keep(text, lambda: plain(text))

    def _box(self, box: Box) -> int:
        inside = tuple(map(self.put, box.inside))
        key = (box.tag, box.look, inside, box.title, box.choose, box.current)
        extra = box.data()[3:] if box.title or box.choose or box.current else []
        return self._keep(key, lambda: [box.tag, box.look, list(inside), *extra])

    def _keep(self, key: Hashable, made: Any) -> int:
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._items)
            self._items.append(made())
        return place
