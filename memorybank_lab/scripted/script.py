"""A script: what a request was (`SeenRequest`), what is sent back (`ScriptedReply`), and which answer a request gets.

Which one: by rule, else the next of a sequence, else the default.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from memorybank.llm.base import TokenUsage, ToolCall

Kind = Literal["chat", "embeddings", "models", "other"]

SECRET_HEADERS = ("authorization", "api-key", "x-api-key", "proxy-authorization", "cookie")
"""The headers of which only the fact that they came is kept, in `authorized`."""

_KINDS: Mapping[str, Kind] = {"chat/completions": "chat", "embeddings": "embeddings", "models": "models"}


@dataclass(frozen=True, kw_only=True)
class SeenRequest:
    number: int
    """The request's number, from 1, in order of arrival."""
    method: str
    path: str
    body: Mapping[str, Any] = field(default_factory=dict)
    """The JSON sent; empty for a GET and for what is no JSON object."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case, without those that carry a secret."""
    authorized: bool = False
    """A key came along. Its value is not kept."""

    @property
    def kind(self) -> Kind:
        return next((kind for end, kind in _KINDS.items() if self.path.split("?")[0].endswith("/" + end)), "other")

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        found = self.body.get("messages")
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    @cached_property
    def text(self) -> str:
        """Return the words of all messages, in order."""
        return "\n".join(text_of(message) for message in self.messages)

    @property
    def prompt(self) -> str:
        """Return the words of the last user message."""
        return next((text_of(one) for one in reversed(self.messages) if one.get("role") == "user"), "")

    @property
    def last(self) -> Mapping[str, Any]:
        return self.messages[-1] if self.messages else {}

    @property
    def images(self) -> int:
        """Return image parts in all messages."""
        return sum(part.get("type") == "image_url" for message in self.messages for part in _parts(message))

    @property
    def tools(self) -> tuple[str, ...]:
        """Return names of the tools declared to the model."""
        declared = self.body.get("tools") or ()
        return tuple(str(tool.get("function", {}).get("name", "")) for tool in declared)

    @property
    def answer_format(self) -> str:
        """Return `json_schema`, `json_object`, or `text` when nothing was asked for."""
        asked = self.body.get("response_format")
        return str(asked.get("type", "text")) if isinstance(asked, dict) else "text"

    @property
    def schema_name(self) -> str:
        """Return the name of the JSON schema asked for; empty without one, in JSON mode and in text."""
        return str(self._asked_schema.get("name", ""))

    @cached_property
    def schema(self) -> Mapping[str, Any] | None:
        """Return the JSON schema of the answer: the one asked for, else the last one that stands in the messages."""
        asked = self._asked_schema.get("schema")
        if isinstance(asked, dict):
            return asked
        written = [one for one in json_objects(self.text) if isinstance(one.get("properties"), dict)]
        return written[-1] if written else None

    @property
    def _asked_schema(self) -> Mapping[str, Any]:
        asked = self.body.get("response_format")
        schema = asked.get("json_schema") if isinstance(asked, dict) else None
        return schema if isinstance(schema, dict) else {}


