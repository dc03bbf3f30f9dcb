from __future__ import annotations

import re
from typing import Any

from hypothesis import given as example
from hypothesis import settings
from hypothesis import strategies as st

from memorybank.engines.llm.integration import aligned
from memorybank.llm.base import ChatRequest
from memorybank.memory.contracts import IntegrationInput, NeighborInfo, NodeInfo, NodeWithNeighbors, PairVerdict
from memorybank.memory.types import Claim, ConflictStatus, Contradiction
from tests.engines.llm.scripted import Bench

CHIPS = NeighborInfo(ref=0, context="Quantum chips of 2023 (Condor has 433 qubits)", keywords=("chips", "433"))
ERRORS = NeighborInfo(ref=1, context="Error correction", keywords=("errors",))
OLD_TEXT = "IBM unveiled Condor in December 2023. Condor has 433 qubits."
OLD = NodeWithNeighbors(summary=OLD_TEXT, context="IBM's Condor", keywords=("IBM", "Condor"), neighbors=(CHIPS,))
NEW = NodeWithNeighbors(
    summary="Condor has 1,121 qubits and uses cross-resonance gates.",
    context="The Condor processor",
    keywords=("condor", "gates"),
    neighbors=(CHIPS, ERRORS),
)
CLAIMS = [
    Claim(text=f"Condor has {value} qubits", kind="number", subject="Condor", attribute="qubits", value=value)
    for value in ("433", "1,121")
]
VERDICT = PairVerdict(
    left=0,
    right=1,
    status=ConflictStatus.RESOLVED,
    winner="right",
    value="1,121",
    reasoning="Two independent reports say 1,121.",
    contradictions=(Contradiction(left=CLAIMS[0], right=CLAIMS[1], reason="one number", confidence=0.9),),
)
ANSWER: dict[str, Any] = {
    "reasoning": "Both are about Condor; 1,121 was confirmed.",
    "summary": "IBM unveiled Condor in December 2023; it has 1,121 qubits and uses cross-resonance gates.",
    "context": "IBM's Condor\nprocessor",
    "keywords": ["Condor", "IBM", "condor", "1,121 qubits"],
    "neighbor_updates": [{"neighbor": 0, "context": "Quantum chips of 2023", "keywords": ["chips"]}],
    "description": "Two memories on Condor were united; 433 was corrected to 1,121.",
}


def given(**changes: Any) -> IntegrationInput:
    values: dict[str, Any] = {"nodes": (OLD, NEW), "trigger": "conflict", "verdicts": (VERDICT,)}
    return IntegrationInput(**values | changes)


def test_a_conflict_is_united_in_one_call_by_its_verdict() -> None:
    bench = Bench([ANSWER])
    neither = VERDICT.model_copy(update={"conflict": "c2", "winner": "", "status": ConflictStatus.BOTH_WRONG})
    report = "Nature and Ars Technica both give 1,121."
    made = bench.engine.integration.run(given(validation_result=report, verdicts=(VERDICT, neither)))
    for told in (report, "Verdict: the right one holds. What holds: 1,121", "Verdict: neither holds."):
        assert told in bench.prompts[0]
    assert bench.prompts[0].count(VERDICT.reasoning) == 1, "reasons that two conflicts share stand once"
    assert made.summary == ANSWER["summary"]
    assert made.context == "IBM's Condor processor"
    assert made.keywords == ("Condor", "IBM", "1,121 qubits")
    (near,) = made.neighbor_updates
    assert (near.ref, near.context, near.keywords) == (0, "Quantum chips of 2023", ("chips",))
    assert made.interaction_tree_description == ANSWER["description"]
    assert bench.notes == []
    assert bench.chat.requests[0].temperature == 0.2


def test_several_unions_are_asked_for_in_one_call_each_with_what_is_said_of_its_neighbours() -> None:
    updates = [{"neighbor": number, "context": f"near {number}", "keywords": []} for number in (1, 0)]
    other = {"summary": "Errors fell.", "context": "Errors", "keywords": []}
    bench = Bench([{"unions": [ANSWER, other], "neighbor_updates": updates}])
    second = PairVerdict(**VERDICT.model_dump() | {"left": 2, "right": 3, "conflict": "c2"})
    alone = OLD.model_copy(update={"neighbors": (ERRORS,)})
    request = given(nodes=(OLD, OLD, alone, alone), sizes=(2, 2), verdicts=(VERDICT, second))
    made = bench.engine.integration.run(request)
    assert [made.summary, *(union.summary for union in made.further)] == [ANSWER["summary"], "Errors fell."]
    assert [[one.ref for one in union.neighbor_updates] for union in (made, *made.further)] == [[0], [1]]
    (prompt,) = bench.prompts
    assert "Unite the memories 0 and 1 into one, and 2 and 3 into one." in prompt
    assert "- Memory 2 (left) and memory 3 (right)" in prompt


