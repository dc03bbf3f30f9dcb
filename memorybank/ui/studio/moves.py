"""What a tab remembers of a card that it moved on the plan board."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.narrative.writes import Placement


@dataclass(frozen=True, slots=True)
class Moved:
    """A move of this tab's, and the one that undoes it."""

    title: str
    storyline: str
    back: Placement
