from __future__ import annotations

import re
from typing import Any

import pytest

from memorybank.engines.llm.analysis import contradiction, sentence_with
from memorybank.engines.llm.wire import DisputedPoint
from memorybank.errors import AgentError
from memorybank.memory.contracts import (
    AnalysisInput,
    ClassificationInput,
    Comparison,
    IntegrationInput,
    NodeInfo,
    NodeWithNeighbors,
    PlanningInput,
    StructureInput,
)
from memorybank.memory.types import Contradiction, Relation
from tests.engines.llm.scripted import Bench
from tests.tables import tables

TABLES = tables(__file__)

OLD, NEW, OTHER = (NodeInfo(**told) for told in TABLES["nodes"].values())
CONFLICT, RELATED, UNRELATED = (TABLES[name] for name in ("conflict", "related", "unrelated"))


BOTH = tuple(NodeWithNeighbors(**node.model_dump(), neighbors=()) for node in (OLD, NEW))


def given(*candidates: NodeInfo, **changes: Any) -> AnalysisInput:
    return AnalysisInput(new=NEW, candidates=candidates or (OLD, OTHER), **changes)


def test_one_call_judges_all_candidates() -> None:
    bench = Bench([{"relationships": [CONFLICT, RELATED]}])
    conflict, related = bench.engine.analysis.run(given()).relationships
    assert (conflict.existing, conflict.relationship, conflict.confidence) == (0, Relation.CONFLICT, 0.9)
    (point,) = conflict.contradictions
    assert point.left.text == "Condor has 1,121 superconducting qubits."
    assert point.right.text == "It has 433 qubits, says the report."
    assert (point.left.value, point.right.value, point.left.kind) == ("1,121", "433", "number")
    assert point.left.subject == point.right.subject == "IBM's Condor"
    assert (related.existing, related.relationship) == (1, Relation.RELATED)
    assert related.context_update_new == "Report on IBM's Condor"
    assert related.context_update_existing == ""
    assert related.keywords_update_new == ("Condor", "qubits", "IBM", "2023", "processor"), "the whole list"
    assert related.keywords_update_existing == (), "as it was"
    assert related.contradictions == ()
    assert bench.notes == []
    (prompt,) = bench.prompts
    assert prompt.count("<memory") == 3
    schema = bench.chat.requests[0].schema
    first, second, third = list(schema["properties"]["relationships"]["items"]["properties"])[:3]
    assert (first, second, third) == ("pair", "reasoning", "relationship")


def test_no_candidates_need_no_call() -> None:
    bench = Bench([{"relationships": []}])
    assert bench.engine.analysis.run(AnalysisInput(new=NEW, candidates=())).relationships == ()
    assert bench.chat.requests == []


def test_what_is_plainly_apart_is_listed_without_a_word_on_each_pair() -> None:
    bench = Bench([{"unrelated": ["A-1"], "relationships": [CONFLICT]}])
    found = bench.engine.analysis.run(given()).relationships
    assert [(one.existing, one.relationship) for one in found] == [(0, Relation.CONFLICT), (1, Relation.UNRELATED)]
    assert bench.notes == []


def test_all_that_is_known_stands_before_what_is_new_in_its_own_order_and_is_named_by_number() -> None:
    bench = Bench([{"relationships": [CONFLICT | {"pair": "A-1"}]}])
    (conflict,) = bench.engine.analysis.run(given(OLD, memory=(OTHER, OLD))).relationships
    assert (conflict.existing, conflict.relationship) == (0, Relation.CONFLICT)
    (prompt,) = bench.prompts
    assert re.findall(r'label="(\w)"', prompt) == ["0", "1", "A"]
    assert prompt.endswith("Judge this pair: A-1")


