"""Every call of a run as a row, what they come to, and one call whole: what was asked, what came back.

The rows are made of records alone; a call whole needs the run's blobs, and shows them raw and as they were understood.
A blob that is gone is a finding, not an error: the journal alone still tells the parsed answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from pydantic import TypeAdapter

from memorybank.calls import ChatCall
from memorybank.errors import MemoryBankError
from memorybank.language.text import source_key
from memorybank.memory.events import AgentCalled, PromptEnhanced, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.memory.types import EntryId
from memorybank.prompts.tags import blocks_of
from memorybank.runs.journal import Record
from memorybank.runs.stages import Place, placed
from memorybank.session import usage
from memorybank.session.usage import AgentUsage
from memorybank.settings.llm import LLMSettings
from memorybank.tools.base import RESULT, ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    seq: int
    at: float
    """The time in seconds since the epoch."""
    kind: Literal["agent", "tool"]
    name: str
    """The agent's role, or the tool."""
    engine: str = ""
    """The engine that was asked; empty for a tool."""
    model: str = ""
    stage: str
    round: int
    failed: bool
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    ms: float
    attempts: int = 1
    cached: bool = False
    about: str = ""
    """A tool's arguments; the error of an agent that failed."""
    prompt: int
    """The number (seq) of its round's prompt; 0 outside of a round."""


@dataclass(slots=True)
class Calls:
    """The calls of a run up to a moment."""

    rows: list[CallRow] = field(default_factory=list)
    """The rows, oldest first."""
    agents: list[AgentCalled] = field(default_factory=list)
    tools: list[ToolUsed] = field(default_factory=list)

    def totals(self, prices: LLMSettings | None = None) -> tuple[AgentUsage, AgentUsage]:
        """Return the sums of the agents' calls and of the tools'. Money is only there where the user has set prices."""
        tools = AgentUsage(
            calls=len(self.tools),
            failed=sum(call.outcome == "failed" for call in self.tools),
            attempts=len(self.tools),
            ms=round(sum(call.ms for call in self.tools), 1),
        )
        return usage.by_agent(self.agents, prices).get("all", AgentUsage()), tools


def read_calls(records: Iterable[Record[Any]]) -> Calls:
    """Return the calls among the records of a run."""
    calls, prompt = Calls(), 0
    for record, place in placed(records):
        match record.event:
            case AgentCalled() as event:
                calls.agents.append(event)
                calls.rows.append(_row(event, place, prompt))
            case ToolUsed() as event:
                calls.tools.append(event)
                calls.rows.append(_row(event, place, prompt))
            case PromptEnhanced():
                prompt = record.seq
    return calls


def _row(event: AgentCalled | ToolUsed, place: Place, prompt: int) -> CallRow:
    row = CallRow(
        seq=place.seq,
        at=place.at,
        kind="tool",
        name="",
        stage=place.stage,
        round=place.round,
        failed=event.outcome == "failed",
        ms=event.ms,
        prompt=prompt if place.stage == "execute" else 0,
    )
    if isinstance(event, ToolUsed):
        return replace(row, name=event.tool, about=arguments_line(event.arguments))
    return replace(
        row,
        kind="agent",
        name=event.role,
        engine=event.engine,
        model=event.model,
        input_tokens=event.input_tokens,
        cached_input_tokens=event.cached_input_tokens,
        output_tokens=event.output_tokens,
        attempts=event.attempt,
        cached=event.cached,
        about=event.error,
    )


def arguments_line(arguments: dict[str, Any]) -> str:
    """Return a tool's arguments on a line, words as they are."""
    return ", ".join(map(_argument, arguments.values()))