def text_of(message: Mapping[str, Any]) -> str:
    """Return the words of one message: its text, or its text parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in _parts(message) if part.get("type") == "text")


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield objects written in a text, in order; one inside another is not given again."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            if isinstance(value, dict):
                yield value
        at = text.find("{", end)


def _parts(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


# -- answers -----------------------------------------------------------------------------------------------------------

Delivery = Literal["whole", "drip", "endless", "never", "reset", "reset_midway", "cut_short", "not_http"]
"""The way bytes go out: all at once · a few at a time, `pace` seconds apart · without end · not at all · the connection
is reset before the first byte · or in the middle · or closed politely in the middle · bytes that are no HTTP."""

KEY_PLACE = "\ue000the key that came\ue000"
"""Stands in an error's message where the server shall repeat the caller's key, as real ones do. It is put in while the
answer is sent and kept nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedReply:
    """One answer. Only what differs from a plain success needs to be said."""

    text: str = ""
    """The text that is sent as `message.content`."""
    reasoning: str = ""
    """`message.reasoning_content`, as DeepSeek sends it."""
    refusal: str = ""
    """`message.refusal`, as OpenAI sends it."""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: str = ""
    """The `finish_reason`; empty: `tool_calls` when there are any, else `stop`."""
    usage: TokenUsage | Literal["counted", "none"] = "counted"
    """`counted`: of what was sent and answered, a token for a CJK character and one for four others."""
    delay: float | None = None
    """Seconds before the first byte; None: the server's own."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    """The error that is sent as `{"error": …}` in place of an answer."""
    edit: Callable[[dict[str, Any]], Any] | None = None
    """A function that changes the finished JSON before it is sent: something missing, vectors in another order."""
    raw: bytes | None = None
    """The bytes that are sent as the body, whatever they are."""
    delivery: Delivery = "whole"
    pace: float = 0.02
    """Seconds between two writes of `drip` and `endless`."""


Answer = str | Mapping[str, Any] | ScriptedReply | Callable[[SeenRequest], "Answer"]
"""Text as it is, a mapping as JSON text, a `ScriptedReply`, or a function of the request that gives one of them."""


def reply_of(answer: Answer, request: SeenRequest) -> ScriptedReply:
    while callable(answer):
        answer = answer(request)
    if isinstance(answer, ScriptedReply):
        return answer
    return ScriptedReply(text=answer) if isinstance(answer, str) else json_reply(answer)


def json_reply(value: Any) -> ScriptedReply:
    """Return an answer whose text is this value as JSON."""
    return ScriptedReply(text=json.dumps(value, ensure_ascii=False))


def tool_reply(*calls: tuple[str, Mapping[str, Any]], text: str = "", first_id: int = 1) -> ScriptedReply:
    """Return native tool calls: `tool_reply(("search", {"query": ["a", "b"]}))`; ids are `call_1`, `call_2` …

    `first_id`: for a further reply of a conversation, in which some clients take no id twice.
    """
    made = tuple(
        ToolCall(id=f"call_{number}", name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        for number, (name, arguments) in enumerate(calls, first_id)
    )
    return ScriptedReply(text=text, tool_calls=made)


def error_reply(
    status: int, message: str, *, kind: str = "", code: str = "", param: str = "", retry_after: str | float = ""
) -> ScriptedReply:
    """Return an error as OpenAI words it. `retry_after`: seconds or an HTTP date; empty sends no such header."""
    error = {"message": message, "type": kind or None, "code": code or None, "param": param or None}
    return ScriptedReply(
        status=status, error=error, headers={"Retry-After": str(retry_after)} if retry_after != "" else {}
    )


def context_length_reply(window: int, tokens: int) -> ScriptedReply:
    """Return the error for a prompt that is longer than the context, as OpenAI words it."""
    return error_reply(
        400,
        f"This model's maximum context length is {window} tokens. However, your messages resulted in {tokens} tokens. "
        "Please reduce the length of the messages.",
        kind="invalid_request_error",
        code="context_length_exceeded",
        param="messages",
    )


# -- scripts -----------------------------------------------------------------------------------------------------------

Predicate = Callable[[SeenRequest], bool]


def asks(
    *, schema: str = "", contains: str = "", model: str = "", tool: str = "", kind: Kind = "chat", last_role: str = ""
) -> Predicate:
    """Return a predicate of all that is given: the name of the answer's schema, words anywhere in the messages, the
    model's name, a declared tool, the endpoint, the role of the last message."""
    return lambda request: (
        request.kind == kind
        and schema in ("", request.schema_name)
        and contains in request.text
        and model in ("", request.model)
        and (not tool or tool in request.tools)
        and last_role in ("", request.last.get("role"))
    )


@dataclass(frozen=True, slots=True)
class Rule:
    """Answers for requests of one sort, given in turn. The last one repeats, unless the rule ends with it."""

    when: Predicate
    answers: tuple[Answer, ...]
    ends: bool = False
    """Every answer once; then the rule no longer applies."""


def on(when: Predicate, *answers: Answer, ends: bool = False) -> Rule:
    """Return a rule: `on(asks(schema="analysis"), {"relationships": []})`."""
    if not answers:
        raise ValueError("a rule needs an answer: on(when, answer, …)")
    return Rule(when, answers, ends)


class Scripted(Protocol):
    """The script that a server plays. It is called from many threads at once."""

    def reply(self, request: SeenRequest) -> ScriptedReply | None:
        """Return the answer; None: the script has nothing for this request."""


class Script:
    """Rules first, in order; then the sequence, one answer a chat request; then the default.

    An embeddings request is answered with vectors unless a rule for it says otherwise (`asks(kind="embeddings")`).
    """

    def __init__(
        self, *, rules: Iterable[Rule] = (), sequence: Iterable[Answer] = (), default: Answer | None = None
    ) -> None:
        self._rules = tuple(rules)
        self._given = [0] * len(self._rules)
        self._sequence = iter(tuple(sequence))
        self._default = default
        self._lock = threading.Lock()

    def reply(self, request: SeenRequest) -> ScriptedReply | None:
        answer = self._choose(request)
        return None if answer is None else reply_of(answer, request)

    def _choose(self, request: SeenRequest) -> Answer | None:
        with self._lock:
            for place, rule in enumerate(self._rules):
                given = self._given[place]
                if (rule.ends and given >= len(rule.answers)) or not rule.when(request):
                    continue
                self._given[place] += 1
                return rule.answers[min(given, len(rule.answers) - 1)]
            if request.kind != "chat":
                return ScriptedReply() if request.kind == "embeddings" else None
            return next(self._sequence, self._default)


def script_of(script: Scripted | Answer | Iterable[Answer]) -> Scripted:
    """Return a script as it is; one answer as the default; several as the sequence."""
    if isinstance(script, str | Mapping | ScriptedReply) or callable(script):
        return Script(default=script)
    return Script(sequence=script) if isinstance(script, Iterable) else script
