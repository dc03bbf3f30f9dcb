"""Values that change as events come: a track is the value's history, and a moment is a look-up in each track.

So the file holds what changed and where, never one copy a step, and any step is found without passing over the others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping
from typing import Any

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