def _argument(value: Any) -> str:
    if isinstance(value, list):
        return " · ".join(map(_argument, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


Blob = Literal["", "kept", "missing"]
"""Whether a call has such a blob, and whether it is still there."""
Read = Callable[[str], str]
"""A blob's text by its digest. Raises MemoryBankError when it is gone."""
_CALL: TypeAdapter[ChatCall] = TypeAdapter(ChatCall)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One question to a language model and its raw answer."""

    messages: tuple[tuple[str, str], ...]
    """(role, text); images and native calls in words."""
    reply: str
    call: ChatCall


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentView:
    row: CallRow
    event: AgentCalled
    input_text: str
    """The input as it was written: JSON."""
    input_blob: Blob
    input_fields: dict[str, Any] | None
    """The fields of the input; None when they are not known, or when it is no such input."""
    exchanges: tuple[Exchange, ...]
    output_blob: Blob


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolView:
    row: CallRow
    event: ToolUsed
    result: ToolResult | None
    blob: Blob
    entries: tuple[EntryId, ...]
    """The entries that its sources were filed as, in the memory that is looked at."""


def agent_view(record: Record[Any], row: CallRow, read: Read) -> AgentView:
    event: AgentCalled = record.event
    input_text, input_blob = _fetched(event.input_blob, read)
    output_text, output_blob = _fetched(event.output_blob, read)
    content = parsed(input_text)
    return AgentView(
        row=row,
        event=event,
        input_text=input_text,
        input_blob=input_blob,
        input_fields=content if isinstance(content, dict) else None,
        exchanges=exchanges(output_text),
        output_blob=output_blob,
    )


def tool_view(record: Record[Any], row: CallRow, read: Read, bank: MemoryState) -> ToolView:
    event: ToolUsed = record.event
    text, blob = _fetched(event.blob, read)
    result: ToolResult | None = None
    if text:
        try:
            result = RESULT.validate_json(text)
        except ValueError:
            blob = "missing"
    by_source = {source_key(entry.source): entry.id for entry in reversed(bank.tree.entries.values())}
    entry_ids = [by_source[key] for key in map(source_key, event.sources) if key in by_source]
    return ToolView(row=row, event=event, result=result, blob=blob, entries=tuple(dict.fromkeys(entry_ids)))


def _fetched(digest: str, read: Read) -> tuple[str, Blob]:
    if not digest:
        return "", ""
    try:
        return read(digest), "kept"
    except MemoryBankError:
        return "", "missing"


def parsed(text: str) -> Any:
    """Return the JSON value in a text; None when there is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def exchanges(text: str) -> tuple[Exchange, ...]:
    """Return the questions in an output blob; what is none is left out."""
    content = parsed(text)
    known = {field.name for field in fields(ChatCall)}
    made: list[Exchange] = []
    for item in content if isinstance(content, list) else ():
        if not isinstance(item, dict):
            continue
        known_values = {name: value for name, value in item.items() if name in known}
        try:
            call = _CALL.validate_json(json.dumps(known_values))
        except ValueError:
            continue
        made.append(Exchange(messages=messages(parsed(call.prompt)), reply=call.reply, call=call))
    return tuple(made)


def messages(value: Any) -> tuple[tuple[str, str], ...]:
    """Return (role, words) of chat messages as JSON."""
    return tuple(
        (str(message.get("role", "")), "\n".join(_words(message)))
        for message in (value if isinstance(value, list) else ())
        if isinstance(message, dict)
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(message: Mapping[str, Any]) -> list[str]:
    lines = [str(message.get("content", ""))]
    for image in _listed(message.get("images")):
        if isinstance(image, dict):
            lines.append(f"[image {str(image.get('sha256', image.get('data', '')))[:71]}]")
    for call in _listed(message.get("tool_calls")):
        if isinstance(call, dict):
            lines.append(f"<tool_call>{call.get('name', '')} {call.get('arguments', '')}</tool_call>")
    return [line for line in lines if line]


def subject(text: str) -> str:
    """Return what an agent's call is about, from its input: a topic, the start of a text, a task. May be empty."""
    content = parsed(text)
    if isinstance(content, list):  # the messages of a question that a tool asked on its way
        talk = messages(content)
        return talk[-1][1] if talk else ""
    if not isinstance(content, dict):
        return ""
    new, nodes, finished = content.get("new"), content.get("nodes"), content.get("finished")
    if isinstance(new, dict):
        return str(new.get("context", ""))
    if isinstance(nodes, list):
        return " + ".join(str(node.get("context", "")) for node in nodes if isinstance(node, dict))
    if isinstance(finished, dict):
        return str(finished.get("description", ""))
    talk = messages(content.get("messages"))
    topics = (content.get("context"), content.get("text"), content.get("content"), content.get("task_goal"))
    tasks = (task for _, words in reversed(talk) for task in blocks_of("task", words))  # memory stands before it
    asked = next(tasks, talk[-1][1] if talk else "")
    return next((str(topic) for topic in topics if topic), asked)
