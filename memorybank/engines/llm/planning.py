"""The planning agent: the finished task's context and the next task, never the past (design section 2, "next task").

The model plans what is a choice: which gap of the goal is closed next, or that the goal is answered. What must hold in
any case is checked behind it (`prioritised`) and said in the reasoning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sys import maxsize
from typing import Any

from memorybank.engines import tasks
from memorybank.engines.llm.asking import BUDGET, Asker
from memorybank.engines.llm.shortening import condensed, shortened
from memorybank.engines.llm.wire import PlannedTask, PlanningAnswer
from memorybank.language.text import fold_space
from memorybank.llm.schemas import one_line
from memorybank.llm.tokens import estimate
from memorybank.memory.contracts import FinishedTask, KnownMemory, PlanningInput, PlanningOutput, TaskDraft
from memorybank.memory.types import CompletedTask, Lang, TaskStatus, TaskType
from memorybank.prompts import say
from memorybank.prompts.excerpts import excerpt

MOST_BARREN = 3
"""Rounds in a row that brought nothing new after which the goal is answered with what is known."""
MOST_AHEAD = 6
"""Tasks that are planned behind the next one."""
SHOWN_TOKENS, RECALLED_TOKENS = 300, 80
"""The most tokens of a memory's summary: of one new to the planner, and of one that an earlier plan was told of."""
_LINE_CHARS = 160
NEAREST_TOKENS, COMPLETED_TOKENS = 350, 1_000
"""The most tokens of the earlier memories, after a round; of completed tasks, the older ones of which are one line."""
_MARK_TOKENS = 4
"""The tokens of a line's number or dash."""


