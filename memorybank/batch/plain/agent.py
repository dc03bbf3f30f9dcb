"""The ReAct agent whose history is summarised at its limit: what agents do that have no memory beside their context."""

from __future__ import annotations

from memorybank.embedding.pieces import cut
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.prompts import say
from memorybank.session.executors.react import ReActAgent, ReActResult
from memorybank.session.executors.react.agent import ReActRound
from memorybank.session.executors.react.result import Limit
from memorybank.settings.llm import SAMPLING

_LEAST = 200
"""Tokens of history in a call that summarises, at least."""


class SummarisingAgent(ReActAgent):
    """Where the ReAct agent would have to answer, the same model makes its history a summary, and it goes on."""

    @property
    def round(self) -> type[ReActRound]:
        return SummarisedRound


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
        self.toolbox.forget_all()
        return self.talk.tokens < self.limits.tokens

    def _room(self) -> int:
        """Our tokens of history that fit one call beside the instruction, the summary so far and the new one."""
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
