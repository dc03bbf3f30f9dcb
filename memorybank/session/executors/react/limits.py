"""How far a round may go: calls, tokens, time. Near a limit the model is told, past it the answer is forced."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.memory.types import Lang, Value
from memorybank.prompts import say
from memorybank.session.executors.react.result import Limit

NEAR = 0.85
"""Share of the tokens or seconds after which the model is asked for its answer."""
NEAR_CALLS = 3
"""Calls left at which it is asked; a quarter of them where there are few."""
MIN_ANSWER = 64
"""Tokens below which asking for an answer makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Value):
    calls: int
    """Turns taken or tools used, whichever is more."""
    tokens: int
    """Tokens of the conversation as it would be sent now."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Value):
    calls: int
    context: int
    """Tokens the model takes, conversation and answer together."""
    answer: int
    """Tokens of one reply."""
    seconds: float

    @classmethod
    def of(cls, *, calls: int, context: int, max_tokens: int, seconds: float) -> Limits:
        """`max_tokens` is what a reply may have where the context is large; a small one is shared out."""
        return cls(calls=calls, context=context, answer=max(MIN_ANSWER, min(max_tokens, context // 6)), seconds=seconds)

    @property
    def tokens(self) -> int:
        """The most tokens of a conversation that goes on: one turn and the forced answer still fit behind it."""
        return max(1, self.context - 2 * self.answer)

    def reached(self, spent: Spent) -> Limit | None:
        if spent.calls >= self.calls:
            return "calls"
        if spent.tokens >= self.tokens:
            return "tokens"
        return "time" if spent.seconds >= self.seconds else None

    def warning(self, spent: Spent, lang: Lang) -> str:
        """Warns the model when a limit is near; empty while none is."""
        left = self.calls - spent.calls
        if left <= max(1, min(NEAR_CALLS, self.calls // 4)):
            return say("calls_left", lang, left=max(0, left))
        if spent.tokens >= NEAR * self.tokens:
            return say("tokens_left", lang, left=max(0, self.tokens - spent.tokens))
        if spent.seconds >= NEAR * self.seconds:
            return say("seconds_left", lang, left=max(0, int(self.seconds - spent.seconds)))
        return ""
