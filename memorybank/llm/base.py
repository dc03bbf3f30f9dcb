"""The requests to a chat model and its replies. Client, retry, cache and meter are all `ChatModel`s."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from pydantic import TypeAdapter

from memorybank.memory.types import Value
from memorybank.settings.llm import AGENTS, AgentName

ChatRole = Literal["system", "user", "assistant", "tool"]
Finish = Literal["stop", "length", "tool_calls", "refused"]
Mode = Literal["schema", "json", "text"]
"""The way a structured answer was asked for: by JSON schema, in JSON mode, or in words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePart(Value):
    data: bytes = field(repr=False)
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall(Value):
    """A call as the model wrote it; `arguments` is its JSON text, unchecked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec(Value):
    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage(Value):
    role: ChatRole
    content: str
    images: tuple[ImagePart, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest(Value):
    messages: tuple[ChatMessage, ...]
    temperature: float = 0.6
    top_p: float = 0.95
    max_tokens: int = 4096
    """The most tokens of the answer."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the answer; None: free text."""
    schema_name: str = "answer"
    tools: tuple[ToolSpec, ...] = ()
    """The tools for the endpoint's native tool calling."""
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage(Value):
    input_tokens: int = 0
    cached_input_tokens: int = 0
    """Those of the input tokens that the server had from an earlier prompt (prefix cache)."""
    output_tokens: int = 0
    measured: bool = True
    """False: the server said nothing and the tokens were estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply(Value):
    text: str
    """The text without its `<think>` blocks."""
    reasoning: str = ""
    """`reasoning_content`, or what stood in `<think>`."""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    usage: TokenUsage = field(default_factory=TokenUsage)
    mode: Mode = "text"
    attempts: int = 1
    cached: bool = False
    notes: tuple[str, ...] = ()


REPLY: TypeAdapter[ChatReply] = TypeAdapter(ChatReply)


def request_json(request: ChatRequest) -> str:
    """Return all that was asked, as one JSON text with sorted keys; images stand in it by their SHA-256."""

    def digest(value: object) -> str:
        if isinstance(value, bytes):
            return f"sha256:{hashlib.sha256(value).hexdigest()}"
        raise TypeError(f"{type(value).__name__} is not JSON")

    return json.dumps(asdict(request), ensure_ascii=False, sort_keys=True, default=digest)


class ChatModel(Protocol):
    """Answers one request. Thread-safe: a stage asks several at once.

    Raises EndpointError when no answer can be had, Cancelled (calls.py) when the call was stopped in flight.
    """

    @property
    def name(self) -> str: ...
    @property
    def context_window(self) -> int | None:
        """Return the tokens the server takes, prompt and answer together; None while unknown."""

    def complete(self, request: ChatRequest) -> ChatReply: ...

    def close(self) -> None:
        """Release connections and threads. A closed model is not asked again."""


class AroundChat:
    """A layer around a chat model (retry, cache, meter): in name, context and end it is the one inside."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def context_window(self) -> int | None:
        return self._inner.context_window

    def close(self) -> None:
        self._inner.close()


class Chats:
    """The chat models by the roles that they answer. It is as safe in threads as they are."""

    def __init__(self, default: ChatModel, own: Mapping[AgentName, ChatModel] | None = None) -> None:
        self._default = default
        self._own = dict(own or {})

    def of(self, role: AgentName) -> ChatModel:
        return self._own.get(role, self._default)

    @property
    def names(self) -> str:
        """Return the models' names, each once: `large + small`."""
        return " + ".join(dict.fromkeys(self.of(role).name for role in AGENTS))

    def close(self) -> None:
        """Release the connections of all of them."""
        for chat in {id(chat): chat for chat in map(self.of, AGENTS)}.values():
            chat.close()
