"""One dispute, one state, one count: the chip, the list, the story, the feed, the export and the tables agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.plan import BatchTask
from memorybank.batch.results import row_of
from memorybank.contradiction.disputes.dispute import STATES, Dispute
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.hosting.saved import summarise
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import ConflictClosed, StageFinished
from memorybank.memory.state import MemoryState
from memorybank.memory.types import SIDES, ClaimVerdict, ConflictStatus, Evidence, Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, state_at
from memorybank.session.executors.base import Assignment, Brief, Execution
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.views.boxes.dispute_lines import dispute_line, disputes_box
from memorybank.views.boxes.state import state_box
from memorybank.views.html_export.panels import cases
from memorybank.views.i18n import t
from memorybank.views.run.comparison import figures
from memorybank.views.run.playback import Playback
from memorybank.views.story import build_scenes
from memorybank.views.story.dispute_scenes import MOST_WHOLE
from tests.boxes_read import words_of
from tests.scripted import parts, source
from tests.session.stages.test_checks import QuotingAnalysis

RESOLVED, UNDECIDED = ConflictStatus.RESOLVED, ConflictStatus.INCONCLUSIVE
LONG = " ".join(f"the {number}th of its many parts is described here at length" for number in range(12))


@dataclass
class Weigher:
    """Quotes every document that has a value of a point as an independent source, parties and copies too."""

    world: dict[str, str]
    name: str = "weigher"

    def run(self, given: Assignment, fx: Any) -> Execution:
        verdicts = tuple(self._verdict(brief, given) for brief in given.briefs)
        return Execution(answer="<answer>Done.</answer>", transcript="Done.", quotes_only=True, verdicts=verdicts)

    def _verdict(self, brief: Brief, given: Assignment) -> StatedVerdict:
        claims, evidence = [], list[Evidence]()
        for number, pair in enumerate(brief.conflict.contradictions):
            key, values = pair.reason, dict(zip(SIDES, (pair.left.value, pair.right.value), strict=True))
            truth = self.world.get(key, "")
            winner = next((side for side in SIDES if values[side] == truth), "")
            status = RESOLVED if winner else ConflictStatus.BOTH_WRONG if truth else UNDECIDED
            claims.append(
                ClaimVerdict(contradiction=number, status=status, winner=winner, value=truth)  # type: ignore[arg-type]
            )
            for document in given.documents:
                for supports, value in (*values.items(), *([("other", truth)] if truth and not winner else [])):
                    if f"{key}: {value}" in document.text:
                        evidence.append(
                            Evidence(
                                source=document.source,
                                quote=f"{key}: {value}",
                                supports=supports,  # type: ignore[arg-type]
                                value=value,
                                contradictions=(number,),
                            )
                        )
        return StatedVerdict.model_validate({"conflict": brief.conflict.id, "claims": claims, "evidence": evidence})


CASES: dict[str, tuple[list[str], dict[str, str], list[tuple[ConflictStatus, str, int]], set[tuple[str, str]]]] = {
    "three values": (
        ["willow qubits: 105\nwillow maker: Google", "willow qubits: 98\nwillow colour: blue", "willow qubits: 72"],
        {"willow qubits": "105"},
        [(UNDECIDED, "", 3)],
        {("note1.txt", "party"), ("note2.txt", "party"), ("note3.txt", "party")},
    ),
    "three values, one of them twice": (
        ["willow qubits: 105", "willow qubits: 98", "willow qubits: 72", "a survey\n\nwillow qubits: 105\nheron: 3"],
        {"willow qubits": "105"},
        [(RESOLVED, "105", 3)],
        set(),
    ),
    "two matters in one conflict": (
        [
            "willow qubits: 105\nwillow year: 2024",
            "willow qubits: 98\nwillow year: 2023",
            "heron: 2\nwillow qubits: 105",
        ],
        {"willow qubits": "105", "willow year": "2024"},
        [(RESOLVED, "105", 2), (UNDECIDED, "", 2)],
        set(),
    ),
    "both wrong in one pair, and in sum resolved": (
        ["willow qubits: 105", "willow qubits: 98", "willow qubits: 72", "a survey\n\nwillow qubits: 72\nheron: 3"],
        {"willow qubits": "72"},
        [(RESOLVED, "72", 3)],
        set(),
    ),
    "a near copy": (
        [f"willow qubits: 105\n{LONG}", "willow qubits: 98", f"Reprinted.\n\nwillow qubits: 105\n{LONG}"],
        {"willow qubits": "105"},
        [(UNDECIDED, "", 2)],
        {("note3.txt", "copy")},
    ),
    "a party that quotes the other": (
        ["willow qubits: 105", "willow qubits: 98\nNot as they write (willow qubits: 105)."],
        {"willow qubits": "105"},
        [(UNDECIDED, "", 2)],
        {("note2.txt", "party")},
    ),
}


def unsupported(bank: MemoryState) -> Iterator[tuple[str, str, str]]:
    """Yield each value that is shown under a source which does not have it, word for word, with its quote."""
    texts: dict[str, str] = {}
    for entry in bank.tree.entries.values():
        texts[entry.source] = texts.get(entry.source, "") + entry.text
    for dispute in disputes_of(bank):
        for value in dispute.values:
            for said in value.said:
                if said.quote not in texts[said.source] or value.text.split()[0] not in said.quote:
                    yield value.text, said.source, said.quote


def agree(records: list[Record[Any]], folder: Path, disputes: tuple[Dispute, ...], lang: Lang) -> None:
    """Whoever tells of disputes tells of these, in these states."""
    playback = Playback()
    moment = playback.at(records)
    states = Counter(dispute.status for dispute in disputes)
    counted = t("run.conflicts", lang, count=len(disputes))
    assert moment.disputes == disputes
    for told in (state_box(moment, Phase.PARKED, lang), state_box(moment, None, lang)):
        assert counted in words_of(told, " ")
    listed = words_of(disputes_box(moment, lang), " ")
    for dispute in disputes:
        line = words_of(dispute_line(dispute, lang), " ")
        assert t(f"conflict.status.{dispute.status}", lang) in line
        assert line.count(t("conflicts.holds_chip", lang)) == (dispute.status is RESOLVED)
        assert all(value.text in line and value.text in listed for value in dispute.values)
    exported = {case.attrib["id"]: case.attrib["class"] for case in cases(records, moment, lang)}
    assert all(exported[f"dispute-{one.id}"] == f"case {one.status}" for one in disputes)
    compared = figures(records).values
    assert compared["conflicts"] == len(disputes)
    assert {state: count for state in STATES if (count := compared[f"conflicts_{state}"])} == states
    kept = summarise("a" * 32, (folder / "journal.jsonl").read_bytes())
    assert kept is not None
    assert (kept.conflicts, kept.settled) == (len(disputes), states[RESOLVED])
    row = row_of(BatchTask(id="t", task="?"), folder)
    assert row.conflicts == {status.value: count for status, count in states.items()}
    closed = {
        item.dispute.id: item.dispute
        for item in moment.feed
        if isinstance(item.record.event, ConflictClosed) and item.dispute
    }
    assert {name: dispute.status for name, dispute in closed.items()} == {one.id: one.status for one in disputes}
    scenes = build_scenes(records)
    last = {one.dispute.points[0]: one for one in scenes if one.kind == "verdict" and one.dispute is not None}
    assert {name: scene.status for name, scene in last.items()} == {one.id: one.status for one in disputes}
    by_point = {point: one for one in disputes for point in one.points}
    told_of = [(scene, by_point[scene.dispute.points[0]]) for scene in scenes if scene.dispute is not None]
    assert all({side.value for side in scene.sides} <= {value.text for value in own.values} for scene, own in told_of)
    begun = {own.id for scene, own in told_of if scene.kind == "clash"}
    assert begun == {one.id for one in disputes[:MOST_WHOLE]}, "each has a course of its own"
    assert scenes[-1].values["count"] == len(disputes)
    assert scenes[-1].values["settled"] == states[RESOLVED]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("texts", "world", "expected", "refused"), CASES.values(), ids=CASES.keys())
def test_whoever_tells_of_a_dispute_tells_the_same(
    run_dir: Path,
    texts: list[str],
    world: dict[str, str],
    expected: list[tuple[ConflictStatus, str, int]],
    refused: set[tuple[str, str]],
    lang: Lang,
) -> None:
    ready = parts(lang=lang, executor=Weigher(world))
    ready.engine.analysis = QuotingAnalysis()  # type: ignore[misc]
    sources = [source(text, f"note{number}.txt") for number, text in enumerate(texts, start=1)]
    with Session.start(run_dir, ready, goal="How many qubits?", sources=sources) as session:
        session.run()
    records = list(load(run_dir))
    bank = state_at(records)
    disputes = disputes_of(bank)
    assert [(one.status, one.holds.text if one.holds else "", len(one.values)) for one in disputes] == expected
    heard = [piece for conflict in bank.conflicts.all.values() for piece in conflict.evidence]
    assert refused <= {(piece.source, piece.refused) for piece in heard}
    agree(records, run_dir, disputes, lang)
    for at in (record.seq for record in records if isinstance(record.event, StageFinished)):
        assert not list(unsupported(state_at(records[:at]))), "each pair of a value and a source has its words"
