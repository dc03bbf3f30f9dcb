"""Tests made from recorded runs: records that are packed, and what runs on them instead of a model."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest

from memorybank import testing
from memorybank.errors import InputError, ToolError
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest
from memorybank.memory.contracts import AnalysisInput, NodeInfo
from memorybank.memory.events import EVENT, OBSERVATIONS, AgentCalled, StageFinished, StageStarted, ToolUsed
from memorybank.memory.types import Relation
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, state_at
from memorybank.testing import (
    Recorded,
    RecordedChat,
    RecordedStage,
    RecordedTool,
    ReplayedEngine,
    comparable,
    pack,
    unpack,
)
from tests.recorded import recorded_run

QUESTION = ChatRequest(messages=(ChatMessage(role="user", content="?"),))
GIVEN = AnalysisInput(
    new=NodeInfo(summary="It has 105 qubits.", context="qubits", keywords=()),
    candidates=(NodeInfo(summary="It has 107 qubits.", context="qubits", keywords=()),),
)


def as_json(event: Any) -> dict[str, Any]:
    written: dict[str, Any] = EVENT.dump_python(event, mode="json")
    return written


def stage(records: list[Record[Any]], name: str) -> tuple[int, int]:
    """Where the last stage of this name begins and ends."""
    last = max(
        place for place, one in enumerate(records) if isinstance(one.event, StageFinished) and one.event.stage == name
    )
    first = max(place for place, one in enumerate(records[:last]) if isinstance(one.event, StageStarted))
    return first, last


def recorded(records: list[Record[Any]], first: int, last: int, **more: Any) -> Recorded:
    folder = recorded_run("en")
    calls = [one.event for one in records[first:last] if isinstance(one.event, AgentCalled | ToolUsed)]
    return Recorded(
        facts=tuple((one.at, as_json(one.event)) for one in records[:first] if not isinstance(one.event, OBSERVATIONS)),
        calls=tuple(map(as_json, calls)),
        results={one.blob: folder.blobs.text(one.blob) for one in calls if isinstance(one, ToolUsed) and one.blob},
        now=records[first].at,
        **more,
    )


def test_the_public_names_are_there() -> None:
    assert all(getattr(testing, name) for name in testing.__all__)


def test_a_recorded_model_answers_in_order_and_no_more() -> None:
    chat = RecordedChat([ChatReply(text="one"), ChatReply(text="two")])
    assert [chat.complete(QUESTION).text, chat.complete(QUESTION).text] == ["one", "two"]
    with pytest.raises(AssertionError, match="not in the record"):
        chat.complete(QUESTION)
    assert len(chat.requests) == 3


def test_an_engine_makes_of_a_recorded_answer_what_it_makes_of_a_model_s() -> None:
    said = {"pair": "A-0", "reasoning": "105 or 107", "relationship": "conflict", "confidence": 0.9}
    engine = ReplayedEngine([ChatReply(text=f"```json\n{json.dumps({'relationships': [said]})}\n```")])
    (found,) = engine.analysis.run(GIVEN).relationships
    assert (found.relationship, found.existing) == (Relation.CONFLICT, 0)
    assert "107 qubits" in engine.model.requests[0].messages[-1].content


def test_a_record_survives_packing_and_nonsense_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    records = load(recorded_run("en").path)
    first, last = stage(records, "analyse")
    one = recorded(records, first, last, files={"ab": "cd"})
    text = pack(one)
    assert text.isascii()
    assert unpack(text) == one
    assert len(text) < len(json.dumps([fact for _, fact in one.facts])) / 3
    for nonsense in ("", "?", "AAAA", base64.b64encode(zlib.compress(b"{}")).decode()[:-4]):
        with pytest.raises(InputError, match="no record"):
            unpack(nonsense)
    monkeypatch.setattr("memorybank.testing.record.MOST", 1_000)
    with pytest.raises(InputError, match="more than"):
        unpack(text)


def test_a_stage_makes_the_facts_it_made_and_asks_nothing_new() -> None:
    records = load(recorded_run("en").path)
    for name in ("analyse", "execute", "resolve"):
        first, last = stage(records, name)
        made = [comparable(one.event) for one in records[first:last] if not isinstance(one.event, OBSERVATIONS)]
        run = RecordedStage(name, pack(recorded(records, first, last)))  # type: ignore[arg-type]
        assert run.run() == made != []
        assert not any("vector" in fact for fact in made)
        assert run.bank.graph.nodes.keys() == state_at(records, first).graph.nodes.keys()
        assert len(run.calls) == sum(isinstance(one.event, AgentCalled | ToolUsed) for one in records[first:last])

        one = recorded(records, first, last)
        less = pack(Recorded(facts=one.facts, calls=one.calls[1:], results=one.results, now=one.now))
        if one.calls:
            with pytest.raises(AssertionError, match="not in the record"):
                RecordedStage(name, less).run()  # type: ignore[arg-type]


def test_a_tool_reads_the_memory_of_the_moment() -> None:
    records = load(recorded_run("en").path)
    first, _ = stage(records, "execute")
    tools = RecordedTool(pack(recorded(records, first, first)))
    node = next(iter(tools.bank.graph.nodes))
    found = tools.run("deep_retrieval", {"node_id": node})
    assert found.text.startswith("== ")
    assert tools.run("search", {"query": "main mirror"}).materials, "what was ingested can be searched"
    with pytest.raises(ToolError):
        tools.run("deep_retrieval", {"node_id": "n999"})
    with pytest.raises(InputError, match="no tool"):
        tools.run("dance", {})
    with pytest.raises(InputError, match="no SessionStarted"):
        RecordedTool(pack(Recorded(facts=()))).run("search", {})
