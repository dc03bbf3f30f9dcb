"""What one order may cost: calls of the language model, counted whoever makes them and whatever it answers."""

from __future__ import annotations

from typing import Final

from memorybank.errors import AgentError
from memorybank.llm.base import AroundChat, ChatModel, ChatReply, ChatRequest

MOST_CALLS: Final = 4
"""For options: looking up, writing and judging, answers sent back included. An answer costs one more, in which it is
decided what the turn is."""
MOST_CALLS_REWORKED: Final = 2
"""For an option that is mixed or changed."""
JUDGING: Final = 1
"""Of them, kept for the judges."""


class Allowance:
    """The calls of one order."""

    def __init__(self, most: int = MOST_CALLS) -> None:
        self.most = most
        self.left = most

    def chat(self, chat: ChatModel, *, keep: int = 0) -> ChatModel:
        """The model, as long as more than `keep` calls are left; then it raises AgentError."""
        return _Allowed(chat, self, keep)


class _Allowed(AroundChat):
    def __init__(self, inner: ChatModel, allowance: Allowance, keep: int) -> None:
        super().__init__(inner)
        self._allowance = allowance
        self._keep = keep

    def complete(self, request: ChatRequest) -> ChatReply:
        """Raises as the model inside, AgentError when the calls are used up."""
        if self._allowance.left <= self._keep:
            raise AgentError("creativity.calls_used_up", count=self._allowance.most - self._keep)
        self._allowance.left -= 1
        return self._inner.complete(request)
