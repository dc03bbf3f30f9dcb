"""The cost of a session's agents: calls, tokens, time, attempts, cache hits; money only from prices the user sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.memory.events import AgentCalled
from memorybank.settings.llm import HAND, LLMSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentUsage:
    calls: int = 0
    failed: int = 0
    attempts: int = 0
    cached: int = 0
    """Calls that the answer cache served; they cost no tokens."""
    input_tokens: int = 0
    cached_input_tokens: int = 0
    """Those of the input tokens that the provider had in its prefix cache."""
    output_tokens: int = 0
    ms: float = 0.0
    cost: float | None = None
    """The cost in the currency of the user's prices; None where no price is set."""


def by_agent(events: Iterable[Any], prices: LLMSettings | None = None) -> dict[str, AgentUsage]:
    """Return totals by role, in the order in which the roles first came, and `all` last; empty without agent calls."""
    calls: dict[str, list[AgentCalled]] = {}
    for event in events:
        if isinstance(event, AgentCalled):
            calls.setdefault(event.role, []).append(event)
    if not calls:
        return {}
    every = [call for made in calls.values() for call in made]
    return {role: _total(made, prices) for role, made in (*calls.items(), ("all", every))}


def _total(made: list[AgentCalled], prices: LLMSettings | None) -> AgentUsage:
    paid = [call for call in made if not call.cached]
    sent, had, answered = _tokens(paid)
    return AgentUsage(
        calls=len(made),
        failed=sum(call.outcome == "failed" for call in made),
        attempts=sum(call.attempt for call in made),
        cached=sum(call.cached for call in made),
        input_tokens=sent,
        cached_input_tokens=had,
        output_tokens=answered,
        ms=round(sum(call.ms for call in made), 1),
        cost=prices.cost(*_tokens([call for call in paid if call.model != HAND])) if prices else None,
    )


def _tokens(calls: Sequence[AgentCalled]) -> tuple[int, int, int]:
    """Return the tokens sent, those of them that a prefix cache had, and tokens answered."""
    return (
        sum(call.input_tokens for call in calls),
        sum(call.cached_input_tokens for call in calls),
        sum(call.output_tokens for call in calls),
    )
