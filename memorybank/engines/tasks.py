"""The two tasks that any planner puts first, whichever engine it is: check open conflicts, read waiting images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorybank.memory.contracts import OpenConflict, PlanningInput, TaskDraft
from memorybank.memory.types import ConflictId, TaskType
from memorybank.prompts import say


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDispute:
    """What open conflicts of one group are on."""

    text: str
    group: int
    conflict_ids: tuple[ConflictId, ...]


def open_disputes(conflicts: Sequence[OpenConflict]) -> list[OpenDispute]:
    """Each dispute once, in the order in which the groups are checked; of one in several groups, the first group."""
    groups: dict[str, int] = {}
    members: dict[str, list[ConflictId]] = {}
    for conflict in conflicts:
        for text in conflict.disputes or (conflict.description,):
            if groups.setdefault(text, conflict.group) == conflict.group:
                members.setdefault(text, []).append(conflict.id)
    return [OpenDispute(text=text, group=group, conflict_ids=tuple(members[text])) for text, group in groups.items()]


def validation(request: PlanningInput) -> TaskDraft:
    """Check the first group of open conflicts; there is one. Those on one matter are told of once."""
    first = request.open_conflicts[0]
    group = [conflict for conflict in request.open_conflicts if conflict.group == first.group]
    description = "; ".join(f"{', '.join(dispute.conflict_ids)}: {dispute.text}" for dispute in open_disputes(group))
    return TaskDraft(
        type=TaskType.CROSS_VALIDATE,
        description=say("task_validate", request.lang, description=description),
        conflict_ids=tuple(conflict.id for conflict in group),
    )


def reads_images(request: PlanningInput) -> bool:
    """Whether images wait and there is a round for them, with one more for the answer.

    Those that the answer's own round met are no exception; the goal is answered anew with what they say.
    """
    return bool(request.staged_images) and request.rounds_left > 1


def recognition(request: PlanningInput) -> TaskDraft:
    """Read all images that wait, in one round."""
    names = ", ".join(image.name for image in request.staged_images)
    return TaskDraft(
        type=TaskType.NORMAL,
        description=say("task_images", request.lang, names=names),
        image_ids=tuple(image.id for image in request.staged_images),
    )
