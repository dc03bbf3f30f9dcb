"""A language model that repeats its recorded replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from memorybank.engines.llm import LLMEngine
from memorybank.llm.base import ChatReply, ChatRequest
from memorybank.llm.chats import Chats
from memorybank.llm.tokens import estimate
from memorybank.settings.llm import LLMSettings


class RecordedChat:
    """A `ChatModel` that gives recorded replies, in order. What it was asked is in `requests`.

    A question beyond the record fails the test: the library asks more than it did then.
    """

    def __init__(
        self, replies: Sequence[ChatReply] = (), *, name: str = "recorded", context_window: int | None = None
    ) -> None:
        self.name = name
        self.context_window = context_window
        self.requests: list[ChatRequest] = []
        self._replies = tuple(replies)

    def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        if len(self.requests) > len(self._replies):
            beyond_record("a question to the model")
        return self._replies[len(self.requests) - 1]

    def close(self) -> None:
        """There is nothing to release."""


class ReplayedEngine(LLMEngine):
    """The llm engine on a model that says what was recorded. Tokens are estimated: no embedding model is needed."""

    def __init__(
        self, replies: Sequence[ChatReply], settings: LLMSettings | None = None, *, context_window: int | None = None
    ) -> None:
        self.model = RecordedChat(replies, context_window=context_window)
        super().__init__(Chats(self.model), settings or LLMSettings(), estimate)


def beyond_record(what: str) -> NoReturn:
    raise AssertionError(f"{what} is not in the record: the library asks something else than it did then")
