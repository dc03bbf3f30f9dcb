"""What the author does beside the tasks, as events of the studio's journal (`events.py` has the others)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memorybank.memory.types import Value
from memorybank.narrative.chapters.story_words import Goals
from memorybank.narrative.writes import Placement


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPlaced(Value):
    """A step was given another place on the plan board."""

    type: Literal["PlanPlaced"] = "PlanPlaced"
    place: Placement
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsSet(Value):
    """How long the author wants the story, a chapter, a day's work to be."""

    type: Literal["GoalsSet"] = "GoalsSet"
    goals: Goals
    at: float


AuthorEvent = PlanPlaced | GoalsSet
