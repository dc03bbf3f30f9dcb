"""One question of one agent: prompt, window, sampling, typed answer. All agents ask through here."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from memorybank.engines.llm.schemas import A, bounded
from memorybank.engines.llm.windows import Learning, TokenCounter, Window, window
from memorybank.engines.llm.wire import ModelAnswer
from memorybank.errors import AgentError
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatRequest, Chats
from memorybank.llm.schemas import strict_schema
from memorybank.memory.types import Lang
from memorybank.prompts.templates import render_parts
from memorybank.settings.llm import SAMPLING, AgentName, LLMSettings

BUDGET = 4_000
"""Tokens up to which memories that were recalled are whole in a prompt; all of memory is where it is given."""
LEAST_ROOM = 48
"""Tokens of content below which a call is not worth making."""


class Asker:
    """Knows how a role is asked; knows nothing of what it decides. Safe to use from several threads."""

    def __init__(
        self,
        chats: Chats,
        settings: LLMSettings,
        count_tokens: Callable[[str], int],
        chunk_ratio: float,
        note: Callable[[str], None],
    ) -> None:
        self.count = TokenCounter(count_tokens)
        self._chats = chats
        self._settings = settings
        self._chunk_ratio = chunk_ratio
        self._said = set[str]()
        self.note = note
        """Told what had to be corrected in an answer, one line each."""

    def window(self, role: AgentName) -> Window:
        size, lowered = window(role, self._settings, self._chats.of(role).context_window, self._chunk_ratio)
        if lowered and lowered not in self._said:
            self._said.add(lowered)
            self.note(lowered)
        return size

    def room(self, role: AgentName, lang: Lang, answer: type[A], /, **empty: Any) -> int:
        """Return the tokens of content that fit a call: what the prompt without content (`empty`) and the answer leave.

        Raises AgentError when that is too little for any content.
        """
        size = self.window(role)
        frame = sum(map(self.count, render_parts(role, lang, **empty)))
        schema = self.count.plain(json.dumps(_schema(answer)))
        left = size.prompt - frame - schema
        if left < LEAST_ROOM:
            raise AgentError("agent.context_too_small", role=role, limit=size.limit, left=max(0, left))
        return left

    def ask(
        self, role: AgentName, lang: Lang, answer: type[A], /, *, prompt: str = "", items: int = 12, **values: Any
    ) -> A:
        """Ask the role its prompt, or another one of its own. Raises AgentError when there is no usable answer.

        `items` is how many entries the answer's list needs at most; it only bounds answers in a small context.
        """
        system, user = render_parts(prompt or role, lang, **values)
        size = self.window(role)
        sampling = self._settings.sampling.get(role, SAMPLING[role])
        fitting: type[A] = bounded(answer, size.answer, items)
        request = ChatRequest(
            messages=(ChatMessage(role="system", content=system), ChatMessage(role="user", content=user)),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=size.answer,
            schema=_schema(fitting),
            schema_name=role,
        )
        return ask_typed(Learning(self._chats.of(role), self.count), request, fitting)


@lru_cache(maxsize=128)
def _schema(answer: type[ModelAnswer]) -> dict[str, Any]:
    return strict_schema(answer)
