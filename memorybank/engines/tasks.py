"""The two tasks that any planner puts first, whichever engine it is: check open conflicts, read waiting images."""

from __future__ import annotations

from memorybank.contracts import PlanningInput, TaskDraft
from memorybank.prompts import say
from memorybank.types import TaskType


def validation(given: PlanningInput) -> TaskDraft:
    """Check the first group of open conflicts; there is one. Those on one matter are told of once."""
    first = given.open_conflicts[0]
    group = [conflict for conflict in given.open_conflicts if conflict.group == first.group]
    disputes: dict[str, list[str]] = {}
    for conflict in group:
        disputes.setdefault(conflict.dispute or conflict.description, []).append(conflict.id)
    description = "; ".join(f"{', '.join(ids)}: {words}" for words, ids in disputes.items())
    return TaskDraft(
        type=TaskType.CROSS_VALIDATE,
        description=say("task_validate", given.lang, description=description),
        conflict_ids=tuple(conflict.id for conflict in group),
    )


def reads_images(given: PlanningInput) -> bool:
    """Whether images wait and there is a round for them, with one more for the answer.

    Those that the answer's own round met are no exception; the goal is answered anew with what they say.
    """
    return bool(given.staged_images) and given.rounds_left > 1


def recognition(given: PlanningInput) -> TaskDraft:
    """Read all images that wait, in one round."""
    names = ", ".join(image.name for image in given.staged_images)
    return TaskDraft(
        type=TaskType.NORMAL,
        description=say("task_images", given.lang, names=names),
        image_ids=tuple(image.id for image in given.staged_images),
    )
