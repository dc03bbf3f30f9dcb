"""Calls as rows and totals, from records alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memorybank.memory.events import AgentCalled, PromptEnhanced, StageFinished, StageStarted, TaskExecuted, ToolUsed
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.settings.llm import LLMSettings
from tests.reading import call_rows, totals
from tests.recorded import recorded_run


def recorded(*events: Any) -> list[Record[Any]]:
    return [Record(seq, float(seq), event) for seq, event in enumerate(events, start=1)]


def agent(role: str = "analysis", **fields: Any) -> AgentCalled:
    return AgentCalled(
        **{"role": role, "engine": "llm", "key": role, "outcome": "ok", "model": "m", "ms": 100.0, **fields}
    )


TOOL = ToolUsed(tool="search", arguments={"query": ["a", "b"], "limit": 3}, key="t", outcome="ok", excerpt="…", ms=5.0)


def test_every_call_of_a_run_is_a_row_in_its_stage_and_round() -> None:
    records = load(recorded_run("en").path)
    rows = call_rows(records)
    made = [record for record in records if isinstance(record.event, AgentCalled | ToolUsed)]
    assert [row.seq for row in rows] == [record.seq for record in made]
    assert {row.stage for row in rows if row.name == "analysis"} == {"analyse"}
    assert {row.stage for row in rows if row.kind == "tool"} == {"execute"}
    assert all(isinstance(records[row.prompt - 1].event, PromptEnhanced) for row in rows if row.stage == "execute")
    assert not any(row.prompt for row in rows if row.stage != "execute")
    rounds = [row.round for row in rows]
    assert rounds == sorted(rounds)
    executed = sum(isinstance(record.event, TaskExecuted) for record in records)
    assert max(rounds) == executed - 1 > 1, "the answer is quoted from memory, and what follows it is no choice"
    for k in (0, 1, len(records) // 2):
        assert call_rows(records[:k]) == tuple(row for row in rows if row.seq <= k)


def test_cached_and_failed_answers_are_told_apart() -> None:
    started = StageStarted(stage="analyse", round=0)
    rows = call_rows(
        recorded(
            started, agent(), StageFinished(stage="analyse", round=0),
            started, agent(cached=True), TOOL, agent(outcome="failed", error="no"),
            StageFinished(stage="analyse", round=0),
        )
    )  # fmt: skip
    assert [row.cached for row in rows] == [False, True, False, False]
    assert [row.failed for row in rows] == [False, False, False, True]
    assert rows[2].about == '["a", "b"], 3'
    assert rows[3].about == "no"


def test_totals_and_money_only_from_prices() -> None:
    records = recorded(
        StageStarted(stage="analyse", round=0), agent(input_tokens=1_000, output_tokens=500), agent(outcome="failed"),
        agent(input_tokens=9_999, cached=True), StageFinished(stage="analyse", round=0),
        StageStarted(stage="execute", round=1), agent("react", input_tokens=2_000),
        TOOL, replace(TOOL, outcome="failed"),
    )  # fmt: skip
    agents, tools = totals(records)
    assert (tools.calls, tools.failed) == (2, 1)
    assert (agents.calls, agents.failed, agents.cached) == (4, 1, 1)
    assert agents.input_tokens == 3_000, "what the cache served cost nothing"
    assert agents.cost is None
    priced, _ = totals(records, LLMSettings(price_input=2.0, price_output=8.0))
    assert priced.cost == (3_000 * 2 + 500 * 8) / 1e6


def test_two_thousand_calls_are_all_counted() -> None:
    many = recorded(
        StageStarted(stage="analyse", round=0), *(agent(input_tokens=1) for _ in range(1_000)), *[TOOL] * 1_000
    )
    rows, (agents, _) = call_rows(many), totals(many)
    assert (len(rows), agents.calls, rows[-1].seq) == (2_000, 1_000, 2_001)