class LLMPlanning:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: PlanningInput) -> PlanningOutput:
        """Makes one call; none when nothing is known yet, or when there is nothing left to look for."""
        if not (request.finished or request.completed_tasks or request.memory_size):
            search = say("task_explore", request.lang)
            explore = TaskDraft(type=TaskType.NORMAL, description=search, query=request.task_goal)
            return PlanningOutput(reasoning=say("plan_explore", request.lang), next_task=explore)
        is_barren = request.barren_rounds >= MOST_BARREN
        if (is_barren or request.is_settled) and not tasks.failed_answers(request):
            why = "plan_answer_barren" if is_barren else "plan_answer_settled"
            return PlanningOutput(
                reasoning=say(why, request.lang, count=request.barren_rounds),
                finished_context=tasks.learnt(request),
                next_task=tasks.final_answer(request),
            )
        answer = self._asker.ask("planning", request.lang, PlanningAnswer, **self._prompt_values(request))
        asked = answer.next_task
        task, corrections = prioritised(_draft(asked, final=asked.final) if asked else None, request)
        for correction in corrections:
            self._asker.note(f"planning: {correction}")
        return PlanningOutput(
            reasoning="\n".join(part for part in (answer.reasoning, *corrections) if part),
            finished_context=_learnt(answer.finished_context, request),
            next_task=task,
            then=_ahead(map(_draft, answer.then), task, request),
        )

    def _prompt_values(self, request: PlanningInput) -> dict[str, Any]:
        """Fits all values of the prompt into the window; the prompt counts what is left out."""
        count, lang = self._asker.count, request.lang
        frame = self._frame(request)
        room = self._asker.room("planning", lang, PlanningAnswer, **frame)
        finished = request.finished and self._finished(request.finished, room // 10, lang)
        goal, _ = shortened(request.task_goal, room // 5, count)
        told = "\n".join(finished.outcomes) or finished.answer if finished else ""
        answer, _ = shortened(told, room // 5, count)
        texts = [goal, answer, request.states, *((finished.description, finished.failure) if finished else ())]
        left = room - sum(map(self._line_tokens, texts))
        tasks = [_task_lines(task, lang) for task in request.completed_tasks]
        told_of = min(COMPLETED_TOKENS, sum(self._line_tokens(whole) for whole, _ in tasks))
        known = self._known(request, left, told_of)
        left -= sum(map(self._line_tokens, known.values()))
        completed = condensed(tasks, min(left, COMPLETED_TOKENS), self._line_tokens, grow=True)
        return frame | {
            "goal": goal,
            "finished": finished,
            "answer": answer,
            "known": {request.memories[place].id: line for place, line in sorted(known.items())},
            "new": [memory.id for place, memory in enumerate(request.memories) if memory.is_new and place in known],
            "states": request.states,
            "completed": completed.lines,
            "shortened_tasks": completed.shortened,
            "omitted_tasks": completed.omitted,
        }

    def _frame(self, request: PlanningInput) -> dict[str, Any]:
        """Return the values of a prompt that says nothing but how things stand."""
        finished = request.finished
        return {
            "goal": "",
            "completed": [],
            "shortened_tasks": 1,
            "omitted_tasks": 1,
            "finished": finished and finished.model_copy(update={"description": "", "failure": ""}),
            "outcome": tasks.status_of(finished, request.lang) if finished else "",
            "answer": "",
            "known": {},
            "new": [],
            "states": "",
            "memory_size": request.memory_size,
            "rounds_left": request.rounds_left,
            "barren_rounds": request.barren_rounds,
        }

    def _known(self, request: PlanningInput, left: int, told_of: int) -> dict[int, str]:
        """Return a line on each memory by its place, in the order of their creation: whole where all of them fit.

        Else, while the goal is new, what is nearest to it is shown, and all else by its topic; after a round what it
        brought, and of what was known the sentences that bear on the goal.
        """
        whole = {place: self._lines(memory, maxsize, request)[0] for place, memory in enumerate(request.memories)}
        size = sum(map(self._line_tokens, whole.values()))
        if size + told_of <= left and (size <= BUDGET or len(whole) == request.memory_size):
            return whole
        ranks = [maxsize if memory.rank is None else memory.rank for memory in request.memories]
        later = request.finished is not None
        first = [place for place in whole if (not request.memories[place].is_new if later else ranks[place] < maxsize)]
        farthest_first = sorted(first, key=ranks.__getitem__, reverse=True)
        room, rest_room = (RECALLED_TOKENS, SHOWN_TOKENS) if later else (SHOWN_TOKENS, 0)
        known = self._condensed(farthest_first, room, request, min(left // 3, NEAREST_TOKENS if later else left))
        left -= sum(map(self._line_tokens, known.values()))
        return known | self._condensed([place for place in whole if place not in first], rest_room, request, left // 2)

    def _condensed(self, places: Sequence[int], room: int, request: PlanningInput, limit: int) -> dict[int, str]:
        """Return lines on memories, what matters most last, with `room` tokens for the summary of each."""
        lines = [self._lines(request.memories[place], room, request) for place in places]
        shown = condensed(lines, limit, self._line_tokens)
        return dict(zip(places[shown.omitted :], shown.lines, strict=True))

    def _lines(self, memory: KnownMemory, room: int, request: PlanningInput) -> tuple[str, str]:
        """Return a memory with what of its summary bears on the goal, and by its topic; both with its documents."""
        lang, head = request.lang, fold_space(memory.context)
        if memory.sources:
            head = say("planned_memory", lang, topic=head, sources=memory.sources)
        summary = fold_space(excerpt(memory.summary, request.task_goal, room, estimate).text)
        return say("planned_whole", lang, head=head, text=summary) if summary else head, head

    def _line_tokens(self, text: str) -> int:
        return self._asker.count(text) + _MARK_TOKENS

    def _finished(self, finished: FinishedTask, limit: int, lang: Lang) -> FinishedTask:
        description, _ = shortened(tasks.described(finished, finished.outcomes, lang), limit, self._asker.count)
        failure, _ = shortened(finished.failure, limit // 2, self._asker.count)
        return finished.model_copy(update={"description": description, "failure": failure})


def _task_lines(task: CompletedTask, lang: Lang) -> tuple[str, str]:
    said = {"type": task.type, "status": tasks.status_of(task, lang)}
    words = (tasks.described(task, task.context, lang), task.description)
    whole, head = (say("planned_task", lang, description=one_line(text, _LINE_CHARS), **said) for text in words)
    return (say("planned_whole", lang, head=whole, text=task.context) if task.context else head), head


def _draft(task: PlannedTask, *, final: bool = False) -> TaskDraft:
    query = "; ".join(task.queries)
    return TaskDraft(type=TaskType.NORMAL, description=task.description, query=query, queries=task.queries, final=final)


def _ahead(drafts: Iterable[TaskDraft], task: TaskDraft | None, request: PlanningInput) -> tuple[TaskDraft, ...]:
    """Return what may follow the next task: nothing does where that is the answer, or is none."""
    may_stand = (draft for draft in drafts if prioritised(draft, request)[0] == draft)
    return () if task is None or task.final else tuple(may_stand)[:MOST_AHEAD]


def _learnt(context: str, request: PlanningInput) -> str:
    """Return the context of the finished task: the model's words, else the first statements of the task's answer."""
    finished = request.finished
    if finished is None:
        return ""
    if context.strip() or finished.status is TaskStatus.FAILED:
        return fold_space(context)
    return tasks.learnt(request)


# -- what must hold --------------------------------------------------------------------------------------------------

# No task a second time, no answer a third time, and an answer before the end, whatever the model answered (design
# section 2, "end of the task"): so no session loops or ends with work undone.


def prioritised(draft: TaskDraft | None, request: PlanningInput) -> tuple[TaskDraft | None, tuple[str, ...]]:
    """Return the draft where it may stand, else the answer to the goal, and why."""
    failed = tasks.failed_answers(request)
    if draft is None:
        return (None, ()) if failed else _answer(request, "corrected_unanswered")
    if failed > 1 and draft.final:
        return None, (say("corrected_failed_twice", request.lang),)
    if draft.final:
        return _as_answer(draft, request), ()
    if request.rounds_left <= 1:
        return _answer(request, "corrected_last_round")
    return _answer(request, "corrected_repeated") if tasks.is_done(draft, request) else (draft, ())


def _answer(request: PlanningInput, why: str) -> tuple[TaskDraft | None, tuple[str, ...]]:
    if tasks.failed_answers(request) > 1:
        return None, (say("corrected_failed_twice", request.lang),)
    return tasks.final_answer(request), (say(why, request.lang),)


def _as_answer(draft: TaskDraft, request: PlanningInput) -> TaskDraft:
    """Return a final task with its own words at the start, so that it is known again when it has failed."""
    described = draft.description
    if not described.startswith(tasks.answer_words(request.lang)):
        described = say("task_answer", request.lang, how=described)
    return draft.model_copy(update={"description": described, "query": draft.query or request.task_goal})
