"""The settlement evaluation on questions of our own: how cases are made, and what a whole session makes of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank.lab.evaluation.pairs import RgbQuestion
from memorybank.lab.evaluation.settlement import holds_truth, majorities, run, scored, settle, ties, without_copies
from memorybank.memory.types import ConflictStatus

FORMS = (
    "The Orla tunnel is {} long and was opened for cyclists.",
    "Engineers of the county say that the Orla tunnel has a length of {}.",
    "With a length of {}, the Orla tunnel is known to every schoolchild here.",
    "The Orla tunnel, painted white inside, is {} long.",
)
QUESTION = RgbQuestion(
    query="How long is the Orla tunnel?", answer=("5.2 km",), fake="7.4 km", lang="en",
    true=tuple(form.format("5.2 km") for form in FORMS), forged=tuple(form.format("7.4 km") for form in FORMS),
)  # fmt: skip


def test_no_snippet_stands_beside_its_own_forgery() -> None:
    (majority,), (tie,) = list(majorities([QUESTION])), list(ties([QUESTION]))
    assert (len(majority.true), len(majority.forged)) == (3, 1)
    assert (len(tie.true), len(tie.forged)) == (2, 2)
    for case in (majority, tie):
        own = {QUESTION.true[QUESTION.forged.index(text)] for text in case.forged}
        assert not own & set(case.true)
        assert sorted(source.text for source in case.sources()) == sorted((*case.true, *case.forged))
        assert case.ordered() == case.ordered()
    two = RgbQuestion(query="q", answer=("1",), fake="2", true=("a", "b"), forged=("c", "d"), lang="en")
    assert not list(majorities([two]))


def test_a_copied_snippet_is_no_further_source() -> None:
    report = "The Orla tunnel, which took the county nine years and two contractors to dig, is {} long."
    copied = replace(
        QUESTION,
        true=(*QUESTION.true, report.format("5.2 km"), f"... {report.format('5.2 km')} Read more"),
        forged=(*QUESTION.forged, report.format("7.4 km"), f"... {report.format('7.4 km')} Read more"),
    )
    kept = without_copies(copied)
    assert kept.true == copied.true[:5]
    assert kept.forged == copied.forged[:5]
    assert without_copies(QUESTION) == QUESTION


def test_a_session_settles_by_the_majority_and_does_not_guess() -> None:
    majority = settle(next(majorities([QUESTION])), HashedNgrams())
    assert majority.settled
    assert majority.true
    assert all("5.2 km" in text for text in majority.merged)
    tie = settle(next(ties([QUESTION])), HashedNgrams())
    assert tie.statuses
    assert not tie.settled
    found = {score.measure: score for score in scored("own", [majority], [tie]) if score.system == "engine"}
    assert found["merged node is true, of settled"].value == 1
    assert found["settled, of majority cases"].value == 1
    assert found["not guessed, of ties with a conflict raised"].value == 1
    assert set(tie.statuses) == {ConflictStatus.INCONCLUSIVE}


def test_truth_is_the_true_value_without_the_forged_one() -> None:
    assert holds_truth("It is 5.2 km long.", QUESTION)
    assert not holds_truth("It is 7.4 km long.", QUESTION)
    assert not holds_truth("It is 5.2 km long; others say 7.4 km.", QUESTION)
    inside = RgbQuestion(query="q", answer=("170",), fake="70", true=(), forged=(), lang="en")
    assert holds_truth("It has 170 seats.", inside)
    longer = RgbQuestion(query="q", answer=("70",), fake="170", true=(), forged=(), lang="en")
    assert not holds_truth("It has 170 seats.", longer)


def test_the_report_counts_cases(tmp_path: Path) -> None:
    (tmp_path / "rgb").mkdir()
    row = {
        "query": QUESTION.query, "answer": "5.2 km", "fakeanswer": "7.4 km",
        "positive": QUESTION.true, "positive_wrong": QUESTION.forged,
    }  # fmt: skip
    (tmp_path / "rgb/en_fact_dev.json").write_text(json.dumps(row), "utf-8")
    (tmp_path / "rgb/zh_fact_dev.json").write_text("", "utf-8")
    told: list[str] = []
    report = run(tmp_path, HashedNgrams(), full=False, progress=told.append)
    assert "1 majority cases: resolved 1" in report.notes[0]
    assert "1 tie cases: inconclusive 1" in report.notes[0]
    assert len(told) == 4
