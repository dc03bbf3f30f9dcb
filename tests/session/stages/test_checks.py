"""What a check found is a value on its nodes: what holds, the evidence, marks on what does not. No summary changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import ConflictClosed, NodeDescribed, NodesMerged, PromptEnhanced
from memorybank.memory.types import Check, ConflictId, ConflictStatus, Evidence, Lang, Node, NodeId, TaskStatus
from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import load, state_at
from memorybank.session.checks import check_lines, marked_summary, refuted_in, ruled_points, standing_summary
from memorybank.session.markup import blocks_of
from memorybank.session.session import Session
from memorybank.session.stages.analyse import info
from memorybank.tools.deep_retrieval import as_json, view
from tests.made_events import claim, conflict
from tests.scripted import Failing, QuotingAnalysis, parts, source, start
from tests.tables import tables

TABLES = tables(__file__)


RIGHT = "willow qubits: 105\nwillow maker: Google\n"
WRONG = "willow qubits: 98\nwillow colour: blue\n"
GOAL = "How many qubits has Willow?"


def play(folder: Path, *texts: str, world: str, quotes: bool = True, lang: Lang = "en") -> Session:
    failing, analysis = {"integration": lambda given: True}, QuotingAnalysis() if quotes else None
    session = start(
        folder, *texts, goal=GOAL, world={"willow qubits": world}, lang=lang, failing=failing, analysis=analysis
    )
    session.run()
    return session


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize(
    ("world", "refuted"), [("105", ["98"]), ("98", ["105"]), ("72", ["105", "98"])], ids=["left", "right", "third"]
)
def test_a_failed_integration_leaves_the_check_on_both_nodes(
    run_dir: Path, world: str, refuted: list[str], quotes: bool, lang: Lang
) -> None:
    with play(run_dir, RIGHT, WRONG, world=world, quotes=quotes, lang=lang) as session:
        bank, events = session.bank, [record.event for record in session.records]
        (conflict,) = bank.conflicts.all.values()
        assert (conflict.status, conflict.value) == (ConflictStatus.CHECKED, world)
        assert conflict.parties is not None
        assert (conflict.parties.left, conflict.parties.right) == (("note1.txt",), ("note2.txt",))
        assert not any(isinstance(event, NodesMerged | NodeDescribed) for event in events)
        assert session.result.result == "complete_with_failures"
        (failed,) = [task for task in bank.doc.completed_tasks if task.status is TaskStatus.FAILED]
        assert failed.type == "CROSS_VALIDATE"
        left, right = bank.graph.nodes.values()
        assert [node.summary.strip() for node in (left, right)] == [RIGHT.strip(), WRONG.strip()], "no word has changed"
        assert left.links == (right.id,)
        for node in (left, right):
            (check,) = node.checks
            assert (check.conflict_id, check.state, check.evidence) == ("c1", ConflictStatus.CHECKED, conflict.evidence)
            assert world in check.holds
        marked = [node.summary[mark.start : mark.end] for node in (left, right) for mark in node.checks[0].refuted]
        assert marked == ([f"willow qubits: {value}" for value in refuted] if quotes else [])
        compared = [info(node, bank, lang, raw=True).text for node in (left, right)]
        assert not quotes or not any(f"qubits: {value}" in text for text in compared for value in refuted)

        session.ask("And its colour?")
        session.run()
        prompts = [record.event.prompt for record in session.records if isinstance(record.event, PromptEnhanced)]
        for memory in (body for prompt in prompts[1:] for body in blocks_of("memory", prompt)):
            for value in refuted if quotes else ():
                said = {"en": f"refuted by check c1: “{value}”", "zh": f"核实 c1 已否定：“{value}”"}[lang]
                assert memory.count(f"qubits: {value}") == memory.count(f"qubits: {value} [{said}]") + memory.count(
                    f"qubits: {value}［{said}］"
                ), "wherever it stands it is said to be refuted"
        raw = json.dumps([as_json(view(bank, node_id)) for node_id in bank.graph.nodes])
        assert all(value in raw for value in refuted if value != "72"), "the raw text keeps everything"
        assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


@pytest.mark.parametrize("world", ["105", "98", "72"])
def test_of_three_in_conflict_what_won_here_and_lost_there_does_not_hold(run_dir: Path, world: str) -> None:
    texts = ["willow qubits: 105\n", "willow qubits: 98\n", "willow qubits: 72\n"]
    with play(run_dir, *texts, world=world) as session:
        bank = session.bank
        assert {one.status for one in bank.conflicts.all.values()} == {ConflictStatus.CHECKED}
        for node in bank.graph.nodes.values():
            assert all(world in check.holds for check in node.checks)
            assert (standing_summary(node) == "") is (world not in node.summary)


def test_a_pair_that_is_checked_is_not_raised_again_but_new_evidence_is(run_dir: Path, tmp_path: Path) -> None:
    with play(run_dir, RIGHT, WRONG, world="105") as session:
        session.add(source("willow cooling: helium\n", "later.txt"))
        session.run()
        assert len(session.bank.conflicts.all) == 1
        session.add(source("willow qubits: 98\n", "again.txt"))
        session.run()
        assert len(session.bank.conflicts.all) > 1
        closed = [record.event for record in session.records if isinstance(record.event, ConflictClosed)]
        assert [one.status for one in closed] == [ConflictStatus.CHECKED]
        with Session.start(tmp_path / "copy", parts(), memory=json.dumps(to_json(session.bank))) as copy:
            told = [
                [(check.holds, check.refuted) for node in bank.graph.nodes.values() for check in node.checks]
                for bank in (copy.bank, session.bank)
            ]
            assert told[0] == told[1] != [], "checks travel with an export"


def test_a_check_outlives_a_merge_of_its_node_and_the_undoing_of_it(run_dir: Path) -> None:
    with play(run_dir, RIGHT, WRONG, world="105") as session:
        failing = session.parts.engine.integration
        assert isinstance(failing, Failing)
        failing.when = lambda given: False
        session.add(source("willow maker: Google\n", "maker.txt"))
        session.run()
        (merge,) = session.bank.tree.merge_events
        assert [node.checks[0].conflict_id for node in session.bank.graph.nodes.values()] == ["c1", "c1"]
        session.undo_merge(merge)
        assert sum(bool(node.checks) for node in session.bank.graph.nodes.values()) == 2


LOST = claim("42", "The viaduct has 42 stone arches, and it is long.")


@pytest.mark.parametrize(("summary", "standing"), TABLES["marks"].values(), ids=TABLES["marks"])
def test_a_refuted_sentence_is_marked_where_it_stands_and_left_out_where_memories_are_compared(
    summary: str, standing: str | None
) -> None:
    check = Check(conflict_id=ConflictId("c1"), state=ConflictStatus.CHECKED, winner="left", holds="It has 24.")
    check = replace(check, refuted=refuted_in(summary, [LOST]))
    node = Node(id=NodeId("n1"), summary=summary, context="", keywords=(), checks=(check,))
    assert standing_summary(node) == (summary if standing is None else standing.strip())
    marked = marked_summary(node, "en")
    if standing is None:
        assert marked == summary
    else:
        assert "it is long [refuted by check c1: “42”]." in marked, "before the mark that ends the sentence"
        assert marked.replace(" [refuted by check c1: “42”]", "") == summary, "nothing else has changed"
    ruled = conflict(LOST, LOST, status=check.state, winner="left", value="24")
    assert check_lines([node], {ruled.id: ruled}, "zh") == {"已核实（c1）：24。不成立：“42”": ["n1"]}
    passage = Evidence(source="a.md", quote="It has 24", supports="left", independent=True)
    said = replace(node, checks=(replace(check, evidence=(passage,)),))
    lines = {"Checked (c1): 24. Does not hold: “42”\n- “It has 24” [a.md]": ["n1", "n2"]}
    nodes = [said, replace(said, id=NodeId("n2"))]
    assert check_lines(nodes, {ruled.id: ruled}, "en") == lines, "once for both, and not twice"


@pytest.mark.parametrize(("value", "claimed", "quotes", "holds"), TABLES["holds"].values(), ids=TABLES["holds"])
def test_a_sentence_that_the_passage_beside_it_does_not_bear_out_gives_way_to_a_passage(
    value: str, claimed: str, quotes: list[str], holds: str
) -> None:
    found = conflict(*(claim(each, f"So {each}.", kind="text") for each in (claimed, "no")))
    evidence = tuple(
        Evidence(source=f"{number}.md", quote=quote, supports="left", independent=not number)
        for number, quote in enumerate(quotes)
    )
    verdict = StatedVerdict(
        conflict=found.id, status=ConflictStatus.RESOLVED, winner="left", value=value, evidence=evidence
    )
    (point,) = ruled_points(found, verdict, apart=False)
    assert point.check.holds == holds
