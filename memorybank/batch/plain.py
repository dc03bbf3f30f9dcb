"""A session without the bank, to compare one with: its journal is a run's, and holds no node and no conflict.

receive -> plan -> enhance (the goal, and what was given with it) -> execute, once -> intercept (the answer) -> finish

The stages that a bank needs are left out; execute is the session's own, with the same tools but `deep_retrieval`, which
asks the bank. So a kill costs no answered call, and everything that reads runs reads this one. The agent has no memory
beside its context: at its limit it summarises its history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memorybank.embedding.pieces import cut
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.memory import events
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import CompletedTask, EntryId, Task, TaskStatus, TaskType
from memorybank.prompts import say
from memorybank.runs.journal import Journal
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts
from memorybank.session.executors.base import REACT_AGENT
from memorybank.session.executors.react import ReActAgent, ReActResult
from memorybank.session.executors.react.agent import ReActRound
from memorybank.session.executors.react.conversation import Limit
from memorybank.session.session import Session
from memorybank.session.stages import STAGES, Stage
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.recording import Source, receive
from memorybank.settings.llm import SAMPLING

_LEAST = 200
"""Tokens of history in a call that summarises, at least."""


class SummarisedRound(ReActRound):
    def at_limit(self, limit: Limit) -> ReActResult | None:
        if limit == "tokens" and self._summarise():
            return None
        return super().at_limit(limit)

    def _summarise(self) -> bool:
        """Put a summary in the place of the history; False where it leaves no room all the same.

        A history that is longer than a call is folded piece by piece, each with the summary so far.
        """
        system, *turns = self.talk.sent
        history = "\n\n".join(f"[{message.role}]\n{message.content}" for message in turns)
        summary = ""
        for piece in cut(history, self._room(), self.fx.embedder.count_tokens):
            summary = self._folded(summary, piece.text)
        self.talk = self.talk.begun_anew()
        self.talk.record.pop(0)  # the system's words stand in it already
        self.talk.add(system)
        goal = self.given.goal
        self.talk.add(ChatMessage(role="user", content=say("history_so_far", self.lang, goal=goal, summary=summary)))
        self.last = None
        self.toolbox.begin("")
        return self.talk.tokens < self.limits.tokens

    def _room(self) -> int:
        """Return our tokens of history that fit one call beside the instruction, the summary so far and the new one."""
        instruction = say("history_fold", self.lang, goal=self.given.goal, summary="", history="")
        left = self.limits.context - self.talk.cost(instruction) - 2 * self.limits.answer
        return max(_LEAST, int(left / self.talk.ratio))

    def _folded(self, summary: str, history: str) -> str:
        sampling = self.fx.settings.llm.sampling.get("react", SAMPLING["react"])
        words = say("history_fold", self.lang, goal=self.given.goal, summary=summary or "-", history=history)
        request = ChatRequest(
            messages=(ChatMessage(role="user", content=words),),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=self.limits.answer,
        )
        return self.fx.chat(request, role="react").text.strip()


class SummarisingAgent(ReActAgent):
    """An agent whose history the same model summarises where the ReAct agent would have to answer, and it goes on."""

    round = SummarisedRound


GIVEN = ("text", "document", "dialogue", "image")
"""Kinds of entries that came with the task."""


def plan(state: MemoryState, fx: StageEffects) -> list[events.Fact]:
    """Make the goal the one task."""
    if state.progress.round:
        return [events.PlanUpdated(next_task=None, reasoning="")]
    goal = state.doc.task_goal
    final = fx.executor.name == REACT_AGENT  # the offline researcher answers a final task from memory alone
    task = Task(type=TaskType.NORMAL, description=goal, query=goal, final=final)
    return [events.PlanUpdated(next_task=task, reasoning="")]


def enhance(state: MemoryState, fx: StageEffects) -> list[events.Fact]:
    """Make the prompt of the goal, and in full of what was given with it."""
    given = [f"[{entry.source}]\n{entry.body}" for entry in state.tree.entries.values() if entry.kind in GIVEN]
    parts = [state.doc.task_goal, *([say("history_context", fx.lang), *given] if given else [])]
    prompt = "\n\n".join(parts)
    nothing = bytes(2 * fx.embedder.dim)  # nothing was searched for: the zero vector, in float16
    return [events.PromptEnhanced(prompt=prompt, query="", query_vector=nothing, hits=(), below=(), parts=())]


def intercept(state: MemoryState, fx: StageEffects) -> list[events.Fact]:
    """Take the answer for the session's; of a round that failed, record why."""
    task, executed = state.doc.current_task, state.progress.executed
    assert task is not None
    assert executed is not None, "intercept runs only after execute (memory/layers/progress.py)"
    if executed.failure or not executed.answer:
        reason = executed.failure or "-"
        failed = CompletedTask(type=task.type, description=task.description, status=TaskStatus.FAILED, context=reason)
        return [events.ContextIntercepted(route="failed"), events.TaskFailed(task=failed)]
    engine, by = fx.engine.name, fx.executor.name
    answer = events.AnswerGiven(answer=executed.answer, engine=engine, entry_id=executed.transcript, by=by)
    return [answer, events.ContextIntercepted(route="final")]


def finish(state: MemoryState, fx: StageEffects) -> list[events.Fact]:
    return [events.SessionFinished(result="complete" if state.progress.answer else "complete_with_failures")]


class PlainSession(Session):
    stages: Mapping[events.StageName, Stage] = {
        "plan": plan,
        "enhance": enhance,
        "execute": STAGES["execute"],
        "intercept": intercept,
        "finish": finish,
    }

    def __init__(self, folder: RunFolder, journal: Journal[Any], parts: Parts) -> None:
        if parts.executor.name == REACT_AGENT:
            parts = replace(parts, executor=SummarisingAgent(seconds=parts.settings.round_seconds))
        super().__init__(folder, journal, parts)

    def _take_in(self, draft: Draft, sources: Sequence[Source]) -> Sequence[EntryId]:
        """Record the sources, and file none."""
        return receive(draft, sources, self.parts.lang, self.parts.corpus)

    def _effects(self, stage: events.StageName) -> StageEffects:
        effects = super()._effects(stage)
        effects.tools.pop("deep_retrieval", None)
        return effects
