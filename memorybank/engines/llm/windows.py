"""The size of an agent's calls, and the cost of a text (design section 6: the embedding model's tokens, corrected).

Prompt and answer together fit the agent's window times the chunk ratio, and so the server's context where it is known:
a window larger than that is lowered.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Generic, Protocol, TypeVar

from memorybank.llm.base import AroundChat, ChatModel, ChatReply, ChatRequest
from memorybank.llm.faults import TooLongError
from memorybank.llm.tokens import agent_window
from memorybank.settings.llm import AgentName, LLMSettings

In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)

MOST_CUTS = 6
"""Times that one call is cut smaller: a server that does not say its context is tried with half, and half of that."""
_MOST_CORRECTION = 4.0
_WORTH_LEARNING = 200
"""Counted tokens of a prompt from which on the server's own count is compared: below, its template weighs too much."""
_PER_MESSAGE = 8
_REMEMBERED = 512
"""The most texts whose counts are kept."""


@dataclass(frozen=True, slots=True)
class Window:
    """The most tokens of one call."""

    limit: int
    """The most tokens of prompt and answer together."""
    answer: int

    @property
    def prompt(self) -> int:
        return self.limit - self.answer


def window(role: AgentName, settings: LLMSettings, context: int | None, chunk_ratio: float) -> tuple[Window, str]:
    """Return the window of a role on a server that takes `context` tokens, and a note when that lowers it.

    An answer gets at most a third of it.
    """
    size, note = agent_window(settings, role, context)
    limit = int(size * chunk_ratio)
    return Window(limit=limit, answer=max(1, min(settings.max_tokens, limit // 3))), note


class TokenCounter:
    """Counts as the embedding model does, times what the server has counted beyond it.

    The factor only grows, in quarters, up to 4: a model with another tokenizer (Chinese in an English one) costs more
    tokens than were counted, and a prompt must not be too long because of it.
    """

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        self._count = lru_cache(_REMEMBERED)(count_tokens)  # instructions and schemas are the same in every call
        self._lock = Lock()
        self.factor = 1.0

    def __call__(self, text: str) -> int:
        return math.ceil(self._count(text) * self.factor)

    def plain(self, text: str) -> int:
        """Count tokens of what is always English, such as a schema: what was learnt from Chinese is not true of it."""
        return self._count(text)

    def learn(self, request: ChatRequest, reply: ChatReply) -> None:
        if not reply.usage.measured or any(message.images for message in request.messages):
            return
        texts = [message.content for message in request.messages]
        if request.schema is not None and reply.mode != "schema":
            texts.append(json.dumps(dict(request.schema), ensure_ascii=False))
        counted = sum(self._count(text) + _PER_MESSAGE for text in texts)
        if counted < _WORTH_LEARNING:
            return
        factor = min(_MOST_CORRECTION, math.ceil(reply.usage.input_tokens / counted * 4) / 4)
        with self._lock:
            self.factor = max(self.factor, factor)


class Learning(AroundChat):
    """Teaches a counter what the server counts."""

    def __init__(self, inner: ChatModel, counter: TokenCounter) -> None:
        super().__init__(inner)
        self._counter = counter

    def complete(self, request: ChatRequest) -> ChatReply:
        reply = self._inner.complete(request)
        self._counter.learn(request, reply)
        return reply


class Agent(Protocol[In_contra, Out_co]):
    def run(self, request: In_contra, /) -> Out_co: ...


class Recut(Generic[In_contra, Out_co]):
    """An agent that is run again while its prompt was too long and the server's context is now known to be smaller."""

    def __init__(self, agent: Agent[In_contra, Out_co], chat: ChatModel) -> None:
        self._agent = agent
        self._chat = chat

    def run(self, request: In_contra) -> Out_co:
        for _ in range(MOST_CUTS):
            before = self._chat.context_window
            try:
                return self._agent.run(request)
            except TooLongError:
                after = self._chat.context_window
                if after is None or (before is not None and after >= before):
                    raise
        return self._agent.run(request)
