"""`memorybank eval` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.__main__ import main
from memorybank.embedding.hashed import HashedNgrams
from memorybank.lab.evaluation.report import Report
from memorybank.lab.evaluation.together import evaluate_together, joined

CHOI = "==========\nThe dough rests.\nThe dough is kneaded.\n==========\nThe sail tore.\nThey sewed the sail.\n"
MODEL = ("--embedding-model", "hashed-ngrams")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "choi" / "1" / "3-5").mkdir(parents=True)
    (folder / "choi" / "1" / "3-5" / "0.ref").write_text(CHOI, "utf-8")
    (folder / "dialseg").mkdir()
    talk = [{"utterances": ["Hello there.", "Good day.", "It rains.", "The rain is cold."], "segments": [2, 2]}]
    for name in ("dialseg_711_x.json", "tiage_x.json"):
        (folder / "dialseg" / name).write_text(json.dumps(talk), "utf-8")
    return folder


def test_a_table_with_json_and_markdown_in_files(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, table = tmp_path / "quality.json", tmp_path / "quality.md"
    files = ("--json", str(out), "--markdown", str(table))
    assert main(["eval", "segmentation", "--data", str(data), *files, *MODEL]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("segmentation  (")
    assert "never cut" in shown.out
    assert "goals reached" in shown.out.splitlines()[-1]
    assert "segmentation: Choi, 1 documents" in shown.err
    (report,) = json.loads(out.read_text("utf-8"))
    assert report["name"] == "segmentation"
    assert report["seconds"] > 0
    assert {"data", "measure", "system", "value", "low", "high", "n", "goal"} <= set(report["scores"][0])
    text = table.read_text("utf-8")
    assert text.startswith("# How good the offline engine is")
    assert "## segmentation" in text


def test_json_alone_on_standard_output(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "segmentation", "--data", str(data), "--json", *MODEL]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == "segmentation"


def test_bad_input_is_one_line(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "segmentation", "--data", str(tmp_path / "nowhere"), *MODEL]) == 2
    assert main(["eval", "weather", "--data", str(data), *MODEL]) == 2
    assert main(["eval", "dialogue_memory", "--data", str(data), *MODEL]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "there is no folder 'nowhere'" in lines[0]
    assert "there is no evaluation 'weather': choose dialogue_memory" in lines[1]
    assert "holds no locomo/locomo*.json" in lines[2]
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("name", "reader", "told"),
    [
        ("contradiction", "hunches", "there is no reader 'hunches': choose claims, denials, relations"),
        ("segmentation", "claims", "use --without with contradiction or settlement"),
        ("all", "claims", "use --without with contradiction or settlement"),
    ],
)
def test_a_reader_that_cannot_be_switched_off_is_refused(
    name: str, reader: str, told: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", name, "--data", str(data), "--without", reader, *MODEL]) == 2
    assert told in capsys.readouterr().err


def test_all_leaves_out_what_has_no_data(data: Path) -> None:
    said: list[str] = []
    names = ["dialogue_memory", "documents", "segmentation"]
    reports = list(evaluate_together(names, data, HashedNgrams().name, full=False, progress=said.append))
    assert [report.name for report in reports] == ["segmentation"]
    told = [line.split(":")[0] for line in said]
    documents = [f"documents ({part})" for part in ("CMRC2018", "HotpotQA", "MuSiQue")]
    assert sorted(told) == ["dialogue_memory", *documents]


def test_parts_of_an_evaluation_make_one_report() -> None:
    parts = [
        Report(name="documents", scores=(), notes=(name,), seconds=1.5, settings={name: "x"}) for name in ("one", "two")
    ]
    whole = joined(parts)
    assert (whole.name, whole.notes, whole.seconds) == ("documents", ("one", "two"), 3.0)
    assert dict(whole.settings) == {"one": "x", "two": "x"}
