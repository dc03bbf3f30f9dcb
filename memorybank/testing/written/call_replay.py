"""An agent's call made again on what the model said then: which requests the library sends, and what it makes of it.

A run keeps the messages and the raw answers, not the parameters they were asked with. Replaying the answers through the
library's own agent gives them: the same input leads to the same requests, as far as this machine's settings are the
run's. Where they lead to others, that is seen by the messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from memorybank.errors import MemoryBankError
from memorybank.llm import thinking
from memorybank.llm.base import ChatReply, ChatRequest, Finish, TokenUsage
from memorybank.llm.meter import prompt_json
from memorybank.memory.contracts import (
    AnalysisInput,
    AnalysisOutput,
    ClassificationInput,
    ClassificationOutput,
    IntegrationInput,
    IntegrationOutput,
    Message,
    PlanningInput,
    PlanningOutput,
    StructureInput,
    StructureOutput,
)
from memorybank.memory.events import AgentCalled
from memorybank.runs.journal import Record
from memorybank.settings.llm import LLMSettings
from memorybank.testing import ReplayedEngine
from memorybank.views.calls.call_view import AgentView, Exchange

INPUTS: Mapping[str, type[Message]] = {
    "classification": ClassificationInput,
    "structure": StructureInput,
    "analysis": AnalysisInput,
    "integration": IntegrationInput,
    "planning": PlanningInput,
}
OUTPUTS: Mapping[str, type[Message]] = {
    "classification": ClassificationOutput,
    "structure": StructureOutput,
    "analysis": AnalysisOutput,
    "integration": IntegrationOutput,
    "planning": PlanningOutput,
}
REQUEST: TypeAdapter[ChatRequest] = TypeAdapter(ChatRequest)

_CALLS_RE = re.compile(r"(?:\n<tool_call>[^\n]*</tool_call>)+\Z")
_WINDOW_RE = re.compile(r"context is (\d{3,9}) tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    requests: tuple[ChatRequest, ...] = ()
    """One request for each exchange."""
    replies: tuple[ChatReply, ...] = ()
    answer: dict[str, Any] | None = None
    """None: the agent had none."""
    error: str = ""


def given_of(view: AgentView) -> Message | None:
    """The agent's input; None when it cannot be read by this version, or is none."""
    form = INPUTS.get(view.event.role)
    if form is None:
        return None
    try:
        return form.model_validate_json(view.input_text)
    except ValidationError:
        return None


def replay(view: AgentView, agent_input: Message, settings: LLMSettings, window: int | None) -> Replay | None:
    """Runs the agent on the recorded replies; None when the library now makes other requests than it did."""
    replies = tuple(_reply(exchange, view.event, last=exchange is view.exchanges[-1]) for exchange in view.exchanges)
    engine = ReplayedEngine(replies, settings, context_window=window)
    answer, error = None, ""
    try:
        answer = getattr(engine, view.event.role).run(agent_input).model_dump(mode="json")
    except MemoryBankError as failure:
        error = str(failure)
    except AssertionError:  # a question beyond the record
        return None
    requests = tuple(engine.model.requests)
    prompts = [prompt_json(request) for request in requests]
    if prompts != [exchange.call.prompt for exchange in view.exchanges]:
        return None
    return Replay(requests=requests, replies=replies, answer=answer, error=error)


def _reply(exchange: Exchange, event: AgentCalled, *, last: bool) -> ChatReply:
    """What the model said, from its raw text; how it ended is told by the notes."""
    text, reasoning = thinking.split(_CALLS_RE.sub("", exchange.reply))
    finish: Finish = "stop"
    if "refused" in exchange.call.notes:
        finish = "refused"
    elif any(note.startswith("cut off at") for note in exchange.call.notes) or (
        last and "was cut off at" in event.error
    ):
        finish = "length"
    usage = TokenUsage(
        input_tokens=exchange.call.input_tokens,
        cached_input_tokens=exchange.call.cached_input_tokens,
        output_tokens=exchange.call.output_tokens,
        measured="tokens estimated" not in exchange.call.notes,
    )
    return ChatReply(text=text, reasoning=reasoning, finish=finish, usage=usage)


def answered(view: AgentView) -> bool:
    """Whether every question of a call got an answer of some kind."""
    return all(exchange.reply or "refused" in exchange.call.notes for exchange in view.exchanges)


def chat_request(view: AgentView) -> ChatRequest | None:
    """The request of an executor's question, which is kept whole; images stand in it by their SHA-256."""
    try:
        return REQUEST.validate_json(view.input_text)
    except ValidationError:
        return None


def plain_request(exchange: Exchange, role: str, settings: LLMSettings) -> ChatRequest | None:
    """A request from the messages alone, with this machine's parameters for the role."""
    sampling = settings.sampling.get(role)  # type: ignore[call-overload]
    try:
        messages = json.loads(exchange.call.prompt)
        bare = [{"role": message["role"], "content": message["content"]} for message in messages]
        request = REQUEST.validate_python({"messages": bare})
    except (ValueError, TypeError, RecursionError):
        return None
    bounded = replace(request, max_tokens=settings.max_tokens)
    return replace(bounded, temperature=sampling.temperature, top_p=sampling.top_p) if sampling else bounded


def context_window(records: Sequence[Record[Any]]) -> int | None:
    """The server's context, as far as a call has noted it; the last one counts."""
    for record in reversed(records):
        if isinstance(record.event, AgentCalled):
            for note in record.event.notes:
                match = _WINDOW_RE.search(note)
                if match:
                    return int(match[1])
    return None
