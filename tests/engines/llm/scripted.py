"""A chat model for tests of the llm engine: it answers from a script, at the boundary where a real one would."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from memorybank.embedding.hashed import count_tokens
from memorybank.engines.llm import LLMEngine
from memorybank.llm.base import ChatReply, ChatRequest, Chats, TokenUsage
from memorybank.settings.llm import AgentName, LLMSettings

Script = Callable[[ChatRequest], Any] | Sequence[Any]


class ScriptedChat:
    """Answers in turn, or by a function of the request; values are sent as JSON, texts as they are, errors raised."""

    name = "scripted"

    def __init__(self, script: Script, *, context_window: int | None = None, per_token: float = 1.0) -> None:
        self.context_window = context_window
        self.requests: list[ChatRequest] = []
        self._script = script
        self._per_token = per_token
        self._lock = Lock()

    def complete(self, request: ChatRequest) -> ChatReply:
        with self._lock:
            turn = len(self.requests)
            self.requests.append(request)
        answer = self._script(request) if callable(self._script) else self._script[min(turn, len(self._script) - 1)]
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        used = int(sum(count_tokens(message.content) for message in request.messages) * self._per_token)
        return ChatReply(
            text=text, mode="schema", usage=TokenUsage(input_tokens=used, output_tokens=count_tokens(text))
        )

    def close(self) -> None:
        """Nothing is held."""


class Bench:
    """An engine on a script, with its notes."""

    def __init__(
        self,
        script: Script,
        *,
        context: int | None = None,
        windows: dict[AgentName, int] | None = None,
        max_tokens: int = 4096,
        per_token: float = 1.0,
    ) -> None:
        self.notes: list[str] = []
        self.chat = ScriptedChat(script, context_window=context, per_token=per_token)
        settings = LLMSettings(windows=windows or {}, max_tokens=max_tokens)
        self.engine = LLMEngine(Chats(self.chat), settings, count_tokens, note=self.notes.append)

    @property
    def prompts(self) -> list[str]:
        """The user messages, in order."""
        return [request.messages[-1].content for request in self.chat.requests]

    def sizes(self) -> list[int]:
        """Prompt and answer of each request, in tokens, as counted without the schema."""
        return [
            sum(count_tokens(message.content) for message in request.messages) + request.max_tokens
            for request in self.chat.requests
        ]


def units_in(prompt: str) -> list[tuple[int, str]]:
    """The numbered units of a classification prompt."""
    body = prompt.split("<memory>\n", 1)[1].rsplit("\n</memory>", 1)[0]
    return [(int(number), text) for number, text in re.findall(r"^\[(\d+)\] (.*)$", body, re.MULTILINE)]
