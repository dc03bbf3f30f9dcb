"""Every call of an agent and of a tool as a row, and what they come to. From records alone, pure.

A call is named by the seq of its event. Which stage and round it belongs to is told by the stage that had begun last.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from memorybank.memory.events import AgentCalled, PromptEnhanced, ToolUsed
from memorybank.runs.journal import Record
from memorybank.runs.stages import Place, StageReader
from memorybank.session import usage
from memorybank.session.usage import AgentUsage
from memorybank.settings.llm import LLMSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    seq: int
    at: float
    """Seconds since the epoch."""
    kind: Literal["agent", "tool"]
    name: str
    """The agent's role, or the tool."""
    engine: str = ""
    """Empty for a tool."""
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
    """Seq of the prompt of its round; 0 outside of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    name: str
    usage: AgentUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    agents: tuple[Total, ...]
    """By role, in the order in which they first came."""
    tools: tuple[Total, ...]
    agents_all: AgentUsage
    tools_all: AgentUsage


class CallReader:
    """Follows the calls of one run, whose records are taken one by one as they come."""

    def __init__(self) -> None:
        self.rows: list[CallRow] = []
        """Oldest first."""
        self._stages = StageReader()
        self._prompt = 0
        self._agents: list[AgentCalled] = []
        self._tools: dict[str, list[ToolUsed]] = {}

    def take(self, record: Record[Any]) -> None:
        self._stages.take(record)
        place = self._stages.place(record)
        match record.event:
            case AgentCalled() as event:
                self._agents.append(event)
                self.rows.append(_row(event, place, self._prompt))
            case ToolUsed() as event:
                self._tools.setdefault(event.tool, []).append(event)
                self.rows.append(_row(event, place, self._prompt))
            case PromptEnhanced():
                self._prompt = record.seq
            case _:
                pass

    def totals(self, prices: LLMSettings | None = None) -> Totals:
        """What the calls so far come to. Money only where the user has set prices."""
        by_role = usage.by_agent(self._agents, prices)
        every = by_role.pop("all", AgentUsage())
        return Totals(
            agents=tuple(Total(name=role, usage=role_usage) for role, role_usage in by_role.items()),
            tools=tuple(Total(name=name, usage=_tools(used)) for name, used in self._tools.items()),
            agents_all=every,
            tools_all=_tools([call for used in self._tools.values() for call in used]),
        )


def read_calls(records: Iterable[Record[Any]]) -> CallReader:
    """The calls among the records of a run."""
    reader = CallReader()
    for record in records:
        reader.take(record)
    return reader


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
    """A tool's arguments on a line, words as they are."""
    return ", ".join(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in arguments.values()
    )


def _tools(used: Sequence[ToolUsed]) -> AgentUsage:
    return AgentUsage(
        calls=len(used),
        failed=sum(call.outcome == "failed" for call in used),
        attempts=len(used),
        ms=round(sum(call.ms for call in used), 1),
    )
