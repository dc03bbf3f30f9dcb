"""What must hold of a plan whatever the model answered, so that no session loops or ends with work undone.

No task a second time, no answer a third time, and an answer before the end (design section 2, "end of the task"). What
is no choice at all never comes here (engines/tasks.py).
"""

from __future__ import annotations

from memorybank.engines import tasks
from memorybank.language.text import fold_space
from memorybank.memory.contracts import PlanningInput, TaskDraft
from memorybank.memory.types import TaskStatus
from memorybank.prompts import say

PrioritisedTask = tuple[TaskDraft | None, tuple[str, ...]]
"""The task, and why it is not the one that was drafted."""


def prioritised(draft: TaskDraft | None, request: PlanningInput) -> PrioritisedTask:
    """The draft where it may stand, else the answer to the goal."""
    failed = tasks.failed_answers(request)
    if draft is None:
        return (None, ()) if failed else _answer(request, "corrected_unanswered")
    if failed > 1 and draft.final:
        return None, (say("corrected_failed_twice", request.lang),)
    if draft.final:
        return _as_answer(draft, request), ()
    if request.rounds_left <= 1:
        return _answer(request, "corrected_last_round")
    return _answer(request, "corrected_repeated") if _is_done(draft, request) else (draft, ())


def _answer(request: PlanningInput, why: str) -> PrioritisedTask:
    if tasks.failed_answers(request) > 1:
        return None, (say("corrected_failed_twice", request.lang),)
    return tasks.final_answer(request), (say(why, request.lang),)


def _as_answer(draft: TaskDraft, request: PlanningInput) -> TaskDraft:
    """A final task begins with words of its own, so that it is known again when it has failed."""
    described = draft.description
    if not described.startswith(tasks.answer_words(request.lang)):
        described = say("task_answer", request.lang, how=described)
    return draft.model_copy(update={"description": described, "query": draft.query or request.task_goal})


def _is_done(draft: TaskDraft, request: PlanningInput) -> bool:
    """The same words as a task that was done or has failed before; one that failed just now may be tried once more."""
    done = {_plain(task.description) for task in request.completed_tasks}
    if request.finished and request.finished.status is TaskStatus.SUCCESS:
        done.add(_plain(request.finished.description))
    return _plain(draft.description) in done


def _plain(text: str) -> str:
    return fold_space(text).casefold().rstrip(".。!！?？")
