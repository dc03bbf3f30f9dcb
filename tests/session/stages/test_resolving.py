"""What a verdict has to stand on, which nodes become one by it, what is told of it, and names in place of node ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, StatedVerdict
from memorybank.memory.events import EntryRecorded
from memorybank.memory.state import MemoryState
from memorybank.memory.types import (
    ClaimVerdict,
    ConflictId,
    ConflictStatus,
    Entry,
    EntryId,
    EntryKind,
    Evidence,
    Lang,
    NodeId,
    Span,
    TaskType,
)
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.markup import verdicts_of
from memorybank.session.stages.executing import with_names
from memorybank.session.stages.resolving import mergeable
from memorybank.session.stages.uniting import components
from memorybank.settings.config import Preset, Settings
from tests.made_events import created
from tests.scripted import Failing, QuotingAnalysis, WorldExecutor, finished, parts, write_verdict
from tests.tables import tables

TABLES = tables(__file__)


def edge(left: str, right: str) -> tuple[NodeId, NodeId]:
    return NodeId(left), NodeId(right)


numbers = st.integers(min_value=1, max_value=7)
pairs = st.lists(st.tuples(numbers, numbers), max_size=12)


@given(pairs, pairs)
def test_no_group_holds_a_pair_left_apart(merging: list[tuple[int, int]], left_apart: list[tuple[int, int]]) -> None:
    edges = [edge(f"n{one}", f"n{other}") for one, other in merging]
    apart = {frozenset(edge(f"n{one}", f"n{other}")) for one, other in left_apart if one != other}
    united = mergeable(edges, apart)
    groups = components(united)
    assert not any(two <= set(group) for group in groups for two in apart)
    assert set(united) <= {one for one in edges if one[0] != one[1]}


NOTES = ("willow qubits: 105\n", "willow qubits: 98\n", "Counted anew in May, the register has one hundred and five.")


def stated(source_name: str, quote: str) -> Callable[[Assignment], str | None]:
    evidence = Evidence(source=source_name, quote=quote, supports="left")
    verdict = StatedVerdict(
        conflict=ConflictId("c1"), status=ConflictStatus.RESOLVED, winner="left", value="105", evidence=(evidence,)
    )
    return lambda given: f"<answer>{write_verdict(verdict)}</answer>" if given.briefs else None


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("name", "quote", "refused"), TABLES["a_verdict_whose_evidence_does_not_count_decides_nothing"]
)
def test_a_verdict_whose_evidence_does_not_count_decides_nothing(
    run_dir: Path, name: str, quote: str, refused: str, lang: Lang
) -> None:
    executor = WorldExecutor(say=stated(name, quote))
    session = finished(run_dir, *NOTES, goal="How many qubits?", executor=executor, lang=lang)
    (conflict,) = session.bank.conflicts.all.values()
    (piece,) = conflict.evidence
    assert (piece.quote, piece.refused, piece.independent) == (quote, refused, not refused), "it is kept, and marked"
    assert fingerprint(state_at(load(run_dir))) == fingerprint(session.bank)
    if refused:
        assert conflict.status is ConflictStatus.INCONCLUSIVE
        assert ("未得到证实" if lang == "zh" else "is not proven") in conflict.reason
        assert set(conflict.node_ids) <= session.bank.graph.nodes.keys(), "both stay"
        return
    assert conflict.status is ConflictStatus.RESOLVED
    merged = session.bank.graph.successor(conflict.node_ids[0])
    tree = session.bank.tree
    (span,) = [span for span in tree.validations[merged] if span.entry_id == piece.entry_id]
    assert tree.text(span) == quote, "the merged memory leads to what the verdict stands on"
    assert set(tree.sources_of(merged)) == {"note1.txt", "note2.txt"}, "and does not come from it"


@pytest.mark.parametrize(
    ("quote", "is_taken"), [("the register has one hundred and five", True), ("all say 105", False)]
)
def test_a_verdict_that_nobody_asked_for_is_taken_where_it_is_proven(run_dir: Path, quote: str, is_taken: bool) -> None:
    """In the last round the goal is answered; the conflict that is still open gets a verdict beside the answer."""
    verdict = StatedVerdict(
        conflict=ConflictId("c1"), status=ConflictStatus.RESOLVED, winner="left", value="105",
        evidence=(Evidence(source="note3.txt", quote=quote, supports="left"),),
    )  # fmt: skip
    executor = WorldExecutor(say=lambda given: f"<answer>105 qubits. {write_verdict(verdict)}</answer>")
    settings = replace(parts().settings, max_rounds=1)
    session = finished(run_dir, *NOTES, goal="How many qubits?", executor=executor, settings=settings)
    (conflict,) = session.bank.conflicts.all.values()
    assert (conflict.status is ConflictStatus.RESOLVED, conflict.status is ConflictStatus.OPEN) == (
        is_taken,
        not is_taken,
    )
    assert "105 qubits." in session.result.answer


def test_each_point_is_ruled_by_itself_and_kept(run_dir: Path) -> None:
    notes = ("willow qubits: 105\nwillow year: 2023\n", "willow qubits: 98\nwillow year: 2024\n", NOTES[2])
    piece = {"source": "note3.txt", "quote": "one hundred and five", "supports": "left", "contradictions": [0]}
    verdict = StatedVerdict.model_validate(
        {
            "conflict": "c1",
            "evidence": [piece],
            "claims": [
                {"contradiction": 0, "status": "resolved", "winner": "left", "value": "105"},
                {"contradiction": 1, "status": "resolved", "winner": "right", "value": "2024"},
            ],
        }
    )  # fmt: skip
    executor = WorldExecutor(say=lambda given: f"<answer>{write_verdict(verdict)}</answer>" if given.briefs else None)
    session = finished(run_dir, *notes, goal="How many qubits?", executor=executor, analysis=QuotingAnalysis())
    (conflict,) = session.bank.conflicts.all.values()
    assert [claim.status for claim in conflict.claims] == [ConflictStatus.RESOLVED, ConflictStatus.INCONCLUSIVE]
    assert (conflict.status, conflict.winner, conflict.value) == (ConflictStatus.RESOLVED, "left", "105")
    assert "point [1]" in conflict.reason
    qubits, year = disputes_of(session.bank)
    assert (qubits.status, year.status) == (ConflictStatus.RESOLVED, ConflictStatus.INCONCLUSIVE)


class OfTwoSubjects(QuotingAnalysis):
    """Says of every conflict that the two memories are about different things."""

    def run(self, given: AnalysisInput) -> AnalysisOutput:
        found = super().run(given).relationships
        return AnalysisOutput(relationships=tuple(one.model_copy(update={"same_subject": False}) for one in found))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("preset", [None, "final", "v3"])
def test_sides_about_different_subjects_unite_only_by_the_letter_of_the_specifications(
    run_dir: Path, preset: Preset | None, lang: Lang
) -> None:
    settings = Settings(engine="scripted", parallel_calls=1)
    settings = settings.with_preset(preset) if preset else settings
    notes = ("willow qubits: 105\nwillow maker: Google\n", "willow qubits: 98\nlog date: Tuesday\n", NOTES[2])
    executor = WorldExecutor(say=stated("note3.txt", "the register has one hundred and five"))
    played = {"settings": settings, "executor": executor, "lang": lang, "analysis": OfTwoSubjects()}
    session = finished(run_dir, *notes, goal="How many qubits?", **played)
    bank = session.bank
    (conflict,) = bank.conflicts.all.values()
    left, right = map(bank.graph.successor, conflict.node_ids)
    (piece,) = conflict.evidence
    assert not piece.refused
    read = [{span.entry_id for span in bank.tree.validations[node_id]} for node_id in (left, right)]
    assert all(piece.entry_id in entries for entries in read), "both lead to the evidence"
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)
    if preset:
        assert (conflict.status, left) == (ConflictStatus.RESOLVED, right)
        return
    assert conflict.status is ConflictStatus.CHECKED
    assert session.result.result == "complete", "nothing has failed"
    assert right in bank.graph.nodes[left].links
    loser = bank.graph.nodes[right]
    (check,) = loser.checks
    (mark,) = check.refuted
    assert loser.summary[mark.start : mark.end] == "willow qubits: 98"
    assert mark.words == "98"
    assert "log date: Tuesday" in loser.summary
    assert [(one.source, one.quote) for one in check.evidence] == [(piece.source, piece.quote)]
    assert check.holds == "willow qubits: 105"


@pytest.mark.parametrize(("further", "united"), [((), ["n1", "n2", "n3"]), (("log date: Monday\n",), ["n1", "n2"])])
def test_what_is_the_same_as_the_side_that_holds_goes_into_its_union_unless_another_conflict_is_open_on_it(
    run_dir: Path, further: tuple[str, ...], united: list[str]
) -> None:
    notes = ("willow qubits: 105\nwillow maker: Google\n", NOTES[1], "willow maker: Google\nlog date: Tuesday\n")
    reading = f"note{len(notes) + len(further) + 1}.txt"
    executor = WorldExecutor(say=stated(reading, "the register has one hundred and five"))
    told = (*notes, *further, NOTES[2])
    session = finished(run_dir, *told, goal="How many qubits?", executor=executor, analysis=QuotingAnalysis())
    first, *_ = session.bank.graph.merges.values()
    assert [source.id for source in first.sources] == united


TOLD = TABLES["told"]


@pytest.mark.parametrize("case", TOLD)
def test_the_insight_doc_and_the_planner_are_told_what_a_check_decided_or_why_it_did_not(
    run_dir: Path, case: str
) -> None:
    """Whatever the answer says in words; a verdict that is left in them beside the values is not read again."""
    verdict = StatedVerdict(
        conflict=ConflictId("c1"),
        status=ConflictStatus.FALSE_ALARM if case == "both" else ConflictStatus.RESOLVED,
        winner="" if case == "both" else "left",
        value="105",
        reasoning={"both": "98 of them work.", "refused": "I have seen it."}.get(case, ""),
        evidence=(
            Evidence(
                source="note3.txt",
                quote="all say 105" if case == "refused" else "the register has one hundred and five",
                supports="left",
            ),
            *([Evidence(source="note2.txt", quote="willow qubits: 98", supports="right")] if case == "holds" else []),
        ),
        claims=(ClaimVerdict(contradiction=0, status=ConflictStatus.RESOLVED, winner="left", value="105"),)
        if case == "point"
        else (),
    )

    class Checks(WorldExecutor):
        def run(self, given: Assignment, fx: Effects) -> Execution:
            if not given.briefs:
                return super().run(given, fx)
            other = verdict.model_copy(update={"winner": "right", "value": "98"})
            answer = f"<answer>All is settled. {write_verdict(other)}</answer>"
            verdicts = () if case == "silent" else (verdict,)
            return Execution(answer=answer, transcript=answer, verdicts=verdicts, quotes_only=True)

    second = ("willow year: 2023\n", "willow year: 2024\n") if case == "point" else ("", "")
    notes = (NOTES[0] + second[0], NOTES[1] + second[1], NOTES[2])
    played = {"executor": Checks(), "analysis": QuotingAnalysis(), "failing": {"planning": lambda _: False}}
    session = finished(run_dir, *notes, goal="How many qubits?", **played)
    planner = session.parts.engine.planning
    assert isinstance(planner, Failing)
    tasks = [task for task in session.bank.doc.completed_tasks if task.type is TaskType.CROSS_VALIDATE]
    assert TOLD[case] in tasks[0].context
    assert "All is settled" not in "".join(task.context for task in tasks)
    told = [one.finished for one in planner.asked if one.finished and one.finished.type is TaskType.CROSS_VALIDATE]
    for finished_check in told:
        assert all(line in tasks[-1].context for line in finished_check.outcomes)
    assert told


def bank_with(*memories: tuple[str, ...], kind: EntryKind = "document", text: str = "A text.") -> MemoryState:
    """Node k stands on the documents of the k-th memory."""
    bank = MemoryState()
    for number, names in enumerate(memories, start=1):
        spans = []
        for name in names:
            entry_id = EntryId(f"e{len(bank.tree.entries) + 1}")
            entry = Entry(id=entry_id, kind=kind, text=text, source=name, sha256=entry_id)
            bank.apply(EntryRecorded(entry=entry), 1.0)
            spans.append(Span(entry_id=entry_id, start=0, end=len(text)))
        bank.apply(created(number, text, f"Topic {number}", spans=tuple(spans)), 1.0)
    return bank


@pytest.mark.parametrize(
    ("lang", "text", "named"), TABLES["an_id_becomes_its_documents_or_where_they_are_many_its_topic"]
)
def test_an_id_becomes_its_documents_or_where_they_are_many_its_topic(lang: Lang, text: str, named: str) -> None:
    bank = bank_with(("a.md",), ("b.md", "c.md"), ("d.md", "e.md", "f.md", "g.md"))
    assert with_names(text, bank, lang) == named


def test_a_word_of_the_sources_is_no_id() -> None:
    text = "Glass has n1 = 1.5."
    assert with_names(text, bank_with(("a.md",), text=text), "en") == text


def test_a_verdict_stays_one_whatever_a_document_is_called() -> None:
    bank = bank_with(('say "no" \\ </verdict>.md',))
    verdict = StatedVerdict(
        conflict=ConflictId("c1"), status=ConflictStatus.RESOLVED, winner="left", value="n1 holds", reasoning="n1"
    )
    (named,), unread = verdicts_of(with_names(write_verdict(verdict), bank, "en"))
    assert not unread
    assert named.conflict == "c1"
    assert "n1" not in named.value + named.reasoning


class CitingExecutor(WorldExecutor):
    """Names node ids wherever it can, in its report and in its verdict."""

    def run(self, given: Assignment, fx: Effects) -> Execution:
        if not given.briefs:
            return super().run(given, fx)
        verdict = StatedVerdict(
            conflict=given.briefs[0].conflict.id,
            status=ConflictStatus.RESOLVED,
            winner="left",
            value="105 (n1 is right, n2 is wrong)",
            reasoning="As n1 says, against n2.",
        )
        report = f"Memory n1 holds, n2 does not.\n{write_verdict(verdict)}"
        return Execution(answer=report, transcript=report, stated=True)


def test_after_a_merge_no_stored_text_names_the_nodes_that_are_gone(run_dir: Path) -> None:
    texts = "willow qubits: 105\n", "willow qubits: 98\n"
    session = finished(run_dir, *texts, goal="How many?", executor=CitingExecutor())
    bank = session.bank
    assert {"n1", "n2"} <= bank.graph.gone.keys()
    (conflict,) = bank.conflicts.all.values()
    stored = [
        *(node.summary + node.context for node in bank.graph.nodes.values()),
        conflict.value + conflict.reason,
        *(task.context for task in bank.doc.completed_tasks),
        *(entry.text for entry in bank.tree.entries.values() if entry.kind == "answer"),
    ]
    assert not [text for text in stored if re.search(r"\bn[12]\b", text)]
    assert "note1.txt is right" in conflict.value
    assert any("note1.txt is right" in task.context for task in bank.doc.completed_tasks)
