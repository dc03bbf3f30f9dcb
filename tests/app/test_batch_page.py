"""A batch on the Replay page: from the settings or the app's own folder; its runs are read in place, and only read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.batch.plan import BatchPlan, BatchTask
from memorybank.batch.results import ResultsFile, TaskRow, row_of
from memorybank.batch.store import BATCH, BatchFolder
from memorybank.errors import InputError
from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.registry import address_elsewhere
from memorybank.hosting.storage import discard
from memorybank.memory.types import Lang
from memorybank.ui.shell import batch_folders, state
from memorybank.views.i18n import t
from tests.app.driving import choose, keys, open_listed, says, sent, shown, tab_of
from tests.recorded import recorded_run

PAGE = "pages/6_replay.py"
TASKS = tuple(
    BatchTask(id=id_, task=f"Task {id_}", expect=("a whale",), digest=id_) for id_ in ("first", "二", "third")
)


@pytest.fixture
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tasks that ended, of three, on a server that serves this machine alone."""
    monkeypatch.setattr(batch_folders, "is_served_here", lambda: True)
    folder = BatchFolder(tmp_path / "runs" / "dams *2*")
    with folder.writing(BatchPlan(), TASKS), ResultsFile(folder.path) as results:
        for task, lang in zip(TASKS[:2], ("en", "zh"), strict=True):
            run = folder.run_folder(task.id)
            shutil.copytree(recorded_run(lang).path, run)
            results.append(row_of(task, run))
    return folder.path


def addresses(batch: Path) -> list[str]:
    return [address_elsewhere(BatchFolder(batch.resolve()).run_folder(task.id)) for task in TASKS]


def replay(app: AppTest, lang: Lang = "en") -> AppTest:
    app.query_params["lang"] = lang
    app.run()
    return app.switch_page(PAGE).run()


def test_a_batch_below_the_apps_folder_has_its_table(app: AppTest, batch: Path) -> None:
    replay(app, lang := "zh")
    assert not app.exception
    assert says(app, "dams *2*"), "a name is text"
    table = shown(app, "batch-table")
    assert all(task.id in table for task in TASKS)
    assert t("batch.state.waiting", lang) in table
    assert t("batch.expected", lang, met=0, count=2) in shown(app, "batch-progress")


def test_a_run_is_read_in_place_and_neither_gone_on_with_nor_deleted(app: AppTest, batch: Path) -> None:
    first, second, third = addresses(batch)
    replay(app)
    open_listed(app, first)
    app.switch_page(PAGE)
    choose(app, "replay-section", "batch")
    assert t("runs.here", "en") in shown(app, "batch-table")
    assert tab_of(app).run.run_id == first
    assert "timeline" in " ".join(keys(app))
    runs = state.runs()
    with pytest.raises(InputError, match="belongs to a batch"):
        runs.open(second, by=Visitor("t", "b"))
    with pytest.raises(InputError, match="belongs to a batch"):
        discard(runs, second, owner="")
    with pytest.raises(InputError):
        runs.folder(third)  # it has not begun
    assert (batch / "runs" / "二" / "journal.jsonl").is_file()


def test_nobody_is_offered_to_go_on_with_a_batchs_run(whole_app: AppTest, batch: Path) -> None:
    own = batch.parent / ("b" * 32)
    shutil.copytree(recorded_run("en").path, own)
    assert "continue-run" in keys(open_listed(whole_app, own.name))
    open_listed(whole_app, addresses(batch)[0])
    assert not whole_app.exception
    assert "continue-run" not in keys(whole_app)
    assert says(whole_app, t("shell.of_a_batch_help", "en"))


def test_the_batch_of_the_settings_is_offered_and_one_that_has_not_begun_says_so(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCH_DIR", str(tmp_path / "theirs"))
    state.local.clear()
    app.run()
    assert says(app, t("batch.offer", "en", name="theirs"))
    replay(app)
    assert says(app, t("batch.not_yet", "en"))
    folder = BatchFolder(tmp_path / "theirs")
    with folder.writing(BatchPlan(), TASKS), ResultsFile(folder.path) as results:
        results.append(TaskRow(id="first", outcome="failed", error="<i>no</i> disk", error_zh="没有磁盘"))
    app.run()
    assert "<i>no</i> disk" in shown(app, "batch-table")
    assert "open" not in sent(app, "batch-table"), "there is no run to open"


def test_a_file_that_is_no_batchs_is_named(app: AppTest, batch: Path) -> None:
    (batch / BATCH).write_text(json.dumps({"plan": 3}))
    replay(app)
    assert not app.exception
    assert says(app, BATCH)


def test_nobody_elsewhere_is_told_of_a_batch_that_the_settings_do_not_name(
    app: AppTest, batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = addresses(batch)[0]
    monkeypatch.setattr(batch_folders, "is_served_here", lambda: False)
    replay(app)
    assert not says(app, batch.name)
    with pytest.raises(InputError):
        state.runs().folder(first)
