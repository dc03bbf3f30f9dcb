"""The scripted agents answer the real engine, in both languages and in every way a server may take a schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from memorybank.embedding.hashed import count_tokens
from memorybank.engines.llm import LLMEngine
from memorybank.engines.llm.wire import ClassificationAnswer, IntegrationAnswer, PlanningAnswer
from memorybank.llm.base import Chats
from memorybank.llm.build import build_chat
from memorybank.memory.contracts import (
    AnalysisInput,
    ClassificationInput,
    IntegrationInput,
    NodeInfo,
    NodeWithNeighbors,
    PairVerdict,
    PlanningInput,
    StructureInput,
)
from memorybank.memory.types import ConflictStatus, Lang, Relation, TaskType
from memorybank.session.markup import blocks_of
from memorybank.session.session import Session
from memorybank.settings.llm import LLMSettings
from memorybank_lab.scripted import FAULTS, Faulty, ScriptedServer, instance_of, on, scripted_agents
from memorybank_lab.scripted.instances import fitted
from memorybank_lab.scripted.script import Scripted
from tests.llm.sessions import TASKS, parts, sources
from tests.picturing import picture

EN = (
    "The Condor processor of IBM holds 1,121 superconducting qubits. IBM showed Condor in New York. "
    "The qubits of Condor are cooled to 15 millikelvin.\n\n"
    "Penicillin was found by Alexander Fleming in a London hospital. Fleming saw mould kill bacteria in a dish. "
    "Penicillin has saved many millions of lives."
)
ZH = (
    "长江大桥全长六千七百米，由铁道部设计。长江大桥分上下两层，上层通汽车，下层通火车。\n\n"
    "莫高窟位于甘肃省敦煌市东南。莫高窟的壁画始于十六国时期，壁画面积四万五千平方米。"
)
TEXTS: dict[Lang, str] = {"en": EN, "zh": ZH}
LACKS = ["", "schema_refused", "json_refused"]


@contextmanager
def _engine(script: Scripted, lacks: str = "") -> Iterator[tuple[LLMEngine, ScriptedServer]]:
    played = Faulty(script, FAULTS[lacks]) if lacks else script
    with ScriptedServer(played) as server:
        chosen = LLMSettings(provider="local", base_url=server.base_url, model="scripted", cache=False, attempts=1)
        chat = build_chat(chosen, None)
        try:
            yield LLMEngine(Chats(chat), chosen, count_tokens), server
        finally:
            chat.close()


def _node(summary: str, context: str, *keywords: str) -> NodeInfo:
    return NodeInfo(summary=summary, context=context, keywords=keywords)


OLD = _node("The Condor processor holds 1,121 qubits. It was shown in 2023.", "The Condor processor", "Condor", "IBM")
NEW = _node("The Condor processor holds 1,221 qubits. It is cooled.", "The Condor processor", "Condor", "cooling")
OTHER = _node("Penicillin was found by Fleming.", "Penicillin", "Fleming")


@pytest.mark.parametrize("lacks", LACKS, ids=["schema", "JSON mode", "words"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_five_agents_answer_the_engine(lang: Lang, lacks: str) -> None:
    text = TEXTS[lang]
    with _engine(scripted_agents(), lacks) as (engine, server):
        found = engine.classification.run(ClassificationInput(text=text, lang=lang))
        assert "".join(text[start:end] for one in found.clusters for start, end in one.spans) == text
        assert len(found.clusters) == 2
        assert all(one.context and one.keywords for one in found.clusters)
        summary = engine.structure.run(StructureInput(content=text, lang=lang)).summary
        assert 10 < len(summary) <= len(text)
        judged = engine.analysis.run(AnalysisInput(new=NEW, candidates=(OLD, OTHER, NEW), lang=lang)).relationships
        assert [one.relationship for one in judged] == [Relation.CONFLICT, Relation.UNRELATED, Relation.MERGE]
        (point,) = judged[0].contradictions
        assert (point.left.value, point.right.value) == ("1,121", "1,221")
        verdict = PairVerdict(left=0, right=1, status=ConflictStatus.RESOLVED, winner="left", value="1,121")
        nodes = tuple(NodeWithNeighbors(**node.model_dump()) for node in (OLD, NEW))
        united = engine.integration.run(
            IntegrationInput(nodes=nodes, trigger="conflict", verdicts=(verdict,), lang=lang)
        )
        assert "1,121" in united.summary
        assert "1,221" not in united.summary
        assert "cooled" in united.summary
        assert {"Condor", "IBM", "cooling"} <= set(united.keywords)
        plan = engine.planning.run(PlanningInput(task_goal="How many qubits has Condor?", lang=lang))
        assert plan.next_task is not None
        assert plan.next_task.type is TaskType.NORMAL
        assert server.problems == []


def test_rules_of_yours_come_before_the_agents() -> None:
    said = {"summary": "What I wrote."}
    with _engine(scripted_agents(on(lambda request: request.schema_name == "structure", said))) as (engine, server):
        assert engine.structure.run(StructureInput(content=f"{EN} {EN} {EN}")).summary.startswith("What I wrote.")
        assert len(engine.classification.run(ClassificationInput(text=EN)).clusters) == 2
        assert {request.schema_name for request in server.chats} == {"structure", "classification"}


# -- the ReAct agent --------------------------------------------------------------------------------------------------

SEARCH = {"type": "object", "properties": {"query": {"type": "array", "items": {"type": "string"}}}}
VISIT = {
    "type": "object",
    "properties": {"url": {"type": "array", "items": {"type": "string"}}, "goal": {"type": "string"}},
    "required": ["url", "goal"],
}
TASK = (
    "<task>\nTask goal: qubits\nOpen conflicts:\n- m1: Condor: 1,121 / 1,221 (conflicts: c1)\n"
    "    [A] n1 (a.md)\n    [B] n2 (b.md)\nCurrent task:\n"
    "[CROSS_VALIDATE] Check how many qubits Condor has\n</task>\n\n<memory>\nNo memory on this yet.\n</memory>"
)
FOUND = "1. https://example.org/condor\n   Condor has 1,121 qubits."


def _turn(server: ScriptedServer, messages: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    sent = {"model": "m", "messages": messages, **options}
    answer = httpx.post(f"{server.base_url}/chat/completions", json=sent).json()
    message: dict[str, Any] = answer["choices"][0]["message"]
    return message


def test_a_round_by_text_blocks_searches_reads_and_states_a_verdict() -> None:
    declared = [{"name": "search", "arguments": SEARCH}, {"name": "visit", "arguments": VISIT}]
    system = "Tools:\n" + "\n".join(map(json.dumps, declared)) + "\nWrite <tool_call>{…}</tool_call>"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": TASK}]
    calls = []
    with ScriptedServer(scripted_agents()) as server:
        for result in (FOUND, "The Condor chip of IBM has 1,121 qubits."):
            text = _turn(server, messages)["content"]
            calls.append(json.loads(text.partition("<tool_call>")[2].partition("</tool_call>")[0]))
            messages += [
                {"role": "assistant", "content": text},
                {"role": "user", "content": f"<tool_response>\n{result}\n</tool_response>"},
            ]
        answer = _turn(server, messages)["content"]
    task = "Condor: 1,121 / 1,221"
    assert calls == [
        {"name": "search", "arguments": {"query": [task]}},
        {"name": "visit", "arguments": {"url": ["https://example.org/condor"], "goal": task}},
    ]
    (verdict,) = map(json.loads, blocks_of("verdict", answer))
    assert (verdict["matter"], verdict["holds"], verdict["value"]) == ("m1", ["A"], "1,121")
    assert "The Condor chip of IBM has 1,121 qubits." in answer.partition("<answer>")[2]


def test_a_round_by_native_calls() -> None:
    tools = [{"type": "function", "function": {"name": "search", "parameters": SEARCH}}]
    messages: list[dict[str, Any]] = [{"role": "user", "content": TASK.replace("CROSS_VALIDATE", "NORMAL")}]
    with ScriptedServer(scripted_agents()) as server:
        first = _turn(server, messages, tools=tools)
        (call,) = first["tool_calls"]
        assert call["function"]["name"] == "search"
        messages += [first, {"role": "tool", "tool_call_id": call["id"], "content": FOUND}]
        last = _turn(server, messages, tools=tools)
        assert not last.get("tool_calls")
        assert "Condor has 1,121 qubits." in last["content"]
        forced = [{"role": "user", "content": TASK}, {"role": "assistant", "content": "hm"}]
        forced.append({"role": "user", "content": "Write the final answer now, in <answer>…</answer>."})
        assert "<answer>" in _turn(server, forced)["content"]


# -- any schema -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [ClassificationAnswer, IntegrationAnswer, PlanningAnswer])
@pytest.mark.parametrize("fill", [instance_of, lambda schema: fitted({}, schema)], ids=["instance", "fitted"])
def test_the_engines_own_schemas_are_filled(answer: Any, fill: Callable[[Any], Any]) -> None:
    schema = answer.model_json_schema()
    jsonschema.validate(fill(schema), schema)


def test_a_schema_that_holds_itself_comes_to_an_end() -> None:
    tree = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "child": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        "required": ["name", "child"],
    }
    made = instance_of(tree)
    jsonschema.validate(made, tree)
    assert made["child"]["child"]


def test_a_value_is_brought_into_a_schema() -> None:
    schema = {
        "type": "object",
        "properties": {
            "kind": {"enum": ["a", "b"], "type": "string"},
            "words": {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 3}},
            "next": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"n": {"type": "integer"}}}]},
            "share": {"type": "number"},
        },
        "required": ["kind", "words", "next", "share"],
        "additionalProperties": False,
    }
    value = {"kind": "c", "words": ["long one", "b", "c"], "next": {"n": 3, "x": 1}, "more": True}
    assert fitted(value, schema) == {"kind": "a", "words": ["lon", "b"], "next": {"n": 3}, "share": 0}
    assert fitted({**value, "kind": "b", "next": None}, schema)["next"] is None


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_session_of_its_own_comes_to_an_answer(run_dir: Path, lang: Lang) -> None:
    """The ready script alone, on texts it was not written for: dispute, image, search, answer."""
    with ScriptedServer(scripted_agents()) as server:
        session = Session.start(
            run_dir,
            parts(server, lang),
            goal=TASKS[lang],
            sources=sources(lang),
            images=[("sign.png", picture("KESSEL 24"))],
        )
        with session:
            result = session.run()
            bank = session.bank
        assert result.result == "complete"
        assert "24" in result.answer
        assert {(one.status, one.value) for one in bank.conflicts.all.values()} == {(ConflictStatus.RESOLVED, "24")}
        assert any(entry.kind == "image" for entry in bank.tree.entries.values())
        roles = {request.schema_name for request in server.chats}
        assert {"classification", "analysis", "integration", "planning", ""} <= roles
