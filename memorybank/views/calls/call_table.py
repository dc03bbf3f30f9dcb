"""Every call of an agent and of a tool as a row, and what they come to. From records alone, pure.

A call is named by the seq of its event. Which stage and round it belongs to is told by the stage that had begun last.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from memorybank.memory.events import AgentCalled, PromptEnhanced, ToolUsed
from memorybank.runs.journal import Record
from memorybank.runs.stages import Place, placed
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


@dataclass(slots=True)
class Calls:
    """The calls of a run up to a moment."""

    rows: list[CallRow] = field(default_factory=list)
    """Oldest first."""
    agents: list[AgentCalled] = field(default_factory=list)
    tools: list[ToolUsed] = field(default_factory=list)

    def totals(self, prices: LLMSettings | None = None) -> tuple[AgentUsage, AgentUsage]:
        """What the calls of agents and those of tools come to. Money only where the user has set prices."""
        tools = AgentUsage(
            calls=len(self.tools),
            failed=sum(call.outcome == "failed" for call in self.tools),
            attempts=len(self.tools),
            ms=round(sum(call.ms for call in self.tools), 1),
        )
        return usage.by_agent(self.agents, prices).get("all", AgentUsage()), tools


def read_calls(records: Iterable[Record[Any]]) -> Calls:
    """The calls among the records of a run."""
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
            case _:
                pass
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
    """A tool's arguments on a line, words as they are."""
    return ", ".join(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in arguments.values()
    )
