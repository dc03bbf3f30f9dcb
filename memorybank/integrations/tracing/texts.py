"""The texts of a span, for whoever asks for them: with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT alone.

What a journal names by its hash is read from the run's blobs; one that is gone is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from memorybank.errors import MemoryBankError
from memorybank.integrations.tracing.spans import Attributes
from memorybank.memory.bounds import loads
from memorybank.memory.events import AgentCalled, ConflictClosed, ConflictFound, NodesMerged, ToolUsed

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
LONGEST = 100_000
"""The most characters of one text; a prompt is rarely longer."""


def asked_for(environment: Mapping[str, str]) -> bool:
    """Whether the conventions' switch asks for texts on spans: `true`, or what newer conventions call it."""
    return environment.get(CAPTURE, "").strip().lower() in ("true", "span_only", "span_and_event")


class Texts:
    """`read` gives a blob by its hash; it may raise what a store raises."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read

    def of_call(self, call: AgentCalled) -> Attributes:
        """Return what an agent was given and what it answered, as the contracts have it."""
        return _exchange([_message("user", self._blob(call.input_blob))], _json(call.answer) if call.answer else "")

    def of_chat(self, call: AgentCalled) -> Attributes:
        """Return the messages as they were sent, and the raw reply: of several questions, those of the last."""
        asked = _parsed(self._blob(call.output_blob))
        last = asked[-1] if isinstance(asked, list) and asked and isinstance(asked[-1], dict) else {}
        sent = _parsed(str(last.get("prompt", "")))
        messages = (
            [_read_message(message) for message in sent if isinstance(message, dict)] if isinstance(sent, list) else []
        )
        return {
            **_exchange(messages, str(last.get("reply", ""))),
            **_named("memorybank.call.notes", "\n".join(call.notes)),
        }

    def of_tool(self, used: ToolUsed) -> Attributes:
        result = _parsed(self._blob(used.blob))
        text = str(result.get("text", "")) if isinstance(result, dict) else used.excerpt
        return {
            **_named("gen_ai.tool.call.arguments", _json(used.arguments)),
            **_named("gen_ai.tool.call.result", text),
            **_named("memorybank.tool.source_names", "\n".join(used.sources)),
        }

    def of_session(self, goal: str, answer: str) -> Attributes:
        known = _exchange([_message("user", goal)] if goal else [], answer)
        return {**known, **_shown(goal, answer)}

    def of_conflict(self, found: ConflictFound, closed: ConflictClosed | None) -> Attributes:
        known = {**_named("memorybank.conflict.description", found.description), **_shown(found.description, "")}
        if closed is not None:
            known |= _named("memorybank.conflict.reason", closed.reason) | _shown("", closed.reason)
            known |= _named("memorybank.conflict.value", closed.value)
        return known

    def of_merge(self, merged: NodesMerged) -> Attributes:
        known = _named("memorybank.merge.description", merged.description)
        return {**known, **_named("memorybank.merge.summary", merged.summary), **_shown("", merged.summary)}

    def _blob(self, digest: str) -> str:
        if not digest:
            return ""
        try:
            return self._read(digest).decode("utf-8", "replace")
        except (MemoryBankError, OSError):
            return ""


def cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _named(name: str, text: str) -> dict[str, str]:
    return {name: cut(text)} if text else {}


def _shown(given: str, came_of_it: str) -> dict[str, str]:
    """Return what viewers that read OpenInference show first of a span that is no call."""
    return {**_named("input.value", given), **_named("output.value", came_of_it)}


def _exchange(messages: list[dict[str, Any]], reply: str) -> dict[str, str]:
    """Return messages in the conventions' form, which a span holds as JSON."""
    known: dict[str, str] = {}
    if any(message["parts"] for message in messages):
        known["gen_ai.input.messages"] = _json(messages)
    if reply:
        known["gen_ai.output.messages"] = _json([{**_message("assistant", reply), "finish_reason": "stop"}])
    return known


def _message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": cut(text)}] if text else []}


def _read_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message as `llm/around.py` writes it."""
    read = _message(str(message.get("role", "user")), str(message.get("content") or ""))
    called = message.get("tool_calls")
    for call in called if isinstance(called, list) else []:
        if isinstance(call, dict):
            named = {"name": str(call.get("name", "")), "arguments": str(call.get("arguments", ""))}
            read["parts"].append({"type": "tool_call", **named})
    return read


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _parsed(text: str) -> Any:
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None
