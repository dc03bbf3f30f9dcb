"""The Compare page: one task begun twice under two settings, two saved runs, and what can go wrong."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.hosting.tabs import SharedRun
from memorybank.memory.events import AnswerGiven, SessionStarted, TaskReceived
from memorybank.session.phase import Phase
from memorybank.ui.compare.compare import MOST_KEPT
from tests.app.driving import rest, says, shown, start, tab_of, worker_of
from tests.recorded import recorded_run
from tests.waiting import wait_until

PAGE = "pages/7_compare.py"
ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."
TASK = "When was the Tamar Bridge opened?"


def compared(page: AppTest) -> list[SharedRun]:
    """The two runs that the page compares, at rest."""
    pair: dict[str, str] = tab_of(page).compare.pair
    found = [tab_of(page).compare.runs[pair[name]] for name in ("a", "b")]
    workers = [one for one in found if isinstance(one, SharedRun)]
    assert len(workers) == 2
    wait_until(lambda: all(not one.busy and len(one.records) > 20 for one in workers), 60, lambda: workers[1].phase)
    return workers


def set_up(page: AppTest, **given: object) -> None:
    for key, value in given.items():
        page.session_state[f"compare-{key.replace('_', '-')}"] = value


def test_without_a_run_a_ready_task_is_offered(app: AppTest) -> None:
    app.run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert not says(app, "The task of the run that is open")
    assert app.button(key="compare-run").label == "Run both"


@pytest.fixture
def twins(app: AppTest) -> AppTest:
    """The task of the open run, once without direct merges and by keyword, once the standard way."""
    start(app, TASK, ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()))
    rest(app)
    app.switch_page(PAGE).run()
    set_up(app, a_preset="final", a_alpha=1.0, a_k=1, b_alpha=0.0)
    app.run()
    app.button(key="compare-run").click().run()
    assert not app.exception
    return app


def test_the_same_task_under_two_settings(twins: AppTest) -> None:
    mine = worker_of(twins)
    one, other = compared(twins)
    twins.run()
    assert not twins.exception
    begun = [worker.records[0].event for worker in (one, other)]
    assert all(isinstance(event, SessionStarted) for event in begun)
    assert [(event.k, event.alpha, len(event.relations)) for event in begun] == [(1, 1.0, 2), (5, 0.0, 3)]
    assert len({mine.run_id, one.run_id, other.run_id}) == 3
    for worker in (one, other):
        assert worker.error is None
        goals = [record.event.goal for record in worker.records if isinstance(record.event, TaskReceived)]
        assert goals == [TASK]
        entries = worker.session.bank.tree.entries.values()  # type: ignore[union-attr]
        assert {"one.txt", "other.txt"} <= {entry.source for entry in entries}
        assert any(isinstance(record.event, AnswerGiven) for record in worker.records)
    table = shown(twins, "compare-table")
    assert "(no language model)" in table
    differ = re.search(r"(\d+) rows? differs? apart from the settings", table)
    assert differ, "it is said how many"
    assert "1961" in shown(twins, "compare-table")
    assert worker_of(twins).run_id == mine.run_id, "the tab's run is left alone"


def test_either_run_becomes_the_tabs_run(twins: AppTest) -> None:
    mine = worker_of(twins)
    one, _ = compared(twins)
    twins.run()
    twins.button(key="compare-open-a").click().run()
    assert not twins.exception
    assert worker_of(twins) is one
    assert twins.query_params["run"] == [one.run_id] or twins.query_params["run"] == one.run_id
    wait_until(lambda: mine.phase is Phase.PARKED, 20)
    assert says(twins, TASK)


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
    assert "（没有用语言模型）" in shown(app, "compare-table")
    assert "仅此处有" in shown(app, "compare-table")
    assert tab_of(app).run is None, "they are only read"
    shutil.rmtree(tmp_path / "runs" / ("1" * 32))
    again = AppTest.from_file(app._script_path, default_timeout=30)
    tab_of(again).compare.pair = {"a": "0" * 32, "b": "1" * 32}
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
        tab_of(app).compare.pair = {"a": a, "b": b}
        app.run()
        assert not app.exception
        assert "(no language model)" in shown(app, "compare-table")
    kept = tab_of(app).compare
    for of_each in (kept.runs, kept.playbacks, kept.figures):
        assert list(of_each) == runs[-MOST_KEPT:]
    tab_of(app).compare.pair = {"a": runs[0], "b": runs[-1]}
    app.run()
    assert not app.exception, "one that was let go is read again"
    assert {runs[0], runs[-1]} <= tab_of(app).compare.playbacks.keys()


def test_a_model_that_cannot_be_asked_is_said_and_nothing_begins(app: AppTest, tmp_path: Path) -> None:
    app.run()
    app.switch_page(PAGE).run()
    set_up(app, b_engine="llm")
    app.run()
    app.button(key="compare-run").click().run()
    assert not app.exception
    assert says(app, "LLM_API_KEY")
    assert not list((tmp_path / "runs").glob("*"))
