"""Every call of an agent and of a tool as a row, and what they come to. From records alone, pure.

A call is named by the seq of its event. Which stage and round it belongs to is told by the stage that had begun last.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from memorybank.memory.events import (
    AgentCalled,
    PromptEnhanced,
    SessionForked,
    SessionResumed,
    ToolUsed,
)
from memorybank.runs.journal import Record
from memorybank.runs.stages import border_of, placed
from memorybank.session import usage
from memorybank.session.usage import AgentUsage
from memorybank.settings.llm import LLMSettings

Again = Literal["", "resumed", "forked"]
"""Whether an answer was used again later: after a resume, or by a branch that took it over with the past."""
Reuse = Literal["fresh", "cached", "again"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    seq: int
    at: float
    """Seconds since the epoch."""
    kind: Literal["agent", "tool"]
    name: str
    """The agent's role, or the tool."""
    engine: str
    """Empty for a tool."""
    model: str
    stage: str
    round: int
    failed: bool
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    ms: float
    attempts: int
    cached: bool
    again: Again
    about: str
    """A tool's arguments; the error of an agent that failed."""
    prompt: int
    """Seq of the prompt of its round; 0 outside of one."""

    @property
    def reuse(self) -> Reuse:
        return "cached" if self.cached else "again" if self.again else "fresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFilter:
    """What is shown. None: all."""

    name: str | None = None
    stage: str | None = None
    failed: bool | None = None
    reuse: Reuse | None = None
    among: Collection[int] | None = None
    """Seqs of calls."""


Order = Literal["newest", "slowest", "longest"]
"""newest: as they were made, the last one first. slowest: by time. longest: by tokens in and out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    name: str
    usage: AgentUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    agents: tuple[Total, ...]
    """By role, in the order in which they first came."""
    tools: tuple[Total, ...]
    stages: tuple[Total, ...]
    """Agents and tools together, by stage; tokens and money are the agents'."""
    agents_all: AgentUsage
    tools_all: AgentUsage


def call_rows(records: Sequence[Record[Any]]) -> tuple[CallRow, ...]:
    """All calls so far, oldest first."""
    rows: list[CallRow] = []
    prompt, memo = 0, 0
    for record, place in placed(records):
        if border_of(record.event) is not None:
            memo = len(rows)
        asking_prompt = prompt if place.stage == "execute" else 0
        match record.event:
            case AgentCalled() as event:
                rows.append(_agent(record, event, place.stage, place.round, asking_prompt))
            case ToolUsed() as event:
                rows.append(_tool(record, event, place.stage, place.round, asking_prompt))
            case SessionResumed():
                rows[memo:] = [replace(row, again="resumed") for row in rows[memo:]]
            case SessionForked():
                rows = [replace(row, again="forked") for row in rows]
                memo = len(rows)
            case PromptEnhanced():
                prompt = record.seq
            case _:
                pass
    return tuple(rows)


def _agent(record: Record[Any], event: AgentCalled, stage: str, round_: int, prompt: int) -> CallRow:
    return CallRow(
        seq=record.seq,
        at=record.at,
        kind="agent",
        name=event.role,
        engine=event.engine,
        model=event.model,
        stage=stage,
        round=round_,
        failed=event.outcome == "failed",
        input_tokens=event.input_tokens,
        cached_input_tokens=event.cached_input_tokens,
        output_tokens=event.output_tokens,
        ms=event.ms,
        attempts=event.attempt,
        cached=event.cached,
        again="",
        about=event.error,
        prompt=prompt,
    )


def _tool(record: Record[Any], event: ToolUsed, stage: str, round_: int, prompt: int) -> CallRow:
    return CallRow(
        seq=record.seq,
        at=record.at,
        kind="tool",
        name=event.tool,
        engine="",
        model="",
        stage=stage,
        round=round_,
        failed=event.outcome == "failed",
        input_tokens=0,
        cached_input_tokens=0,
        output_tokens=0,
        ms=event.ms,
        attempts=1,
        cached=False,
        again="",
        about=arguments_line(event.arguments),
        prompt=prompt,
    )


def arguments_line(arguments: dict[str, Any]) -> str:
    """A tool's arguments on a line, words as they are."""
    return ", ".join(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in arguments.values()
    )


def chosen(rows: Iterable[CallRow], wanted: CallFilter, order: Order = "newest") -> list[CallRow]:
    """The rows that pass; of those alike in what they are ordered by, the newest first."""
    passing = [
        row
        for row in rows
        if (wanted.name is None or row.name == wanted.name)
        and (wanted.stage is None or row.stage == wanted.stage)
        and (wanted.failed is None or row.failed == wanted.failed)
        and (wanted.reuse is None or row.reuse == wanted.reuse)
        and (wanted.among is None or row.seq in wanted.among)
    ]
    passing.reverse()
    if order == "slowest":
        passing.sort(key=lambda row: -row.ms)
    elif order == "longest":
        passing.sort(key=lambda row: -(row.input_tokens + row.output_tokens))
    return passing


def totals(records: Sequence[Record[Any]], prices: LLMSettings | None = None) -> Totals:
    """What the calls so far come to. Money only where the user has set prices."""
    agents: list[AgentCalled] = []
    tools: dict[str, list[ToolUsed]] = {}
    stages: dict[str, list[AgentCalled | ToolUsed]] = {}
    for record, place in placed(records):
        event = record.event
        if isinstance(event, AgentCalled):
            agents.append(event)
        elif isinstance(event, ToolUsed):
            tools.setdefault(event.tool, []).append(event)
        else:
            continue
        stages.setdefault(place.stage, []).append(event)
    by_role = usage.by_agent(agents, prices)
    every = by_role.pop("all", AgentUsage())
    return Totals(
        agents=tuple(Total(name=role, usage=role_usage) for role, role_usage in by_role.items()),
        tools=tuple(Total(name=name, usage=_tools(used)) for name, used in tools.items()),
        stages=tuple(Total(name=name, usage=_together(made, prices)) for name, made in stages.items()),
        agents_all=every,
        tools_all=_tools([call for used in tools.values() for call in used]),
    )


def _tools(used: Sequence[ToolUsed]) -> AgentUsage:
    return AgentUsage(
        calls=len(used),
        failed=sum(call.outcome == "failed" for call in used),
        attempts=len(used),
        ms=round(sum(call.ms for call in used), 1),
    )


def _together(made: Sequence[AgentCalled | ToolUsed], prices: LLMSettings | None) -> AgentUsage:
    agents = usage.by_agent(made, prices).get("all", AgentUsage())
    tools = _tools([call for call in made if isinstance(call, ToolUsed)])
    return replace(
        agents,
        calls=agents.calls + tools.calls,
        failed=agents.failed + tools.failed,
        attempts=agents.attempts + tools.attempts,
        ms=round(agents.ms + tools.ms, 1),
    )
