"""The planning agent: the finished task's context and the next task, never the past (design section 2, "next task").

The model plans; what must hold in any case is checked behind it (priorities.py) and said in the reasoning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.priorities import prioritised
from memorybank.engines.llm.shortening import condensed, shortened
from memorybank.engines.llm.wire import NextTask, PlanningAnswer
from memorybank.engines.tasks import OpenDispute, open_disputes
from memorybank.language.text import fold_space, sentences
from memorybank.memory.contracts import FinishedTask, NodeInfo, OpenConflict, PlanningInput, PlanningOutput, TaskDraft
from memorybank.memory.types import CompletedTask, TaskStatus, TaskType
from memorybank.prompts import say

_LEARNT_SENTENCES = 2
_LINE_CHARS = 160
_MARK_TOKENS = 4
"""Tokens of a line's number or dash."""


class LLMPlanning:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: PlanningInput) -> PlanningOutput:
        """Makes one call, and none when there is neither a goal nor anything else to plan for."""
        if not (request.task_goal or request.finished or request.open_conflicts or request.staged_images):
            return PlanningOutput(reasoning=say("plan_finished", request.lang))
        values = self._prompt_values(request)
        answer = self._asker.ask("planning", request.lang, PlanningAnswer, **values)
        draft, notes = self._draft(answer.next_task, request, values["conflicts"])
        task, corrections = prioritised(draft, request)
        for note in (*notes, *corrections):
            self._asker.note(f"planning: {note}")
        return PlanningOutput(
            reasoning="\n".join(part for part in (answer.reasoning, *corrections) if part),
            finished_context=_learnt(answer.finished_context, request),
            next_task=task,
        )

    # -- the prompt ---------------------------------------------------------------------------------------------------

    def _prompt_values(self, request: PlanningInput) -> dict[str, Any]:
        """Fits all values of the prompt into their shares of the window; the prompt counts what is left out."""
        count = self._asker.count
        frame = self._frame(request)
        room = self._asker.room("planning", request.lang, PlanningAnswer, **frame)
        finished = request.finished and self._finished(request.finished, room // 10)
        goal, _ = shortened(request.task_goal, room // 5, count)
        answer, _ = shortened(finished.answer if finished else "", room // 5, count)
        conflicts, omitted = self._conflicts(request.open_conflicts, room // 8)
        merges = condensed([(merge, _line(merge)) for merge in request.new_merges], room // 12, self._line_tokens)
        lines = [goal, answer, *merges.lines, *(conflict.text for conflict in conflicts)]
        lines += [finished.description, finished.failure] if finished else []
        left = room - sum(map(self._line_tokens, lines))
        nodes = condensed([_node_lines(node) for node in request.new_nodes], left // 2, self._line_tokens)
        left -= sum(map(self._line_tokens, nodes.lines))
        completed = condensed([_task_lines(task) for task in request.completed_tasks], left, self._line_tokens)
        return frame | {
            "goal": goal,
            "finished": finished,
            "answer": answer,
            "conflicts": conflicts,
            "omitted_conflicts": omitted,
            "merges": merges.lines,
            "nodes": nodes.lines,
            "omitted_nodes": nodes.omitted,
            "completed": completed.lines,
            "shortened_tasks": completed.shortened,
            "omitted_tasks": completed.omitted,
        }

    def _frame(self, request: PlanningInput) -> dict[str, Any]:
        """The values of a prompt that says nothing but how things stand."""
        return {
            "goal": "",
            "completed": [],
            "shortened_tasks": 1,
            "omitted_tasks": 1,
            "finished": request.finished and request.finished.model_copy(update={"description": "", "failure": ""}),
            "answer": "",
            "conflicts": [],
            "omitted_conflicts": 0,
            "images": request.staged_images,
            "nodes": [],
            "omitted_nodes": 1,
            "merges": [],
            "memory_size": request.memory_size,
            "rounds_left": request.rounds_left,
            "barren_rounds": request.barren_rounds,
        }

    def _line_tokens(self, text: str) -> int:
        return self._asker.count(text) + _MARK_TOKENS

    def _finished(self, finished: FinishedTask, limit: int) -> FinishedTask:
        description, _ = shortened(finished.description, limit, self._asker.count)
        failure, _ = shortened(finished.failure, limit // 2, self._asker.count)
        return finished.model_copy(update={"description": description, "failure": failure})

    def _conflicts(self, conflicts: Sequence[OpenConflict], limit: int) -> tuple[list[OpenDispute], int]:
        """Disputes, as many as fit, at least one: they are in the order in which their groups are checked."""
        known = open_disputes(conflicts)
        shown: list[OpenDispute] = []
        used = 0
        for matter in known:
            text, _ = shortened(matter.text, max(24, limit // 2), self._asker.count)
            used += self._line_tokens(text) + _MARK_TOKENS
            if shown and used > limit:
                break
            shown.append(replace(matter, text=text))
        return shown, len(known) - len(shown)

    # -- the answer ---------------------------------------------------------------------------------------------------

    def _draft(
        self, task: NextTask | None, request: PlanningInput, conflicts: Sequence[OpenDispute]
    ) -> tuple[TaskDraft | None, list[str]]:
        """The model's task with its numbers turned into ids; numbers that were not shown are refused."""
        if task is None:
            return None, []
        notes = [
            f"unknown {what} {number}"
            for what, numbers, known in (
                ("conflict", task.conflicts, len(conflicts)),
                ("image", task.images, len(request.staged_images)),
            )
            for number in numbers
            if not 0 <= number < known
        ]
        named = [conflicts[number] for number in task.conflicts if 0 <= number < len(conflicts)]
        checks = task.type is TaskType.CROSS_VALIDATE and bool(named)
        if task.type is TaskType.CROSS_VALIDATE and not named:
            notes.append("a cross-validation without a conflict that is open counts as a normal task")
        group = named[0].group if named else -1
        images = [request.staged_images[number] for number in task.images if 0 <= number < len(request.staged_images)]
        draft = TaskDraft(
            type=TaskType.CROSS_VALIDATE if checks else TaskType.NORMAL,
            description=task.description,
            conflict_ids=tuple(conflict.id for conflict in request.open_conflicts if conflict.group == group)
            if checks
            else (),
            image_ids=() if checks else tuple(dict.fromkeys(image.id for image in images)),
            query=task.query,
            final=task.final and not checks and not images,
        )
        return draft, notes


def _task_lines(task: CompletedTask) -> tuple[str, str]:
    head = f"[{task.type}] {_line(task.description)} ({task.status})"
    return (f"{head}: {task.context}" if task.context else head), head


def _node_lines(node: NodeInfo) -> tuple[str, str]:
    head = fold_space(node.context)
    return f"{head}: {fold_space(node.summary)}", head


def _line(text: str) -> str:
    text = fold_space(text)
    return text if len(text) <= _LINE_CHARS else text[: _LINE_CHARS - 1].rstrip() + "…"


def _learnt(context: str, request: PlanningInput) -> str:
    """The context of the finished task: the model's words, else the first sentences of the task's result."""
    finished = request.finished
    if finished is None:
        return ""
    if context.strip() or finished.status is TaskStatus.FAILED:
        return fold_space(context)
    first = sentences(finished.answer)[:_LEARNT_SENTENCES]
    return fold_space(finished.answer[: first[-1].end]) if first else ""