def test_pairs_that_are_unknown_repeated_or_left_out_are_noted() -> None:
    answers = [RELATED, RELATED | {"pair": "A-7"}, RELATED | {"pair": "B-1"}, RELATED | {"pair": "1"}, RELATED]
    bench = Bench([{"relationships": answers}])
    (one,) = bench.engine.analysis.run(given()).relationships
    assert (one.new, one.existing) == (0, 1)
    assert bench.notes == [
        *(f"analysis: unknown or repeated pair {pair}" for pair in ("A-7", "B-1", "1", "A-1")),
        "analysis: nothing was said of A-0",
    ]


@pytest.mark.parametrize("pair", ["A-1", "A–1", "A1", "A vs 1", "(A, 1)", ["A", 1], "1-A"])
@pytest.mark.parametrize("confidence", [0.5, "0.5", "50%", 50])
def test_a_pair_and_a_confidence_in_any_form(pair: object, confidence: object) -> None:
    bench = Bench([{"relationships": [RELATED | {"pair": pair, "confidence": confidence}]}])
    (one,) = bench.engine.analysis.run(given()).relationships
    assert (one.existing, one.confidence) == (1, 0.5)


@pytest.mark.parametrize(
    ("role", "answer", "request_"),
    [
        ("classification", {"reasoning": "r", "topics": []}, ClassificationInput(text=OLD.summary)),
        *(("structure", {"summary": empty}, StructureInput(content=OLD.summary * 9)) for empty in ("", " \n", None)),
        ("analysis", {"relationships": [RELATED | {"relationship": "similar-ish"}]}, given()),
        ("integration", {"summary": " ", "context": "c"}, IntegrationInput(nodes=BOTH, trigger="merge")),
        ("planning", {"next_task": {"description": "", "query": "q"}}, PlanningInput(task_goal="g", memory_size=1)),
    ],
)
def test_an_answer_without_a_meaning_is_none(role: str, answer: object, request_: object) -> None:
    with pytest.raises(AgentError, match=f"no usable {role} in two tries"):
        getattr(Bench([answer]).engine, role).run(request_)


def test_new_memories_share_a_call_and_are_judged_among_themselves() -> None:
    twin, third = (NEW.model_copy(update={"context": f"Report {number}"}) for number in (2, 3))
    answers = [
        CONFLICT,
        UNRELATED,
        CONFLICT | {"pair": "B-0", "relationship": "related", "details": None},
        UNRELATED | {"pair": "B-A", "relationship": "merge", "details": {"merge_strategy": "B repeats A."}},
        CONFLICT | {"pair": "C-1"},
    ]
    bench = Bench([{"relationships": answers}])
    compared = (twin, (OLD, NEW)), (OLD, ()), (third, (OTHER,))
    further = tuple(Comparison(new=new, candidates=candidates) for new, candidates in compared)
    found = bench.engine.analysis.run(given(further=further)).relationships
    judged = [f"{one.new}-{one.existing} {one.relationship}" for one in found]
    assert judged == ["0-0 conflict", "0-1 unrelated", "1-0 related", "1-1 merge", "3-0 conflict"]
    assert found[3].merge_strategy == "B repeats A."
    (prompt,) = bench.prompts
    assert prompt.endswith("Judge these 5 pairs: A-0, A-1, B-0, B-A, C-1")
    assert re.findall(r'label="(\w)"', prompt) == ["0", "1", "A", "B", "C"], "what does not change comes first"
    assert [note for note in bench.notes if "dropped" not in note] == []


