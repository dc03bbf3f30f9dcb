"""What the author does beside the tasks, as events of the studio's journal (`events.py` has the others)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memorybank.memory.bounds import Seconds
from memorybank.memory.types import Value
from memorybank_studio.chapters.events import ChapterReworded
from memorybank_studio.chapters.story_words import Goals
from memorybank_studio.types import TaskId
from memorybank_studio.writes import Placement, WriteSet


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPlaced(Value):
    """A step was given another place on the plan board."""

    type: Literal["PlanPlaced"] = "PlanPlaced"
    place: Placement
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsSet(Value):
    """How long the author wants the story, a chapter, a day's work to be."""

    type: Literal["GoalsSet"] = "GoalsSet"
    goals: Goals
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed(Value):
    """Somebody got another name; the set that writes it is confirmed in the same write. Or that was undone."""

    type: Literal["Renamed"] = "Renamed"
    task: TaskId
    """The task of that set."""
    old: str
    new: str
    back: WriteSet | None = None
    """What undoes it; None: this undoes the rename before."""
    chapters: tuple[ChapterReworded, ...] = ()
    """The chapters in writing as they were."""
    at: Seconds


AuthorEvent = PlanPlaced | GoalsSet | Renamed
