from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.lab.bench.texts import long_text
from memorybank.lab.evaluation import speed


def test_filing_goes_through_every_stage_of_a_session() -> None:
    stages = speed.file_text(long_text("en", 4_000), "en", HashedNgrams())
    assert {"classify", "structure", "file", "analyse", "start and commits"} <= set(stages)
    assert all(seconds >= 0 for seconds in stages.values())
    assert speed.embed_sentences(long_text("en", 4_000), HashedNgrams()) > 0


def test_scores_as_by_hand() -> None:
    times, filing, alone = speed.scored("zh", 250_000, 2.0, {"classify": 1.5, "analyse": 1.0})
    assert (times.data, times.value, times.goal, times.holds) == ("0.25 MB zh", 1.25, 1.5, True)
    assert (filing.value, filing.system) == (10.0, "engine")
    assert (alone.value, alone.system) == (8.0, "embed the sentences once")
    assert not speed.scored("en", 250_000, 1.0, {"classify": 1.6})[0].holds


def test_both_languages_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "SAMPLES", {"en": 3_000, "zh": 3_000})
    told: list[str] = []
    report = speed.run(tmp_path, HashedNgrams(), full=False, progress=told.append)
    assert [score.data for score in report.scores] == ["0.003 MB en"] * 3 + ["0.003 MB zh"] * 3
    assert all(score.value > 0 for score in report.scores)
    assert len(told) == 4
    assert "analyse" in report.notes[0]
