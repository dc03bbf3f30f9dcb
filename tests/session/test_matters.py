"""One verdict on a matter becomes one on each of its conflicts, with the evidence as that pair sees it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from memorybank.memory.events import NodesLinked
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Evidence, NodeId
from memorybank.session.markup import verdicts_of
from memorybank.session.matters import matters_of
from tests.contradiction.disputes.test_disputes import bank_with, qubits


def condor() -> MemoryState:
    """1,121 in two memories, 1,112 in one, 1,211 in one: each against each."""
    own = [qubits("Condor", value) for value in ("1,121", "1,121", "1,112", "1,211")]
    pairs = [(0, 2), (1, 2), (2, 3), (0, 3)]
    return bank_with(*((left + 1, right + 1, [(own[left], own[right])]) for left, right in pairs))


def stated(bank: MemoryState, evidence: list[dict[str, Any]], **verdict: Any) -> dict[str, tuple[str, str, str]]:
    body = json.dumps({"matter": "m1", "evidence": evidence, "reasoning": "r", **verdict})
    verdicts, unread = verdicts_of(f"<verdict>{body}</verdict>", matters_of(bank))
    assert not unread
    claims = {verdict.conflict: verdict.claims[0] for verdict in verdicts}
    return {name: (claim.status.value, claim.winner, claim.value) for name, claim in claims.items()}


def test_positions_in_other_words_are_one_where_the_analysis_linked_their_memories() -> None:
    said = [replace(qubits("Beetle", value), kind="text") for value in ("no flyer", "a flyer", "flightless")]
    bank = bank_with((1, 2, [(said[0], said[1])]), (3, 2, [(said[2], said[1])]))
    assert [list(each.positions) for each in matters_of(bank)] == [["A", "B", "C"]]
    bank.apply(NodesLinked(left=NodeId("n1"), right=NodeId("n3"), reason="both say that it cannot"), 1.0)
    (matter,) = matters_of(bank)
    assert {letter: own.node_ids for letter, own in matter.positions.items()} == {"A": ("n1", "n3"), "B": ("n2",)}


def test_a_verdict_on_a_matter_rules_on_each_of_its_pairs() -> None:
    assert stated(condor(), [], holds=["A"], value="1,121") == {
        "c1": ("resolved", "left", "1,121"),
        "c2": ("resolved", "left", "1,121"),
        "c3": ("both_wrong", "", "1,121"),
        "c4": ("resolved", "left", "1,121"),
    }
    assert set(stated(condor(), [], holds=[]).values()) == {("inconclusive", "", "")}
    assert stated(condor(), [], holds="A and B", value="v")["c1"] == ("false_alarm", "", "v")
    assert stated(condor(), [], matter="[M1]", holds="A")["c4"] == ("resolved", "left", "1,121 qubits")
    assert verdicts_of('<verdict>{"matter": ["m1"]}</verdict>')[1] == ("matter: Input should be a valid string",)


def test_a_passage_is_a_vote_where_it_is_no_document_of_the_pair_and_repeats_none() -> None:
    pieces = [{"source": f"{number}.md", "quote": f"q{number}", "supports": ["A"]} for number in (1, 2)]
    pieces += [{"source": "copy.md", "quote": "q", "supports": ["A"], "repeats": "1.md"}]
    pieces += [{"source": "4.md", "quote": "q4", "supports": ["C"]}, {"source": "5.md", "quote": "q5", "value": "7"}]
    body = json.dumps({"matter": "m1", "evidence": pieces, "holds": ["A"]})
    verdicts = {one.conflict: one for one in verdicts_of(f"<verdict>{body}</verdict>", matters_of(condor()))[0]}

    def told(piece: Evidence) -> tuple[str, str, bool]:
        return piece.supports, piece.value, piece.independent

    first = [told(piece) for piece in verdicts["c1"].evidence]
    joint = body.replace('["A"]}', '["A", "C"]}')
    held, *_ = verdicts_of(f"<verdict>{joint}</verdict>", matters_of(condor()))[0]
    assert [told(piece)[0] for piece in held.evidence] == ["left"] * 4 + ["other"], "what holds together is one side"
    assert first[1:] == [("left", "", True), ("left", "", False), ("other", "1,211 qubits", True), ("other", "7", True)]
