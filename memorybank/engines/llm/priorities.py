"""What must hold of a plan whatever the model answered, so that no session loops or ends with work undone.

In order: no task after the answer (but for images that it met) or the last round; open conflicts; images; no task a
second time; an answer before the end (design section 2, "end of the task").
"""

from __future__ import annotations

from memorybank.engines import tasks
from memorybank.language.text import fold_space
from memorybank.memory.contracts import PlanningInput, TaskDraft
from memorybank.memory.types import Lang, TaskStatus, TaskType
from memorybank.prompts import say

MOST_BARREN = 3
"""Rounds in a row that brought nothing new after which the goal is answered with what is known."""

PrioritisedTask = tuple[TaskDraft | None, tuple[str, ...]]
"""The task, and why it is not the one that was drafted."""


def prioritised(draft: TaskDraft | None, request: PlanningInput) -> PrioritisedTask:
    """The draft where it may stand, else the task that must come first."""
    finished = request.finished
    if finished and finished.final and finished.status is TaskStatus.SUCCESS and not tasks.reads_images(request):
        return _none(draft, "corrected_answered", request.lang)
    if request.rounds_left <= 0:
        return _none(draft, "corrected_no_rounds", request.lang)
    if request.open_conflicts and request.rounds_left > 1:
        return _conflicts_first(draft, request)
    if draft is not None and draft.type is TaskType.CROSS_VALIDATE:  # in the last round the goal is answered
        draft = None
    if tasks.reads_images(request):
        return _images_first(draft, request)
    return _towards_the_answer(draft, request)


def _conflicts_first(draft: TaskDraft | None, request: PlanningInput) -> PrioritisedTask:
    if draft is not None and draft.type is TaskType.CROSS_VALIDATE:
        return draft, ()
    return tasks.validation(request), (say("corrected_conflicts", request.lang),)


def _images_first(draft: TaskDraft | None, request: PlanningInput) -> PrioritisedTask:
    """One task reads all images that wait."""
    waiting = tuple(image.id for image in request.staged_images)
    if draft is not None and draft.image_ids:
        return draft.model_copy(update={"image_ids": waiting}), ()
    return tasks.recognition(request), (say("corrected_images", request.lang),)


def _towards_the_answer(draft: TaskDraft | None, request: PlanningInput) -> PrioritisedTask:
    if not request.task_goal:
        return _none(draft, "corrected_no_goal", request.lang)
    failed = _failed_answers(request)
    if draft is None:
        return (None, ()) if failed else _answer(request, "corrected_unanswered")
    draft = draft.model_copy(update={"image_ids": ()})
    if failed > 1 and draft.final:
        return _none(draft, "corrected_failed_twice", request.lang)
    if draft.final:
        return _as_answer(draft, request), ()
    if request.rounds_left <= 1:
        return _answer(request, "corrected_last_round")
    if request.barren_rounds >= MOST_BARREN:
        return _answer(request, "corrected_barren")
    return _answer(request, "corrected_repeated") if _is_done(draft, request) else (draft, ())


def _answer(request: PlanningInput, why: str) -> PrioritisedTask:
    if _failed_answers(request) > 1:
        return None, (say("corrected_failed_twice", request.lang),)
    task = TaskDraft(type=TaskType.NORMAL, description=_answer_words(request), query=request.task_goal, final=True)
    return task, (say(why, request.lang),)


def _answer_words(request: PlanningInput) -> str:
    return say("task_answer", request.lang, goal=request.task_goal)


def _as_answer(draft: TaskDraft, request: PlanningInput) -> TaskDraft:
    """A final task begins with the goal, so that it is known again when it has failed."""
    words = _answer_words(request)
    described = draft.description if draft.description.startswith(words) else f"{words} ({draft.description})"
    return draft.model_copy(update={"description": described, "query": draft.query or request.task_goal})


def _failed_answers(request: PlanningInput) -> int:
    failed = [task.description for task in request.completed_tasks if task.status is TaskStatus.FAILED]
    if request.finished and request.finished.status is TaskStatus.FAILED:
        failed.append(request.finished.description)
    words = _answer_words(request)
    return sum(description.startswith(words) for description in failed)


def _none(draft: TaskDraft | None, why: str, lang: Lang) -> PrioritisedTask:
    return None, () if draft is None else (say(why, lang),)


def _is_done(draft: TaskDraft, request: PlanningInput) -> bool:
    """The same words as a task that was done or has failed before; one that failed just now may be tried once more."""
    done = {_plain(task.description) for task in request.completed_tasks}
    if request.finished and request.finished.status is TaskStatus.SUCCESS:
        done.add(_plain(request.finished.description))
    return _plain(draft.description) in done


def _plain(text: str) -> str:
    return fold_space(text).casefold().rstrip(".。!！?？")
