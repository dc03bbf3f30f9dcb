from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.classification import OfflineClassification
from memorybank.lab.evaluation.segmentation import (
    SegmentedDocument,
    by_engine,
    evenly,
    once,
    pk,
    run,
    window,
    window_diff,
)
from memorybank.memory.contracts import ClassificationOutput, ClusterDraft

BAKING = ["The dough rests for an hour.", "Then the dough is kneaded.", "The oven bakes the dough into bread."]
SAILING = ["The sail was torn by the storm.", "They sewed the sail on deck.", "The storm drove the boat north."]


def test_pk_and_window_diff_by_hand() -> None:
    truth = [0, 0, 0, 0, 1, 1, 1, 1]
    assert window(truth) == 2
    assert pk(truth, truth) == window_diff(truth, truth) == 0.0
    # Six windows of two; two of them span the border, and never cutting gets those wrong.
    assert pk(truth, [0] * 8) == window_diff(truth, [0] * 8) == pytest.approx(2 / 6)
    # A border a sentence late: one window misses it, one sees it too late.
    assert pk(truth, [0, 0, 0, 0, 0, 1, 1, 1]) == pytest.approx(2 / 6)
    # A second border inside the window of the first: the two ends are still apart, only the count is wrong.
    near = [0, 0, 0, 0, 1, 2, 2, 2]
    assert pk(truth, near) == pytest.approx(1 / 6)
    assert window_diff(truth, near) == pytest.approx(2 / 6)
    assert pk([0], [0]) == window_diff([0], [0]) == 0.0


def test_cutting_evenly_uses_the_true_number() -> None:
    document = SegmentedDocument(tuple("abcdef"), (0, 0, 0, 0, 1, 2), False)
    assert evenly(document) == [0, 0, 1, 1, 2, 2]


def test_a_character_counts_as_kept_in_one_cluster_with_its_spans_in_order() -> None:
    def answer(*spans: tuple[tuple[int, int], ...]) -> ClassificationOutput:
        return ClassificationOutput(
            should_cluster=True, clusters=tuple(ClusterDraft(context="", keywords=(), spans=one) for one in spans)
        )

    assert once(4, answer(((0, 1), (2, 3)), ((1, 2), (3, 4)))) == [True] * 4
    assert once(4, answer(((0, 2),), ((1, 3),))) == [True, False, True, False], "twice, and not at all"
    assert once(4, answer(((2, 4), (0, 2)))) == [False, False, True, True]


def test_the_borders_are_those_of_the_classification_agent() -> None:
    engine = OfflineClassification(HashedNgrams())
    document = SegmentedDocument((*BAKING, *SAILING), (0, 0, 0, 1, 1, 1), False)
    assert by_engine(engine, document) == [0, 0, 0, 1, 1, 1]


def test_a_run_on_sets_of_the_same_form(tmp_path: Path) -> None:
    folder = tmp_path / "choi" / "1" / "3-5"
    folder.mkdir(parents=True)
    for number in range(2):
        text = "==========\n" + "\n".join(BAKING) + "\n==========\n" + "\n".join(SAILING) + "\n==========\n"
        (folder / f"{number}.ref").write_text(text, "utf-8")
    turns = [f"{'A' if place % 2 else 'B'}: {text}" for place, text in enumerate([*BAKING, *SAILING])]
    dialogues = [{"utterances": turns, "segments": [3, 3]}]
    (tmp_path / "dialseg").mkdir()
    for name in ("dialseg_711_x.json", "tiage_x.json"):
        (tmp_path / "dialseg" / name).write_text(json.dumps(dialogues), "utf-8")
    said: list[str] = []
    report = run(tmp_path, HashedNgrams(), full=False, progress=said.append)
    values = {(score.data, score.measure, score.system): score for score in report.scores}
    assert {score.data for score in report.scores} == {"Choi", "DialSeg711", "TIAGE", "all as one text"}
    assert values["Choi", "Pk", "engine"].value == 0.0
    assert values["Choi", "Pk", "engine"].n == 2
    assert values["Choi", "Pk", "never cut"].value > 0.3
    assert values["TIAGE", "Pk", "engine"].goal == values["TIAGE", "Pk", "never cut"].value
    assert values["all as one text", "in one cluster", "engine"].value == 1.0
    assert len(said) == 3
    assert report.examples[0]["true segments"] == "2"
