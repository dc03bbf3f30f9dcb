from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memorybank_lab.evaluation.report import Report, as_markdown, as_table, interval, mean_score, outcome


def report() -> Report:
    scores = (
        mean_score("Pears", "F1", "engine", [1.0, 1.0, 0.0, 1.0], goal=0.7),
        mean_score("Pears", "F1", "majority", [0.0, 1.0, 0.0, 0.0]),
        mean_score("Plums", "error", "engine", [0.5, 0.3], goal=0.2, at_most=True),
    )
    failing = ({"asked": "ripe | unripe?\nsay", "found": "both"},)
    return Report(name="fruit", scores=scores, notes=("eaten fresh",), examples=failing, seconds=4.2)


def test_a_score_knows_its_spread_and_whether_its_goal_is_reached() -> None:
    engine, control, error = report().scores
    assert (engine.value, engine.n, engine.holds) == (0.75, 4, True)
    assert engine.low <= engine.value <= engine.high
    assert control.holds is None
    assert error.value == pytest.approx(0.4)
    assert error.holds is False, "its goal is a ceiling"


def test_the_interval_is_that_of_the_mean_and_the_same_each_time() -> None:
    numbers = np.random.default_rng(3).normal(0.5, 0.2, 400)
    mean, low, high = interval(numbers)
    assert interval(numbers) == (mean, low, high)
    assert high - low == pytest.approx(2 * 1.96 * 0.2 / 20, rel=0.2), "two normal standard errors to either side"
    assert interval(np.ones(5)) == (1.0, 1.0, 1.0)
    assert interval(np.array([])) == (0.0, 0.0, 0.0)


def test_a_table_says_what_holds_and_what_misses() -> None:
    lines = as_table(report()).splitlines()
    assert lines[0] == "fruit  (4 s)"
    assert [line.split()[-1] for line in lines[2:5]] == ["holds", "4", "misses"]
    assert "≤ 0.2" in lines[4]
    assert lines[5:] == ["note: eaten fresh", "fails: asked: ripe | unripe?", "say; found: both"]
    assert outcome([report()]) == "1 of 2 goals reached; missed: Plums error"
    assert as_table(Report(name="empty", scores=())).endswith("nothing was measured")


def test_markdown_has_the_scores_what_was_tried_and_no_texts_but_our_own() -> None:
    section = as_markdown([report()])
    assert section.count("\n| ") == 4, "a head and three rows"
    assert "1 of 2 goals reached" in section
    assert "ripe" not in section, "the failing cases quote the sets"
    assert "Missed: Plums, error. Tried: nothing is recorded." in section
    own = as_markdown([replace(report(), own_texts=True)])
    assert "| asked | found |" in own
    assert "| ripe \\| unripe? say | both |" in own
    lost = mean_score("MuSiQue", "recall@5", "engine", [0.1, 0.2], goal=0.6)
    told = as_markdown([Report(name="retrieval", scores=(lost,))])
    assert "- Missed: MuSiQue, recall@5. Tried: Sentences and memories taken in turn" in told
    assert "Tried" not in as_markdown([Report(name="retrieval", scores=(replace(lost, goal=0.1),))])


def test_the_document_tells_of_every_missed_goal_what_was_tried() -> None:
    told = (Path(__file__).parents[3] / "docs" / "quality.md").read_text("utf-8")
    rows = [line.split(" | ") for line in told.splitlines() if line.endswith("| misses |")]
    listed = [line for line in told.splitlines() if line.startswith("- Missed: ")]
    assert all(any(f"{data.lstrip('| ')}, {measure}" in line for line in listed) for data, measure, *_ in rows)
    assert rows or not listed
    assert "nothing is recorded" not in told
