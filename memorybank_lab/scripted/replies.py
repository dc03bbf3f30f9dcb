"""What the scripted server sends back: content, numbers, and how the bytes go out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from memorybank.llm.base import TokenUsage, ToolCall
from memorybank_lab.scripted.seen import SeenRequest

Delivery = Literal["whole", "drip", "endless", "never", "reset", "reset_midway", "cut_short", "not_http"]
"""How the bytes go out: all at once · a few at a time, `pace` seconds apart · without end · not at all · the connection
is reset before the first byte · or in the middle · or closed politely in the middle · bytes that are no HTTP."""

KEY_PLACE = "\ue000the key that came\ue000"
"""Stands in an error's message where the server shall repeat the caller's key, as real ones do. It is put in while the
answer is sent and kept nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedReply:
    """One answer. Only what differs from a plain success needs to be said."""

    text: str = ""
    """`message.content`."""
    reasoning: str = ""
    """`message.reasoning_content`, as DeepSeek sends it."""
    refusal: str = ""
    """`message.refusal`, as OpenAI sends it."""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: str = ""
    """`finish_reason`; empty: `tool_calls` when there are any, else `stop`."""
    usage: TokenUsage | Literal["counted", "none"] = "counted"
    """`counted`: of what was sent and answered, a token for a CJK character and one for four others."""
    delay: float | None = None
    """Seconds before the first byte; None: the server's own."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    """Sent as `{"error": …}` in place of an answer."""
    edit: Callable[[dict[str, Any]], Any] | None = None
    """Changes the finished JSON before it is sent: an envelope with something missing, vectors in another order."""
    raw: bytes | None = None
    """Sent as the body, whatever it is."""
    delivery: Delivery = "whole"
    pace: float = 0.02
    """Seconds between two writes of `drip` and `endless`."""


Answer = str | Mapping[str, Any] | ScriptedReply | Callable[[SeenRequest], "Answer"]
"""Text as it is, a mapping as JSON text, a `ScriptedReply`, or a function of the request that gives one of them."""

Change = Callable[[ScriptedReply, SeenRequest], ScriptedReply]
"""A fault: from a good answer to a bad one. The same answer back: this request does not show it."""

Table = Mapping[str, tuple[str, Change]]
"""Faults by name, each with a line about it."""


def instead(bad: ScriptedReply | Callable[[], ScriptedReply]) -> Change:
    """The fault that leaves nothing of the good answer."""
    return lambda good, request: bad() if callable(bad) else bad


def reply_of(answer: Answer, request: SeenRequest) -> ScriptedReply:
    while callable(answer):
        answer = answer(request)
    if isinstance(answer, ScriptedReply):
        return answer
    return ScriptedReply(text=answer) if isinstance(answer, str) else json_reply(answer)


def json_reply(value: Any) -> ScriptedReply:
    """An answer whose text is this value as JSON."""
    return ScriptedReply(text=json.dumps(value, ensure_ascii=False))


def tool_reply(*calls: tuple[str, Mapping[str, Any]], text: str = "", first_id: int = 1) -> ScriptedReply:
    """Native tool calls: `tool_reply(("search", {"query": ["a", "b"]}))`; ids are `call_1`, `call_2` …

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
    """An error as OpenAI words it. `retry_after`: seconds or an HTTP date; empty sends no such header."""
    error = {"message": message, "type": kind or None, "code": code or None, "param": param or None}
    return ScriptedReply(
        status=status, error=error, headers={"Retry-After": str(retry_after)} if retry_after != "" else {}
    )
