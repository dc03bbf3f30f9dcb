"""Everything that is drawn, each thing once: texts and boxes become numbers, a box holds the numbers of what is in it.

A moment of a run differs little from the one before it, and a raw text stands in many cards. So what does not change
costs a number a mention, and a text is in the file once, however often it is shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
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
        extra = replace(box, inside=()).data()[3:]
        key = (box.tag, box.look, inside, repr(extra))
        return self._keep(key, lambda: [box.tag, box.look, list(inside), *extra])

    def _keep(self, key: Hashable, made: Any) -> int:
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._items)
            self._items.append(made())
        return place


# -- values that change as events come ---------------------------------------------------------------------------------


Json = Any
Track = list[tuple[int, Json]]
"""(events so far, the value from then on), in order."""


class Tracks:
    """Named values over the events of a run. None stands for "there is none"."""

    def __init__(self) -> None:
        self._tracks: dict[str, Track] = {}

    def set(self, name: str, at: int, value: Json) -> None:
        """From `at` on it has this value. Must be told in order; what says nothing new is not kept."""
        track = self._tracks.setdefault(name, [])
        before = track[-1][1] if track else None
        if value == before:
            return
        if track and track[-1][0] == at:
            track.pop()
        track.append((at, value))

    def set_all(self, at: int, values: Mapping[Any, Json]) -> None:
        """The values of all names; a name that is left out has none from now on."""
        self.end(self._tracks.keys() - values.keys(), at)
        for name, value in values.items():
            self.set(name, at, value)

    def end(self, names: Collection[str], at: int) -> None:
        for name in names:
            self.set(name, at, None)

    def at(self, k: int) -> dict[str, Json]:
        """All values after `k` events."""
        values = {}
        for name, track in self._tracks.items():
            place = bisect_right(track, k, key=lambda pair: pair[0])
            if place and track[place - 1][1] is not None:
                values[name] = track[place - 1][1]
        return values

    def as_json(self) -> dict[str, list[Json]]:
        """`[at, value, at, value, …]` by name."""
        return {name: [item for pair in track for item in pair] for name, track in self._tracks.items() if track}
