"""Totals of agent calls by role; what came from the cache costs nothing, and money needs a price."""

from __future__ import annotations

import pytest

from memorybank.memory.events import AgentCalled
from memorybank.session.usage import by_agent
from memorybank.settings.llm import LLMSettings


def call(role: str, **more: object) -> AgentCalled:
    fields: dict[str, object] = {"outcome": "ok", "input_tokens": 1_000, "output_tokens": 200, "ms": 250.0, **more}
    return AgentCalled(role=role, engine="llm", key="k", **fields)  # type: ignore[arg-type]


def test_totals_by_agent() -> None:
    events = [
        call("analysis"),
        call("planning", attempt=3, outcome="failed"),
        call("analysis", cached=True),
        "something else",
    ]
    used = by_agent(events)
    assert list(used) == ["analysis", "planning", "all"]
    assert (used["analysis"].calls, used["analysis"].cached, used["analysis"].input_tokens) == (2, 1, 1_000)
    assert (used["planning"].failed, used["planning"].attempts) == (1, 3)
    assert used["all"].calls == 3
    assert used["all"].ms == 750.0
    assert used["all"].cost is None, "no price is set, so no money is named"
    priced = by_agent(events, LLMSettings(price_input=2.0, price_output=10.0))
    assert priced["analysis"].cost == pytest.approx(0.002 + 0.002)
    assert by_agent([]) == {}


@pytest.mark.parametrize(
    ("price_cached", "cost"), [(None, 0.002 + 0.002), (0.2, 0.0004 + 0.00016 + 0.002), (0.0, 0.0004 + 0.002)]
)
def test_tokens_from_the_prefix_cache_are_counted_apart_and_have_their_own_price(
    price_cached: float | None, cost: float
) -> None:
    prices = LLMSettings(price_input=2.0, price_output=10.0, price_cached=price_cached)
    used = by_agent([call("analysis", cached_input_tokens=800), call("planning")], prices)
    assert {role: use.cached_input_tokens for role, use in used.items()} == {"analysis": 800, "planning": 0, "all": 800}
    assert used["analysis"].input_tokens == 1_000
    assert used["analysis"].cost == pytest.approx(cost)
