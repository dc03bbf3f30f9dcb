"""`python -m memorybank_lab eval` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank_lab.__main__ import main
from memorybank_lab.evaluation.registry import evaluate_together
from memorybank_lab.evaluation.verbatim import verbatim_scores

MODEL = ("--embedding-model", "hashed-ngrams")


def test_a_table_on_the_screen_and_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verbatim_scores("sessions of other tests")  # those are told with the next evaluation of a process
    table = tmp_path / "quality.md"
    assert main(["eval", "pairs", "--data", str(tmp_path), "--markdown", str(table), *MODEL]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("pairs  (")
    assert "fails: kind: arithmetic" in shown.out
    assert "0 of 0 goals reached" in shown.out.splitlines()[-1]
    assert "pairs: 24 cases" in shown.err
    text = table.read_text("utf-8")
    assert text.startswith("# How good the offline engine is")
    assert "## pairs" in text


def test_bad_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "pairs", "--data", str(tmp_path / "nowhere"), *MODEL]) == 2
    assert main(["eval", "weather", "--data", str(tmp_path), *MODEL]) == 2
    assert main(["eval", "dialogue_memory", "--data", str(tmp_path), *MODEL]) == 2
    assert main(["eval", "pairs", "--data", str(tmp_path), "--markdown", str(tmp_path / "no" / "o.md"), *MODEL]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "there is no folder 'nowhere'" in lines[0]
    assert "there is no evaluation 'weather': choose dialogue_memory" in lines[1]
    assert "holds no locomo/locomo*.json" in lines[2]
    assert "there is no folder 'no'" in lines[3]
    assert len(lines) == 4


def test_all_leaves_out_what_has_no_data(tmp_path: Path) -> None:
    said: list[str] = []
    names = ["dialogue_memory", "documents", "pairs"]
    reports = list(evaluate_together(names, tmp_path, HashedNgrams().name, full=False, progress=said.append))
    assert [report.name for report in reports] == ["pairs"]
    assert sorted(line.split(":")[0] for line in said) == ["dialogue_memory", "documents"]
