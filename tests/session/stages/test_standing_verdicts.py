"""When a verdict stands for another conflict, what it takes there as evidence, and which conflicts it closes anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import TaskExecuted
from memorybank.memory.types import (
    Claim,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    EntryId,
    Evidence,
    InsightDoc,
    Lang,
    NodeId,
    Parties,
    Refusal,
    Task,
    TaskType,
)
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.executors.base import Assignment
from memorybank.session.session import Session
from memorybank.session.stages.standing_verdicts import standing as points_of
from memorybank.session.stages.standing_verdicts import standing_verdicts
from tests.made_events import bank_on, conflict, created
from tests.made_events import claim as of_a_number
from tests.scripted import QuotingAnalysis, WorldExecutor, numbered, parts, source, write_verdict


def claim(value: str, text: str = "", attribute: str = "capacity of the array", subject: str = "") -> Claim:
    return of_a_number(value, text, attribute=attribute, subject=subject)


def side_of(raised: Conflict, decided: Conflict, *, of_one_memory: bool = True) -> str:
    return next((point.side for point in points_of(raised, decided, of_one_memory=of_one_memory)), "")


DECIDED = conflict(
    claim("18 MW"),
    claim("24 MW"),
    status=ConflictStatus.RESOLVED,
    winner="left",
    value="18 MW",
    evidence=(Evidence(source="leaflet", quote="The farm gives 30 MW.", supports="other", value="30 MW"),),
)


@pytest.mark.parametrize(
    ("left", "right", "holds"),
    [
        pytest.param(claim("18,000 kW", attribute=""), claim("24 MW", attribute=""), "left", id="both values"),
        pytest.param(claim("24 MW"), claim("18 MW"), "right", id="sides exchanged"),
        pytest.param(claim("18 MW"), claim("21 MW", attribute="capacity"), "left", id="third value of the attribute"),
        pytest.param(
            claim("18 MW", attribute="a"),
            claim("30 MW", "The farm gives 30 MW.", "b"),
            "left",
            id="weighed as evidence",
        ),
        pytest.param(claim("18 MW", attribute="a"), claim("21 MW", attribute="b"), "", id="another attribute"),
        pytest.param(claim("21 MW"), claim("24 MW"), "", id="neither is what holds"),
    ],
)
def test_a_verdict_stands_for_a_conflict_with_the_memory_it_made(left: Claim, right: Claim, holds: str) -> None:
    assert side_of(conflict(left, right), DECIDED) == holds


def test_between_other_memories_it_stands_for_the_same_thing_alone() -> None:
    names = ("the Kelda array", "the Orla array")
    same, other = (conflict(claim("18 MW", "a", subject=name), claim("24 MW", "b", subject=name)) for name in names)
    decided = conflict(
        claim("18 MW", subject=names[0]),
        claim("24 MW", subject=names[0]),
        status=ConflictStatus.RESOLVED,
        winner="left",
    )
    assert side_of(same, decided, of_one_memory=False) == "left"
    assert side_of(other, decided, of_one_memory=False) == ""


def test_a_conflict_with_a_point_of_its_own_is_checked() -> None:
    both = conflict(claim("18 MW"), claim("24 MW"))
    dates = Contradiction(
        left=claim("2019", attribute="opening"), right=claim("2021", attribute="opening"), reason="", confidence=0.9
    )
    several = Conflict(id=both.id, node_ids=both.node_ids, description="", contradictions=(*both.contradictions, dates))
    assert side_of(several, DECIDED) == ""


def test_it_says_which_point_was_decided_there_and_how() -> None:
    opened, extent = claim("2019", attribute="opening"), claim("3 km2", attribute="area")
    several = replace(
        DECIDED,
        contradictions=(
            Contradiction(left=opened, right=extent, reason="", confidence=0.9),
            *(replace(pair, left=pair.right, right=pair.left) for pair in DECIDED.contradictions),
        ),
        winner="",
    )
    (point,) = points_of(conflict(claim("18 MW"), claim("24 MW")), several, of_one_memory=True)
    assert (point.side, point.contradiction, point.held_there) == ("left", 1, "right")


def piece(source: str, quote: str, refused: Refusal = "") -> Evidence:
    return Evidence(
        source=source, quote=quote, supports="left", value="18 MW", independent=not refused, refused=refused
    )


def standing(voices: tuple[Evidence, ...], rival: str = "24 MW", party: str = "") -> tuple[Evidence, ...]:
    """What a verdict on 18 MW against 24 MW, with these voices, takes as evidence on 18 MW against a rival value."""
    decided = replace(DECIDED, evidence=voices, node_ids=(NodeId("n11"), NodeId("n12")))
    parties = Parties(left=(party,) if party else (), right=())
    later = conflict(claim("18 MW"), claim(rival), number=2, nodes=(11, 13), parties=parties)
    said = {voice.source: voice.quote if voice.is_said else "Nothing of it." for voice in voices}
    state = bank_on(said, decided, later)
    for number in (11, 12, 13):
        state.apply(created(number), 1.0)
    task = Task(type=TaskType.CROSS_VALIDATE, description="", conflict_ids=(decided.id,))
    state.docs.doc = InsightDoc(pending_tasks=(task,))
    executed = TaskExecuted(executor="a", answer="", transcript=EntryId("e1"))
    state.progress = replace(state.progress, route="cross_validate", executed=executed)
    ((_, verdict),) = standing_verdicts(state, "en")
    return verdict.evidence


def test_a_party_there_is_heard_here_and_what_no_source_says_is_not() -> None:
    voices = (
        piece("register.md", "The register has 18 MW."),
        piece("operator.md", "It has 18 MW.", "party"),
        piece("reprint.md", "It has 18 MW.", "copy"),
        piece("nowhere.md", "It has 18 MW.", "no_source"),
        piece("notice.md", "18 MW, says the notice.", "not_there"),
    )
    assert [(voice.source, voice.independent, voice.refused, voice.copy_of) for voice in standing(voices)] == [
        ("register.md", True, "", ""),
        ("operator.md", True, "", ""),
        ("reprint.md", False, "copy", "operator.md"),
    ]
    here = standing(voices, party="register.md")
    assert (here[0].source, here[0].refused) == ("register.md", "party")


@pytest.mark.parametrize(
    ("rival", "sides"), [("24 MW", ["left", "right", "other"]), ("30 MW", ["left", "other", "right"])]
)
def test_a_voice_speaks_for_the_side_that_has_its_value_and_a_third_value_for_none(
    rival: str, sides: list[str]
) -> None:
    voices = (
        piece("register.md", "The register has 18 MW."),
        replace(piece("operator.md", "It has 24 MW."), supports="right", value="24 MW"),
        replace(piece("chart.md", "It has 30 MW."), supports="other", value="30 MW"),
    )
    assert [voice.supports for voice in standing(voices, rival)] == sides


RIGHT, WRONG, WRONG_AGAIN = "willow qubits: 105\n", "willow qubits: 98\n", "willow qubits: 98\nlog date: Tuesday\n"
COUNTED = "Counted anew in May, the register has one hundred and five."


def rules(evidence: dict[str, Evidence]) -> Callable[[Assignment], str | None]:
    """Says of each conflict that its left side holds, on the evidence that there is for it."""

    def say(given: Assignment) -> str | None:
        verdicts = (
            StatedVerdict(
                conflict=brief.conflict.id,
                status=ConflictStatus.RESOLVED,
                winner="left",
                value="105",
                evidence=(evidence[brief.conflict.id],),
            )
            for brief in given.briefs
        )
        return f"<answer>{''.join(map(write_verdict, verdicts))}</answer>" if given.briefs else None

    return say


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("left_open", ["by a check", "by a person", "by an undone merge"])
def test_a_later_verdict_on_the_same_values_lifts_what_a_check_left_open(
    run_dir: Path, left_open: str, lang: Lang
) -> None:
    said = Evidence(source="note4.txt", quote="the register has one hundred and five", supports="left")
    proven = left_open == "by an undone merge"
    evidence = {"c1": said if proven else replace(said, quote="all say 105"), "c2": said}
    ready = parts(executor=WorldExecutor(say=rules(evidence)), lang=lang, analysis=QuotingAnalysis())
    notes = numbered(RIGHT, WRONG, "", COUNTED)
    with Session.start(run_dir, ready, goal="How many qubits?", sources=[*notes[:2], notes[3]]) as session:
        if left_open == "by a person":
            session.run_until(lambda report: report.stage == "analyse")
            session.resolve(StatedVerdict(conflict=ConflictId("c1"), status=ConflictStatus.INCONCLUSIVE))
        session.run()
        if proven:
            session.undo_merge("m1")
        earlier = session.bank.conflicts.all[ConflictId("c1")]
        assert earlier.status is ConflictStatus.INCONCLUSIVE
        session.add(source(WRONG_AGAIN, "note3.txt"))
        session.ask("How many qubits are there?")
        session.run()
        bank = session.bank
    first, second = bank.conflicts.all.values()
    assert second.status is ConflictStatus.RESOLVED
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)
    if left_open != "by a check":
        assert first.status is ConflictStatus.INCONCLUSIVE, "what a person left open stays open"
        return
    assert (first.status, first.winner, first.value) == (ConflictStatus.RESOLVED, "left", "105")
    assert [piece.source for piece in first.evidence if piece.independent] == ["note4.txt"]
    assert "c2" in first.reason
    live = {bank.graph.successor(node_id) for node_id in (*first.node_ids, *second.node_ids)}
    (node_id,) = live
    node = bank.graph.nodes[node_id]
    assert {(check.conflict_id, check.state) for check in node.checks} == {
        ("c1", ConflictStatus.RESOLVED), ("c2", ConflictStatus.RESOLVED)
    }  # fmt: skip
    assert not bank.disputed()


def test_what_an_earlier_check_found_is_outweighed_or_it_stays_open(run_dir: Path) -> None:
    """The verdict on c2 stands on one source; the check of c1 found one for each side, and one more for the other."""
    said = [
        Evidence(source="note4.txt", quote="the register has one hundred and five", supports="left"),
        Evidence(source="note5.txt", quote="ninety-eight, says the maker", supports="right"),
        Evidence(source="note6.txt", quote="It came with ninety-eight", supports="right"),
    ]
    tie = StatedVerdict(conflict=ConflictId("c1"), status=ConflictStatus.INCONCLUSIVE, evidence=tuple(said[1:]))
    later = rules({"c2": said[0]})

    def say(given: Assignment) -> str | None:
        first = given.briefs and given.briefs[0].conflict.id == "c1"
        return f"<answer>{write_verdict(tie)}</answer>" if first else later(given)

    ready = parts(executor=WorldExecutor(say=say), analysis=QuotingAnalysis())
    texts = (RIGHT, WRONG, "", COUNTED, "It is ninety-eight, says the maker.", "It came with ninety-eight in a box.")
    notes = [note for note in numbered(*texts) if note.text]
    with Session.start(run_dir, ready, goal="How many qubits?", sources=notes) as session:
        session.run()
        session.add(source(WRONG_AGAIN, "note3.txt"))
        session.ask("How many qubits are there?")
        session.run()
        first, second = session.bank.conflicts.all.values()
    assert (first.status, second.status) == (ConflictStatus.INCONCLUSIVE, ConflictStatus.RESOLVED)
