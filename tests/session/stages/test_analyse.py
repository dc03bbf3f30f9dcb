"""The stage `analyse`: what becomes of the agent's judgements."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memorybank.memory.contracts import (
    AnalysisInput,
    AnalysisOutput,
    IntegrationInput,
    IntegrationOutput,
    Relationship,
)
from memorybank.memory.events import RelationsJudged
from memorybank.memory.types import ConflictStatus, NodeId, Relation
from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import load, state_at
from memorybank.session.session import Session
from tests.scripted import Analysis, Failing, QuotingAnalysis, WorldExecutor, numbered, parts


@dataclass
class Told:
    """The rules of the scripted engine, with each answer changed."""

    change: Callable[[AnalysisOutput], AnalysisOutput]
    asked: list[AnalysisInput] = field(default_factory=list)

    def run(self, given: AnalysisInput) -> AnalysisOutput:
        self.asked.append(given)
        return self.change(Analysis().run(given))


@dataclass
class Words:
    """Two nodes that share a word are the same, others unrelated; united they say what is left of a template."""

    united: str
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def run(self, given: AnalysisInput) -> AnalysisOutput:
        judged = []
        for number, comparison in enumerate(given.comparisons):
            self.asked.append((comparison.new.summary, tuple(old.summary for old in comparison.candidates)))
            for place, old in enumerate(comparison.candidates):
                same = bool(set(old.summary.split()) & set(comparison.new.summary.split()))
                relation = Relation.MERGE if same else Relation.UNRELATED
                judged.append(Relationship(new=number, existing=place, reasoning="", relationship=relation))
        return AnalysisOutput(relationships=tuple(judged))


class Uniting:
    def __init__(self, summary: str) -> None:
        self._summary = summary

    def run(self, given: IntegrationInput) -> IntegrationOutput:
        return IntegrationOutput(
            summary=self._summary, context="united", keywords=(), interaction_tree_description="united"
        )


@pytest.mark.parametrize(
    ("united", "asked"),
    [
        ("Olaf has 4 red boats", False),
        ("Four boats of Olaf", False),
        ("Olaf has 5 red boats", True),
        ("Olaf has 4 red boats since May 2021", True),
        ("Olaf has 4 red boats in Bergen", True),
    ],
)
def test_what_all_parts_are_unrelated_to_is_asked_again_only_on_a_new_value(
    tmp_path: Path, united: str, asked: bool
) -> None:
    made, words = parts(), Words(united)
    made.engine.analysis = words  # type: ignore[misc]
    made.engine.integration = Uniting(united)  # type: ignore[misc]
    texts = numbered("the tower leans", "Olaf has 4 boats", "boats red of Olaf")
    with Session.start(tmp_path / "run", made, goal="", sources=texts) as session:
        session.run()
        bank = session.bank
        judged = [record.event for record in session.records if isinstance(record.event, RelationsJudged)]
    assert sorted(node.summary for node in bank.graph.nodes.values()) == sorted([united, "the tower leans"])
    assert ((united, ("the tower leans",)) in words.asked) is asked
    (last,) = [event for event in judged if event.node_id == "n4"]
    assert [one.relation for one in last.relations] == [Relation.UNRELATED], "it is recorded all the same"


def test_new_nodes_are_asked_about_together_and_after_a_failure_one_by_one(tmp_path: Path) -> None:
    texts = [f"subject{number} colour: blue\n" for number in range(13)]

    def judged(folder: Path, failing: Callable[[AnalysisInput], bool]) -> tuple[list[int], dict[str, int], int]:
        """(nodes of each call, relations judged by node, nodes that were not compared)."""
        made = parts(failing={"analysis": failing})
        with Session.start(folder, made, goal="", sources=numbered("\n\n".join(texts))) as session:
            session.run()
            agent = made.engine.analysis
            assert isinstance(agent, Failing)
            relations = {
                record.event.node_id: len(record.event.relations)
                for record in session.records
                if isinstance(record.event, RelationsJudged)
            }
            return [len(given.comparisons) for given in agent.asked], relations, len(session.bank.uncompared())

    whole = judged(tmp_path / "whole", lambda given: False)
    assert whole[0] == [10, 2], "the first node has nothing to be compared with"
    apart = judged(tmp_path / "apart", lambda given: len(given.comparisons) > 1)
    assert apart == ([10, 2, *[1] * 12], whole[1], 0)
    one = judged(tmp_path / "one", lambda given: any("subject3" in each.new.summary for each in given.comparisons))
    assert one[0] == [10, 2, *[1] * 10]
    assert one[2] == 1
    assert {node for node in whole[1] if one[1][node] != whole[1][node]} == {"n4"}


def test_a_conflict_keeps_whether_its_memories_are_about_one_subject(tmp_path: Path) -> None:
    def apart(output: AnalysisOutput) -> AnalysisOutput:
        changed = (one.model_copy(update={"same_subject": False}) for one in output.relationships)
        return AnalysisOutput(relationships=tuple(changed))

    made = parts()
    made.engine.analysis = Told(apart)  # type: ignore[misc]
    texts = numbered("willow qubits: 105\n", "willow qubits: 98\n")
    with Session.start(tmp_path / "run", made, goal="", sources=texts) as session:
        session.run_until(lambda report: report.stage == "analyse")
        (conflict,) = session.bank.conflicts.open()
        assert not conflict.same_subject
        exported = json.dumps(to_json(session.bank))
    with Session.start(tmp_path / "copy", parts(), memory=exported) as copy:
        (conflict,) = copy.bank.conflicts.open()
        assert not conflict.same_subject


# -- judged the same while a conflict is open -------------------------------------------------------------------------

RIGHT, WRONG, ALIKE = (
    "willow qubits: 105\n",
    "willow qubits: 98\nwillow maker: Google\n",
    "willow maker: Google\nlog date: Tuesday\n",
)


@pytest.mark.parametrize(
    ("verdict", "unites", "nodes"),
    [
        ("105", True, 1),
        ("98", True, 1),
        ("105", False, 2),  # the sides stay apart, and what they say was refuted in one of them
        ("", True, 2),
        ("none", True, 2),
    ],
    ids=["left holds", "right holds", "checked", "not decided", "no verdict twice"],
)
def test_a_pair_judged_the_same_while_one_is_in_a_conflict_is_united_when_it_closes(
    run_dir: Path, verdict: str, unites: bool, nodes: int
) -> None:
    """Of three memories the second and the third say the same, and the first contradicts the second."""
    silent = verdict == "none"
    executor = WorldExecutor(
        {"willow qubits": verdict} if verdict and not silent else {},
        say=lambda given: "<answer>I saw nothing.</answer>" if silent and given.briefs else None,
    )
    failing = {"integration": lambda given: given.trigger == "conflict" and not unites}
    ready = parts(executor=executor, failing=failing)
    ready.engine.analysis = QuotingAnalysis()  # type: ignore[misc]
    with Session.start(run_dir, ready, goal="How many?", sources=numbered(RIGHT, WRONG, ALIKE)) as session:
        session.run_until(lambda report: report.stage == "analyse")
        bank = session.bank
        assert (len(bank.graph.nodes), len(bank.graph.same)) == (3, 1), "it is in a conflict, and is remembered"
        session.run()
        bank = session.bank
    (conflict,) = bank.conflicts.all.values()
    assert conflict.status is not ConflictStatus.OPEN
    assert len(bank.graph.nodes) == nodes
    assert bank.graph.successor(NodeId("n2")) == bank.graph.successor(NodeId("n3"))
    assert not bank.graph.same
    merged = bank.graph.nodes[bank.graph.successor(NodeId("n3"))]
    assert "log date: Tuesday" in merged.summary
    if not unites:
        assert [mark.words for check in merged.checks for mark in check.refuted] == ["98"], "it keeps what was refuted"
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


def test_a_merge_that_a_person_took_back_is_not_taken_up(run_dir: Path) -> None:
    ready = parts(world={})
    with Session.start(run_dir, ready, goal="", sources=numbered(WRONG, ALIKE)) as session:
        session.run()
        session.undo_merge("m1")
        session.add(*numbered(RIGHT))
        session.ask("How many?")
        session.run()
        assert {conflict.status for conflict in session.bank.conflicts.all.values()} == {ConflictStatus.INCONCLUSIVE}
        assert {"n1", "n2"} <= session.bank.graph.nodes.keys()
