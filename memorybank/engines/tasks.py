"""Plans that are no choice, whichever engine plans: no agent is asked for them.

In order: nothing after the answer (but for images that it met), nor after the last round; open conflicts are checked;
images that wait are read; in the last round the goal is answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Sized

from memorybank.language.text import fold_space, sentences
from memorybank.memory.contracts import FinishedTask, OpenConflict, PlanningInput, PlanningOutput, TaskDraft
from memorybank.memory.types import CompletedTask, ConflictId, Lang, Task, TaskStatus, TaskType
from memorybank.prompts import say

_LEARNT_CHARS = {"en": 320, "zh": 140}
_LIST_MARK_RE = re.compile(r"^[-•*]\s+")
_HEADING_RE = re.compile(r"#|\*\*[^*]*\*\*$|.*[:：](?:\*\*)?$")


def decided(request: PlanningInput) -> PlanningOutput | None:
    """Return the plan that follows from how things stand; None where there is something to choose."""
    plan = _decided(request)
    if plan is None:
        return None
    reasoning, task = plan
    return PlanningOutput(reasoning=reasoning, finished_context=learnt(request), next_task=task)


def _decided(request: PlanningInput) -> tuple[str, TaskDraft | None] | None:
    lang, finished = request.lang, request.finished
    # One round more for the answer; images that the answer's own round met are read, and the goal is answered anew.
    reads_images = bool(request.staged_images) and request.rounds_left > 1
    if not request.task_goal and not request.staged_images:
        return say("plan_no_goal", lang), None
    if finished and finished.final and finished.status is TaskStatus.SUCCESS and not reads_images:
        return say("plan_finished", lang), None
    if request.rounds_left <= 0:
        return say("plan_out_of_rounds", lang), None
    if request.open_conflicts and request.rounds_left > 1:
        return say("plan_conflicts", lang, count=len(request.open_conflicts)), _validation(request)
    if reads_images:
        return say("plan_images", lang, count=len(request.staged_images)), _recognition(request)
    if not request.task_goal:
        return say("plan_no_goal", lang), None
    if request.rounds_left <= 1 and not failed_answers(request):
        return say("plan_answer_last", lang), final_answer(request)
    return None


def unplanned(request: PlanningInput, reason: str) -> PlanningOutput:
    """Return the plan where the planner gave no usable one, for that reason: the answer, unless it failed twice."""
    task = final_answer(request) if failed_answers(request) <= 1 else None
    return PlanningOutput(reasoning=reason, finished_context=learnt(request), next_task=task)


def final_answer(request: PlanningInput) -> TaskDraft:
    """Return the task of answering the goal, which is not repeated: it stands in every prompt."""
    description = say("task_answer", request.lang, how=say("task_answer_whole", request.lang))
    return TaskDraft(type=TaskType.NORMAL, description=description, query=request.task_goal, final=True)


def answer_words(lang: Lang) -> str:
    """Return the beginning of a task that answers the goal, by which it is known again."""
    return say("task_answer", lang, how="").rstrip()


def failed_answers(request: PlanningInput) -> int:
    """Return how often the goal was answered in vain."""
    failed = [task.description for task in request.completed_tasks if task.status is TaskStatus.FAILED]
    if request.finished and request.finished.status is TaskStatus.FAILED:
        failed.append(request.finished.description)
    return sum(description.startswith(answer_words(request.lang)) for description in failed)


def _validation(request: PlanningInput) -> TaskDraft:
    """Check all that one round can check: the same sources often speak on several, and each round costs as much."""
    matters = (f"{', '.join(ids)}: {text}" for text, ids in _matters(request.open_conflicts).items())
    return TaskDraft(
        type=TaskType.CROSS_VALIDATE,
        description=say("task_validate", request.lang, description="; ".join(matters)),
        conflict_ids=tuple(conflict.id for conflict in request.open_conflicts),
    )


def _matters(conflicts: Sequence[OpenConflict]) -> dict[str, list[ConflictId]]:
    """Return the matters that conflicts are on, each once, with the conflicts on it."""
    matters: dict[str, list[ConflictId]] = {}
    for conflict in conflicts:
        for text in conflict.disputes or (conflict.description,):
            matters.setdefault(text, []).append(conflict.id)
    return matters


def described(task: CompletedTask | FinishedTask, told: Sized, lang: Lang) -> str:
    """A task's description; of a check what it was on is left out where what it found is told beside it."""
    is_told = told and task.type is TaskType.CROSS_VALIDATE and task.status is TaskStatus.SUCCESS
    return say("task_validate", lang, description="").rstrip(" :：") if is_told else task.description


def status_of(task: CompletedTask | FinishedTask, lang: Lang) -> str:
    """Say how a task ended; of a check that it was made, for what it decided, or did not, is told beside it."""
    is_made = task.type is TaskType.CROSS_VALIDATE and task.status is TaskStatus.SUCCESS
    return say("status_checked" if is_made else f"status_{task.status.value}", lang)


def _recognition(request: PlanningInput) -> TaskDraft:
    """Read all images that wait, in one round."""
    names = ", ".join(image.name for image in request.staged_images)
    return TaskDraft(
        type=TaskType.NORMAL,
        description=say("task_images", request.lang, names=names),
        image_ids=tuple(image.id for image in request.staged_images),
    )


def ahead(planned: Sequence[Task], request: PlanningInput) -> PlanningOutput | None:
    """Return the first of the tasks that were planned to follow, where the one before brought what they build on.

    Else None, and the planner is asked: that task failed or brought nothing new, or the first was done by itself.
    Where a conflict was opened, its check came between (`decided`), and what was planned is gone.
    """
    finished = request.finished
    if not planned or finished is None or finished.status is TaskStatus.FAILED or request.barren_rounds:
        return None
    first, *then = (
        TaskDraft(type=each.type, description=each.description, query=each.query, queries=each.queries)
        for each in planned
    )
    if is_done(first, request):
        return None
    reasoning, context = say("plan_ahead", request.lang), learnt(request)
    return PlanningOutput(reasoning=reasoning, finished_context=context, next_task=first, then=tuple(then))


def is_done(draft: TaskDraft, request: PlanningInput) -> bool:
    """Say whether a task was done or has failed before, in these words; one that failed just now may be tried again."""
    done = {_plain(task.description) for task in request.completed_tasks}
    if request.finished and request.finished.status is TaskStatus.SUCCESS:
        done.add(_plain(request.finished.description))
    return _plain(draft.description) in done


def _plain(text: str) -> str:
    return fold_space(text).casefold().rstrip(".。!！?？")


def learnt(request: PlanningInput) -> str:
    """Return the first one or two statements of the finished task's answer; of a failed task nothing is known here."""
    finished, lang = request.finished, request.lang
    if finished is None or finished.status is TaskStatus.FAILED:
        return ""
    return _first_statements(finished, lang) or say("context_nothing", lang)


def _first_statements(finished: FinishedTask, lang: Lang) -> str:
    lines = [fold_space(line) for line in finished.answer.splitlines() if line.strip()]
    statements = [line for line in lines if not _HEADING_RE.match(line)] or lines
    text = " ".join(_LIST_MARK_RE.sub("", line).replace("**", "") for line in statements[:2])
    limit = _LEARNT_CHARS[lang]
    if len(text) <= limit:
        return text
    kept = ""
    for start, end in sentences(text):
        if kept and len(kept) + end - start > limit:
            break
        kept += text[start:end]
    return kept.strip() if len(kept) <= 2 * limit else kept[:limit].rstrip() + "…"
