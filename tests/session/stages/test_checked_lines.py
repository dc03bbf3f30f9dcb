"""A verdict without a merge stands in both nodes as a checked line, and what it refutes leaves them or is marked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.contradiction.checks import MARK_RE
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput
from memorybank.memory.events import ConflictClosed, NodeDescribed, NodesMerged, PromptEnhanced
from memorybank.memory.types import Claim, ConflictId, ConflictStatus, Contradiction, Lang, Node, NodeId, TaskStatus
from memorybank.retrieval.recall import embed_nodes
from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import load, state_at
from memorybank.session.session import Session
from memorybank.session.stages.checked_lines import DecidedPoint, PairRuling, _corrected
from memorybank.tools.deep_retrieval import as_json, view
from tests.scripted import Analysis, Failing, facts, parts, source

RIGHT = "willow qubits: 105\nwillow maker: Google\n"
WRONG = "willow qubits: 98\nwillow colour: blue\n"
GOAL = "How many qubits has Willow?"


class QuotingAnalysis(Analysis):
    """Takes claims apart, as an engine that can quote does."""

    def run(self, given: AnalysisInput) -> AnalysisOutput:
        said = super().run(given)
        found = []
        for one in said.relationships:
            comparison = given.comparisons[one.new]
            new, old = facts(comparison.new.summary), facts(comparison.candidates[one.existing].summary)
            points = tuple(
                Contradiction(left=claim(key, old[key]), right=claim(key, new[key]), reason=key, confidence=1.0)
                for key in old
                if one.relationship == "conflict" and key in new and old[key] != new[key]
            )
            found.append(one.model_copy(update={"contradictions": points}))
        return AnalysisOutput(relationships=tuple(found))


def claim(key: str, value: str, **more: Any) -> Claim:
    subject, _, attribute = key.partition(" ")
    return Claim(text=f"{key}: {value}", kind="number", subject=subject, attribute=attribute, value=value, **more)


def play(folder: Path, *texts: str, world: str, quotes: bool = True, lang: Lang = "en") -> Session:
    ready = parts(world={"willow qubits": world}, lang=lang, failing={"integration": lambda given: True})
    if quotes:
        ready.engine.analysis = QuotingAnalysis()  # type: ignore[misc]
    sources = [source(text, f"note{number}.txt") for number, text in enumerate(texts, start=1)]
    session = Session.start(folder, ready, goal=GOAL, sources=sources)
    session.run()
    return session


def unmarked(text: str) -> str:
    """Without checked lines; a memory whose first line is one that speaks against the rest is marked as a whole."""
    blocks = re.split(r"(?=^(?:Memory|记忆) \d+)", text, flags=re.MULTILINE)
    marked = ("does not hold", "不成立")
    kept = [one for one in blocks if not any(word in one for word in marked)]
    return "\n".join(line for one in kept for line in one.splitlines() if not MARK_RE.search(line))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize(
    ("world", "refuted"), [("105", ["98"]), ("98", ["105"]), ("72", ["98", "105"])], ids=["left", "right", "third"]
)
def test_a_failed_integration_leaves_the_verdict_in_both_nodes(
    run_dir: Path, world: str, refuted: list[str], quotes: bool, lang: Lang
) -> None:
    with play(run_dir, RIGHT, WRONG, world=world, quotes=quotes, lang=lang) as session:
        bank, events = session.bank, [record.event for record in session.records]
        (conflict,) = bank.conflicts.all.values()
        assert conflict.status is ConflictStatus.CHECKED
        assert conflict.value == world
        assert not any(isinstance(event, NodesMerged) for event in events)
        assert session.result.result == "complete_with_failures"
        (failed,) = [task for task in bank.doc.completed_tasks if task.status is TaskStatus.FAILED]
        assert failed.type == "CROSS_VALIDATE"
        assert len(bank.graph.nodes) == 2
        assert len(bank.graph.edges()) == 1
        for node in bank.graph.nodes.values():
            (line,) = [one for one in node.summary.splitlines() if MARK_RE.match(one)]
            assert world in line
            assert re.search(r"\[.+\]", line), "the line names its sources"
            text = (node.summary, node.context, node.keywords)
            assert [node.vector] == embed_nodes(session.parts.embedder, [text]), "it is found by what it says now"
            if quotes:
                assert not any(value in f"{node.summary}{node.context}{node.keywords}" for value in refuted)
        assert "willow colour: blue" in "".join(node.summary for node in bank.graph.nodes.values()), "all else stays"
        (described, _) = [event for event in events if isinstance(event, NodeDescribed) and event.conflict_ids]
        assert "willow qubits: 105" in described.summary_before

        session.ask("And its colour?")
        session.run()
        prompts = [record.event.prompt for record in session.records if isinstance(record.event, PromptEnhanced)]
        memories = [prompt.partition("<memory>")[2] for prompt in prompts[1:]]
        assert len(memories) >= 2
        for memory in memories:
            assert not any(value in unmarked(memory) for value in refuted)
        raw = json.dumps([as_json(view(bank, node_id)) for node_id in bank.graph.nodes])
        assert all(value in raw for value in refuted if value != "72"), "the raw text keeps everything"
        assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


@pytest.mark.parametrize("world", ["105", "98", "72"])
def test_of_three_in_conflict_what_won_here_and_lost_there_does_not_stand(run_dir: Path, world: str) -> None:
    texts = ["willow qubits: 105\n", "willow qubits: 98\n", "willow qubits: 72\n"]
    with play(run_dir, *texts, world=world) as session:
        bank = session.bank
        assert {one.status for one in bank.conflicts.all.values()} == {ConflictStatus.CHECKED}
        for node in bank.graph.nodes.values():
            assert world in node.summary
            assert not any(value in node.summary for value in {"105", "98", "72"} - {world})


def test_a_pair_that_is_checked_is_not_raised_again_but_new_evidence_is(run_dir: Path, tmp_path: Path) -> None:
    with play(run_dir, RIGHT, WRONG, world="105") as session:
        session.add(source("willow cooling: helium\n", "later.txt"))
        session.run()
        assert len(session.bank.conflicts.all) == 1
        session.add(source("willow qubits: 98\n", "again.txt"))
        session.run()
        assert len(session.bank.conflicts.all) > 1
        exported = json.dumps(to_json(session.bank))
        closed = [record.event for record in session.records if isinstance(record.event, ConflictClosed)]
        assert [one.status for one in closed] == [ConflictStatus.CHECKED]
    with Session.start(tmp_path / "copy", parts(), memory=exported) as copy:
        assert to_json(copy.bank)["conflicts"][0]["status"] == "checked"


NODE = Node(id=NodeId("n1"), summary="", context="Arches", keywords=("Kessel viaduct", "42 arches"))
LOST = Claim(
    text="The Kessel viaduct has 42 stone arches.",
    kind="number",
    subject="Kessel viaduct",
    attribute="stone arches",
    value="42",
)
WON = Claim(
    text="The Kessel viaduct has 24 stone arches.", kind="number", subject="Kessel viaduct", attribute="", value="24"
)
LINE = "Checked (c1): The Kessel viaduct has 24 stone arches. [guide.md]"
AGAINST = f"{LINE} What this memory says against it does not hold."


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("The Kessel viaduct has 42 stone arches. It is long.", f"It is long.\n{LINE}"),
        ("Walk there.\nThe Kessel viaduct has\n42 stone arches.", f"Walk there.\n{LINE}"),
        ("It is long.\nThe 42 stone arches of the Kessel viaduct are old.", f"It is long.\n{LINE}"),
        ("The Kessel viaduct has 42 rails.", f"{AGAINST}\nThe Kessel viaduct has 42 rails."),
        ("The Kessel viaduct has 42 stone arches. The 42 are old.", f"{AGAINST}\nThe 42 are old."),
        ("The Kessel viaduct has 42 stone arches. A train has 142 seats.", f"A train has 142 seats.\n{LINE}"),
        ("It has a great many.", f"{AGAINST}\nIt has a great many."),
    ],
    ids=["claim", "wrapped", "reworded", "another attribute", "value left", "part of a number", "not found"],
)
def test_what_is_refuted_leaves_or_is_marked(summary: str, expected: str) -> None:
    point = DecidedPoint(won=WON, lost=((NODE.id, LOST),))
    ruling = PairRuling(
        conflict_id=ConflictId("c1"),
        nodes=(NodeId("n2"), NODE.id),
        losers=(NODE.id,),
        points=(point,),
        sources=("guide.md",),
    )
    told, context, keywords = _corrected(replace(NODE, summary=summary), [ruling], "en")
    assert told == expected
    assert (context, keywords) == ("Arches", ("Kessel viaduct",))


def test_a_verdict_outlives_the_undoing_of_a_merge_beside_it(run_dir: Path) -> None:
    """It is written because of no other node, so no merge takes it back."""
    with play(run_dir, RIGHT, WRONG, world="105") as session:
        failing = session.parts.engine.integration
        assert isinstance(failing, Failing)
        failing.when = lambda given: False
        session.add(source("willow maker: Google\n", "maker.txt"))
        session.run()
        (merge,) = session.bank.tree.merge_events
        session.undo_merge(merge)
        nodes = session.bank.graph.nodes.values()
        assert sum("Checked (c1)" in node.summary for node in nodes) == 2