def test_what_does_not_fit_one_call_is_asked_in_several_and_each_pair_once() -> None:
    """A small context falls back to fewer pairs a call; memories are told apart by their labels in each of them."""
    nodes = [NodeInfo(summary=f"Fact {n}. " * 60, context=f"topic {n}", keywords=(f"k{n}",)) for n in range(9)]
    comparisons = [Comparison(new=node, candidates=tuple(nodes[:place])) for place, node in enumerate(nodes) if place]
    first, *further = comparisons
    asked: list[tuple[str, str]] = []

    def judge(request: Any) -> object:
        prompt = request.messages[-1].content
        topic = dict(re.findall(r'label="(\w+)">\n(?:Topic|主题)[:：] ?(.*)\n', prompt))
        pairs = re.findall(r"(\w+)-(\w+)", prompt.rpartition("pair")[2])
        asked.extend((topic[new], topic[old]) for new, old in pairs)
        return {"relationships": [UNRELATED | {"pair": "-".join(pair)} for pair in pairs]}

    def calls(context: int | None) -> int:
        asked.clear()
        bench = Bench(judge, context=context)
        request = AnalysisInput(new=first.new, candidates=first.candidates, further=tuple(further))
        found = bench.engine.analysis.run(request).relationships
        assert [(one.new, one.existing) for one in found] == [(n, m) for n in range(8) for m in range(n + 1)]
        assert sorted(asked) == sorted((f"topic {n}", f"topic {m}") for n in range(9) for m in range(n))
        assert not context or max(bench.sizes()) <= context
        return len(bench.prompts)

    assert calls(None) < calls(5_000) < 36


@pytest.mark.parametrize(("change", "why"), TABLES["a_contradiction_without_the_memories_own_words_is_dropped"])
def test_a_contradiction_without_the_memories_own_words_is_dropped(change: dict[str, str], why: str) -> None:
    details: Any = CONFLICT["details"]
    point = details["contradictions"][0] | change
    bench = Bench([{"relationships": [CONFLICT | {"details": details | {"contradictions": [point]}}, UNRELATED]}])
    conflict, _ = bench.engine.analysis.run(given()).relationships
    assert conflict.relationship is Relation.CONFLICT
    assert conflict.conflict_description
    assert conflict.contradictions == ()
    assert why in bench.notes[0]


def test_the_same_value_on_both_sides_is_no_contradiction() -> None:
    node = NodeInfo(summary="Condor has 1,121 qubits.", context="Condor", keywords=())
    dispute = DisputedPoint(existing_quote="1,121 qubits", existing_value="1,121", new_quote="1,121", new_value="1,121")
    assert contradiction(dispute, node, node, 1.0) == "both sides have the same value"


@pytest.mark.parametrize(("left", "right", "kind"), TABLES["claims_in_chinese"])
def test_claims_in_chinese(left: str, right: str, kind: str) -> None:
    old, new = (OLD.model_copy(update={"summary": f"此前报道。公告称是{value}。"}) for value in (left, right))
    dispute = DisputedPoint(existing_quote=f"公告称是{left}", existing_value=left, new_quote=right, new_value=right)
    made = contradiction(dispute, old, new, 0.8)
    assert isinstance(made, Contradiction)
    assert (made.left.text, made.left.kind, made.right.value) == (f"公告称是{left}。", kind, right)


def test_quotes_may_differ_in_space_and_case_only() -> None:
    text = "One thing. The  Fair\nopens at 9:40 on Monday. Another."
    assert sentence_with("the fair OPENS at 9:40", text) == "The  Fair\nopens at 9:40 on Monday."
    assert sentence_with("the fair opens at 9:45", text) == ""
    assert sentence_with("thing. The Fair", text) == "One thing. The  Fair"


def test_only_what_was_asked_is_in_the_schema_and_what_comes_anyway_is_passed_on() -> None:
    relations = (Relation.CONFLICT, Relation.RELATED)
    bench = Bench([{"relationships": [RELATED | {"relationship": "合并", "merge_strategy": "x"}]}])
    (one,) = bench.engine.analysis.run(given(relations=relations, lang="zh")).relationships
    assert one.relationship is Relation.MERGE  # the stage refuses and records it
    schema = bench.chat.requests[0].schema
    fields = schema["properties"]["relationships"]["items"]["properties"]
    assert fields["relationship"]["enum"] == ["conflict", "related", "unrelated"]
    details = [next(iter(one.get("properties", {"null": 0}))) for one in fields["details"]["anyOf"]]
    assert details == ["contradictions", "context_update_new", "null"], "strict servers refuse two that begin alike"
    assert "merge" not in bench.chat.requests[0].messages[0].content


