"""A session without the bank: its journal is a run's like any other, and holds no node and no conflict.

receive -> plan -> enhance (the goal, and what was given with it) -> execute, once -> intercept (the answer) -> finish

The stages that a bank needs are left out; execute is the session's own, with the same tools but `deep_retrieval`, which
asks the bank. So a kill costs no answered call, and everything that reads runs reads this one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memorybank.batch.plain.agent import SummarisingAgent
from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.events import (
    AnswerGiven,
    ContextIntercepted,
    Fact,
    PlanUpdated,
    PromptEnhanced,
    SessionFinished,
    StageName,
    TaskFailed,
)
from memorybank.memory.types import CompletedTask, EntryId, Task, TaskStatus, TaskType
from memorybank.prompts import say
from memorybank.runs.journal import Journal
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts
from memorybank.session.executors.base import REACT_AGENT
from memorybank.session.session import Session
from memorybank.session.stages import STAGES, Stage
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.recording import Source, receive

GIVEN = ("text", "document", "dialogue", "image")
"""Kinds of entries that came with the task."""


def plan(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    """The goal is the one task."""
    if state.progress.round:
        return [PlanUpdated(next_task=None, reasoning="")]
    goal = state.doc.task_goal
    final = fx.executor.name == REACT_AGENT  # the offline researcher answers a final task from memory alone
    task = Task(type=TaskType.NORMAL, description=goal, query=goal, final=final)
    return [PlanUpdated(next_task=task, reasoning="")]


def enhance(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    """The prompt is the goal, and in full what was given with it."""
    given = [f"[{entry.source}]\n{entry.body}" for entry in state.tree.entries.values() if entry.kind in GIVEN]
    parts = [state.doc.task_goal, *([say("history_context", fx.lang), *given] if given else [])]
    prompt = "\n\n".join(parts)
    nothing = bytes(2 * fx.embedder.dim)  # nothing was searched for: the zero vector, in float16
    return [PromptEnhanced(prompt=prompt, query="", query_vector=nothing, hits=(), below=(), parts=())]


def intercept(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    """The answer is the session's; of a round that failed, why."""
    task, executed = state.doc.current_task, state.progress.executed
    assert task is not None
    assert executed is not None, "intercept runs only after execute (memory/layers/progress.py)"
    if executed.failure or not executed.answer:
        reason = executed.failure or "-"
        failed = CompletedTask(type=task.type, description=task.description, status=TaskStatus.FAILED, context=reason)
        return [ContextIntercepted(route="failed"), TaskFailed(task=failed)]
    engine, by = fx.engine.name, fx.executor.name
    answer = AnswerGiven(answer=executed.answer, engine=engine, entry_id=executed.transcript, by=by)
    return [answer, ContextIntercepted(route="final")]


def finish(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    return [SessionFinished(result="complete" if state.progress.answer else "complete_with_failures")]


class PlainSession(Session):
    stages: Mapping[StageName, Stage] = {
        "plan": plan,
        "enhance": enhance,
        "execute": STAGES["execute"],
        "intercept": intercept,
        "finish": finish,
    }

    def __init__(self, folder: RunFolder, journal: Journal[Any], parts: Parts, *, keep: bool = True) -> None:
        if parts.executor.name == REACT_AGENT:
            parts = replace(parts, executor=SummarisingAgent(seconds=parts.settings.round_seconds))
        super().__init__(folder, journal, parts, keep=keep)

    def _take_in(self, draft: Draft, sources: Sequence[Source]) -> Sequence[EntryId]:
        """Recorded, and not filed."""
        return receive(draft, sources, self.parts.lang, self.parts.corpus)

    def _effects(self, stage: StageName) -> StageEffects:
        effects = super()._effects(stage)
        effects.tools.pop("deep_retrieval", None)
        return effects
