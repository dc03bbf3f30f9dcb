"""`python -m memorybank_lab eval` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank_lab.__main__ import main

MODEL = ("--embedding-model", "hashed-ngrams")


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
