"""`memorybank export`, as it is typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.command_line import ROOT, memorybank, typed
from tests.recorded import recorded_run
from tests.views.html_export.reading import data_in, slides_in

WITHOUT_PYVIS = "import sys; sys.modules['pyvis'] = None; from memorybank.__main__ import main; sys.exit(main())"


def without_pyvis(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_PYVIS, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=False,
    )


def test_it_writes_the_file_and_says_so(tmp_path: Path) -> None:
    run, out = recorded_run("en").path, tmp_path / "run.html"
    done = typed("export", run, "--html", out, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    data = data_in(out.read_bytes())
    assert (told["events"], told["bytes"]) == (data["moments"][-1]["seq"], out.stat().st_size)
    assert out.read_text("utf-8").count("<img") == 1

    again = memorybank("export", run, "--html", out)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "run.html is there already" in again.stderr
    other = memorybank("export", run / "journal.jsonl", "--html", tmp_path / "zh.html", "--lang", "zh")
    assert other.returncode == 0, other.stderr
    assert "wrote zh.html" in other.stdout
    assert '<html lang="zh-CN">' in (tmp_path / "zh.html").read_text("utf-8")


def test_what_it_cannot_do_is_one_sentence(tmp_path: Path) -> None:
    run = recorded_run("en").path
    for done, words in (
        (memorybank("export", tmp_path, "--html", tmp_path / "a.html"), "no journal"),
        (memorybank("export", run, "--html", tmp_path / "none" / "a.html"), "there is no folder"),
        (without_pyvis("export", run, "--html", tmp_path / "a.html"), 'pip install "agentic-memory-bank[export]"'),
    ):
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_option_that_made_slides_writes_the_file_that_prints_as_slides(tmp_path: Path) -> None:
    run = recorded_run("zh").path
    done = typed("export", run, "--storyboard", tmp_path / "run.html", "--json")
    assert done.returncode == 0, done.stderr
    assert slides_in((tmp_path / "run.html").read_bytes())[0].kind == "任务"
    other = memorybank("export", run, "--storyboard", tmp_path / "run.pdf")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert "the browser saves as PDF" in other.stderr