@pytest.mark.parametrize(
    ("answered", "relationship", "same"),
    TABLES["a_conflict_says_whether_its_memories_are_about_one_subject_where_the_model_did"],
)
def test_a_conflict_says_whether_its_memories_are_about_one_subject_where_the_model_did(
    answered: dict[str, object], relationship: str, same: bool | None
) -> None:
    bench = Bench([{"relationships": [CONFLICT | {"relationship": relationship, "details": answered}]}])
    (one,) = bench.engine.analysis.run(given(OLD)).relationships
    assert one.same_subject is same


@pytest.mark.parametrize(("max_tokens", "pairs"), [(4_096, [35]), (2_000, [25, 10])])
def test_a_call_judges_as_many_pairs_as_its_answer_holds(max_tokens: int, pairs: list[int]) -> None:
    nodes = tuple(NodeInfo(summary=f"Fact {n}.", context=f"topic {n}", keywords=()) for n in range(35))
    bench = Bench(lambda _: {"relationships": []}, max_tokens=max_tokens)
    bench.engine.analysis.run(given(*nodes))
    assert [len(re.findall(r"A-\d+", prompt)) for prompt in bench.prompts] == pairs
    shown = re.compile(r'<memory label="\d+">\n(?:Topic|主题)[:：]')
    assert {len(shown.findall(prompt)) for prompt in bench.prompts} == {35}, "in each all that is known"


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["unrelated", "conflict", "merge"], Relation.CONFLICT),
        (["merge", "unrelated", "unrelated"], Relation.RELATED),
        (["merge"], Relation.MERGE),
        (["unrelated", "related"], Relation.RELATED),
    ],
)
def test_memories_too_long_to_stand_side_by_side_are_compared_in_parts(verdicts: list[str], expected: Relation) -> None:
    long_old, long_new = (
        NodeInfo(summary=" ".join(f"{age} fact {n} is so." for n in range(400)), context=age, keywords=())
        for age in ("Old", "New")
    )
    seen: list[tuple[str, str]] = []

    def judge(request: Any) -> object:
        old, new = re.findall(r"Summary: (.*)\n</memory>", request.messages[-1].content)
        seen.append((new, old))
        verdict = verdicts[min(len(seen), len(verdicts)) - 1]
        return {"relationships": [RELATED | {"pair": "A-0", "relationship": verdict}]}

    bench = Bench(judge, context=4_000)
    found = bench.engine.analysis.run(AnalysisInput(new=long_new, candidates=(long_old,))).relationships
    assert [(one.existing, one.relationship) for one in found] == [(0, expected)]
    assert len(seen) == len(set(seen)) > 1
    assert " ".join(dict.fromkeys(new for new, _ in seen)) == long_new.summary
    first_new = seen[0][0]
    assert " ".join(old for new, old in seen if new == first_new) == long_old.summary
    assert max(bench.sizes()) <= 4_000


def test_of_a_long_existing_memory_stands_what_bears_on_the_new_one() -> None:
    painted = "of the laboratory was painted blue by the students in their spare time."
    walls = " ".join(f"Wall {n} {painted}" for n in range(300))
    long = NodeInfo(
        summary=f"A tour of the laboratory. {walls * 6} Condor has 1,121 superconducting qubits. {walls}",
        context="The laboratory",
        keywords=("tour",),
    )
    bench = Bench([{"relationships": [CONFLICT]}])
    (conflict,) = bench.engine.analysis.run(given(long)).relationships
    (prompt,) = bench.prompts
    assert len(prompt) < 0.6 * len(long.summary)
    assert "Condor has 1,121 superconducting qubits." in prompt
    assert "only a part is shown" in prompt
    (point,) = conflict.contradictions
    assert point.left.text == "Condor has 1,121 superconducting qubits.", "the sentence as the memory has it"
