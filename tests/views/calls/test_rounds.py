"""Rounds: every call and tool stands in one of them, and what was refused, ignored or dropped is told with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from memorybank.memory.events import (
    AgentCalled,
    ClustersFound,
    ContextIntercepted,
    RelationsJudged,
    StageFinished,
    StageStarted,
    ToolUsed,
)
from memorybank.memory.types import AgentFailure, Lang, NodeId
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.views.boxes.round_chain import chain_box
from memorybank.views.calls.rounds import RoundItem, round_items
from tests.reading import call_marks, rounds
from tests.recorded import recorded_run
from tests.ui.llm_run import llm_run


def run_of(*events: Any) -> list[Record[Any]]:
    return [Record(seq=seq, at=float(seq), event=event) for seq, event in enumerate(events, start=1)]


def turn(text: str, key: str) -> AgentCalled:
    return AgentCalled(
        role="react", engine="llm", key=key, outcome="ok", model="m", answer={"text": text}, input_tokens=7
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", ["offline", "llm"])
def test_every_call_of_a_run_stands_in_one_round_and_the_sums_are_the_run_s(kind: str, lang: Lang) -> None:
    records = load((recorded_run(lang) if kind == "offline" else llm_run(lang).folder).path)
    marks = rounds(records)
    items = [item for mark in marks for item in round_items(records, mark)]
    calls = [record.event for record in records if isinstance(record.event, AgentCalled)]
    assert sum(item.count for item in items if item.kind in ("call", "by_rule")) == len(calls)
    assert sum(mark.usage.input_tokens for mark in marks) == sum(call.input_tokens for call in calls)
    tools = [record.seq for record in records if isinstance(record.event, ToolUsed)]
    assert [item.seq for item in items if item.kind == "tool"] == tools
    assert sum(mark.tools for mark in marks) == len(tools)
    assert [mark.number for mark in marks] == list(range(len(marks)))
    assert all(mark.task is not None for mark in marks[1:])
    assert any(item.kind == "call" for item in items) is (kind == "llm")
    drawn = json.dumps(chain_box(items, call_marks(records), lambda item: "about", lang).data(), ensure_ascii=False)
    assert drawn.count("chain-item") == len(items)


def test_what_was_sent_back_ignored_failed_or_new_to_nobody_is_told() -> None:
    failure = AgentFailure(agent="classification", reason="no answer")
    records = run_of(
        StageStarted(stage="execute", round=1),
        turn("<answer>no verdict</answer>", "a"),
        turn("<tool_call>{}</tool_call>", "b"),
        ToolUsed(tool="visit", arguments={}, key="t", outcome="ok", excerpt=""),
        turn("<answer>105</answer>", "c"),
        StageFinished(stage="execute", round=1),
        ContextIntercepted(route="normal", brings_new=False),
        ClustersFound(taken=(), clusters=(), failed=(failure,)),
        RelationsJudged(node_id=NodeId("n1"), relations=(), ignored=("unknown node 7",)),
    )
    (mark,) = rounds(records)
    items = round_items(records, mark)
    assert [item.kind for item in items] == [
        "call",
        "sent_back",
        "call",
        "tool",
        "call",
        "barren",
        "failed",
        "ignored",
    ]
    assert items[1].seq == 3, "the next question says why"
    drawn = json.dumps(chain_box(items, {}, lambda item: f"why {item.seq}", "en").data())
    assert all(words in drawn for words in ("why 3", "no answer", "unknown node 7", "sent back"))


def test_calls_by_rule_behind_each_other_are_one_line_but_a_failure_stands_alone() -> None:
    ruled = AgentCalled(role="structure", engine="llm", key="k", outcome="ok")
    failed = replace(ruled, outcome="failed", error="lost")
    records = run_of(StageStarted(stage="structure", round=1), ruled, ruled, failed, ruled)
    items: list[RoundItem] = round_items(records, rounds(records)[0])
    assert [(item.kind, item.count) for item in items] == [("by_rule", 2), ("call", 1), ("by_rule", 1)]
