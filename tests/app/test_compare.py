"""The Compare page: two runs that were ticked in a list, and what can go wrong."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise
from pathlib import Path

from streamlit.testing.v1 import AppTest

from memorybank.ui.compare.compare import MOST_KEPT
from tests.app.driving import rest, says, shown, start, tab_of, worker_of
from tests.recorded import recorded_run

PAGE = "pages/7_compare.py"
ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."
TASK = "When was the Tamar Bridge opened?"


def test_without_a_pair_the_runs_are_offered(app: AppTest) -> None:
    app.run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert app.button(key="runs-compare").disabled


def test_two_runs_ticked_in_the_list_stand_side_by_side_and_either_becomes_the_tabs(app: AppTest) -> None:
    runs = []
    for alpha in (0.0, 1.0):
        app.session_state["new-alpha"] = alpha
        start(app, TASK, ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()))
        rest(app)
        runs.append(worker_of(app))
        tab_of(app).runs.ticked.append(runs[-1].run_id)
        app.button(key="new-session").click().run()
    app.switch_page(PAGE).run()
    app.button(key="runs-compare").click().run()
    assert not app.exception
    table = shown(app, "compare-table")
    assert re.search(r"(\d+) rows? differs? apart from the settings", table), "it is said how many"
    assert "1961" in table
    app.button(key="compare-open-a").click().run()
    assert not app.exception
    assert worker_of(app).run_id == runs[0].run_id
    assert says(app, TASK)


def test_two_saved_runs(app: AppTest, tmp_path: Path) -> None:
    for number, lang in enumerate(("en", "zh")):
        shutil.copytree(recorded_run(lang).path, tmp_path / "runs" / (str(number) * 32))
    app.query_params["lang"] = "zh"
    tab_of(app).runs_opened = ["0" * 32, "1" * 32]
    tab_of(app).runs.ticked = ["0" * 32]
    assert app.run().button(key="runs-compare").disabled
    tab_of(app).runs.ticked = ["0" * 32, "1" * 32]
    app.run().button(key="runs-compare").click().run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert "发现的冲突" in shown(app, "compare-table")
    assert "仅此处有" in shown(app, "compare-table")
    assert tab_of(app).run is None, "they are only read"
    shutil.rmtree(tmp_path / "runs" / ("1" * 32))
    again = AppTest.from_file(app._script_path, default_timeout=30)
    tab_of(again).compare_pair = {"a": "0" * 32, "b": "1" * 32}
    again.run()
    again.switch_page(PAGE).run()
    assert not again.exception
    assert says(again, "no such run")


def test_a_tab_keeps_what_it_worked_out_of_the_last_few_pairs_alone(app: AppTest, tmp_path: Path) -> None:
    """A tab that compares for a whole day must not hold every run of the machine."""
    runs = [f"{number:x}" * 32 for number in range(10)]
    for run_id in runs:
        shutil.copytree(recorded_run("en").path, tmp_path / "runs" / run_id)
    app.run()
    app.switch_page(PAGE).run()
    for a, b in pairwise(runs):
        tab_of(app).compare_pair = {"a": a, "b": b}
        app.run()
        assert not app.exception
        assert "Conflicts found" in shown(app, "compare-table")
    for name in ("compare-runs", "compare-playback", "compare-figures"):
        assert len(tab_of(app).memo[name]) == MOST_KEPT
    tab_of(app).compare_pair = {"a": runs[0], "b": runs[-1]}
    app.run()
    assert not app.exception, "one that was let go is read again"