def test_without_neighbours_none_is_asked_for() -> None:
    bench = Bench([ANSWER])
    alone = tuple(node.model_copy(update={"neighbors": ()}) for node in (OLD, NEW))
    assert bench.engine.integration.run(given(nodes=alone)).neighbor_updates == ()
    (request,) = bench.chat.requests
    assert "neighbor_updates" not in request.schema["properties"]
    assert "eighbo" not in "".join(message.content for message in request.messages)


def test_neighbours_that_were_not_shown_are_refused() -> None:
    updates = [
        {"neighbor": 5, "context": "x", "keywords": ["x"]},
        {"neighbor": "[1]", "context": "", "keywords": None},
        {"neighbor": 1, "context": "again", "keywords": []},
    ]
    bench = Bench([ANSWER | {"neighbor_updates": updates}])
    made = bench.engine.integration.run(given())
    (near,) = made.neighbor_updates
    assert (near.ref, near.context, near.keywords) == (1, "Error correction", ("errors",))
    assert bench.notes == [f"integration: unknown or repeated neighbour {number}" for number in (5, 1)]


def test_an_answer_with_the_bare_minimum_is_completed() -> None:
    made = Bench([{"summary": "Condor has 1,121 qubits."}]).engine.integration.run(given())
    assert made.context == NEW.context
    assert made.keywords == ("condor", "gates", "IBM")
    assert made.neighbor_updates == (), "what nothing is said of stays as it was"
    assert made.interaction_tree_description == "2 memories were united."


def test_long_nodes_are_united_in_parts_with_nothing_left_out() -> None:
    def node(source: str) -> NodeWithNeighbors:
        said = " ".join(f"{source} says that site {n} has {n * 3} wells." for n in range(160))
        return NodeWithNeighbors(summary=said, context=f"Wells by {source}", keywords=(source,), neighbors=(CHIPS,))

    bench = Bench(
        lambda request: ANSWER | {"summary": " ".join(_summaries(request.messages[-1].content))}, context=6_000
    )
    nodes = (node("Ann"), node("Ben"))
    made = bench.engine.integration.run(given(nodes=nodes, trigger="merge", verdicts=()))
    assert len(bench.prompts) > 1
    assert max(bench.sizes()) <= 6_000
    for one in nodes:
        for n in range(160):
            sentence = f"{one.keywords[0]} says that site {n} has {n * 3} wells."
            assert made.summary.count(sentence) == 1
    # What speaks of the same site stands in the same part.
    for prompt in bench.prompts:
        sites = [set(re.findall(r"site (\d+) ", said)) for said in _summaries(prompt)]
        assert sites[0] == sites[1]
    assert ["Quantum chips" in prompt for prompt in bench.prompts] == [True] + [False] * (len(bench.prompts) - 1)
    assert made.interaction_tree_description == ANSWER["description"]
    assert "in" in bench.notes[-1]


def test_neighbours_without_room_beside_a_long_report_are_asked_about_apart() -> None:
    neighbors = tuple(NeighborInfo(ref=n, context=f"Topic {n} and more of it", keywords=("word",)) for n in range(400))
    nodes = (OLD.model_copy(update={"neighbors": neighbors}), NEW.model_copy(update={"neighbors": ()}))

    def answer(request: ChatRequest) -> dict[str, Any]:
        numbers = [int(found) for found in re.findall(r"^\[(\d+)\] \(of", request.messages[-1].content, re.MULTILINE)]
        said = [{"neighbor": n, "context": f"Topic {n}", "keywords": []} for n in numbers]
        return ANSWER | {"neighbor_updates": said}

    bench = Bench(answer, context=5_000)
    made = bench.engine.integration.run(given(nodes=nodes, validation_result="The report goes on. " * 2_000))
    assert [one.ref for one in made.neighbor_updates] == list(range(400)), "every one is asked about, once"
    assert {one.context for one in made.neighbor_updates} == {f"Topic {n}" for n in range(400)}
    first, *further = bench.prompts
    assert "The report goes on." in first
    assert len(further) > 1
    assert all(ANSWER["summary"] in prompt and "The new memory:" in prompt for prompt in further)
    assert max(bench.sizes()) <= 5_000
    assert any("report did not fit" in note for note in bench.notes)


def _summaries(prompt: str) -> list[str]:
    return re.findall(r"Summary: (.*?)\n</memory>", prompt, re.DOTALL)


TEXTS = st.lists(st.text(alphabet="ab1 .。\n", max_size=80), min_size=2, max_size=4)


@settings(max_examples=80, deadline=None)
@example(texts=TEXTS, limit=st.integers(4, 60))
def test_every_statement_is_in_exactly_one_part(texts: list[str], limit: int) -> None:
    nodes = [NodeInfo(summary=text, context=f"c{n}", keywords=()) for n, text in enumerate(texts)]
    parts = list(aligned(nodes, limit, len))
    for place, text in enumerate(texts):
        said = "".join(part[place].summary for part in parts)
        assert sorted("".join(said.split())) == sorted("".join(text.split()))
    assert all(len(part) == len(nodes) for part in parts)
    if len(parts) > 1:
        assert all(sum(len(node.summary.replace("\n", "")) for node in part) <= limit for part in parts)
