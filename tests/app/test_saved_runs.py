"""Saved runs in the app: samples on every page, two compared, one taken along; the Settings page and the trash."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.hosting.ready_tasks import RecordedRun, recorded_runs
from memorybank.memory.events import SessionFinished
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import JOURNAL
from memorybank.ui import settings
from memorybank.ui.shell import state
from memorybank.ui.shell.saved import address_of, stored_runs
from memorybank.ui.shell.tab import MadeFile
from memorybank.views.i18n import t
from memorybank.views.link import PAGES
from tests.app.driving import keys, lines, open_listed, open_page, press, says, shown, tab_of, worker_of
from tests.recorded import recorded_run
from tests.views.html_export.reading import data_in

SAMPLES = [*recorded_runs("en"), *recorded_runs("zh")]


@pytest.mark.parametrize("recorded", SAMPLES, ids=lambda run: run.id)
def test_a_recorded_run_is_read_on_every_page(app: AppTest, recorded: RecordedRun) -> None:
    app.query_params["lang"] = recorded.lang
    app.run()
    samples = [line for line in lines(app, "runs-rows") if t("runs.sample", recorded.lang) in line]
    assert sum(f"{recorded.title} {t('runs.sample', recorded.lang)}" in line for line in samples) == 1
    tab_of(app).runs.ticked = [recorded.run_id]
    app.run()
    assert not {f"runs-{name}" for name in ("compare", "rename", "pin", "delete")} & set(keys(app)), "it is a sample"
    open_listed(app, address_of(recorded.run_id))
    assert worker_of(app).is_saved, "it is read: nothing is asked"
    assert isinstance(worker_of(app).records[-2].event, SessionFinished)
    for file, *_ in PAGES.values():
        app.switch_page(file).run()
        assert not app.exception, (file, app.exception)


def test_it_is_unpacked_once_and_is_one_line_until_it_is_gone_on_with(whole_app: AppTest) -> None:
    recorded = recorded_runs("en")[0]
    whole_app.run()
    before = lines(whole_app, "runs-rows")
    address = address_of(recorded.run_id)
    assert address_of(recorded.run_id) == address
    open_listed(whole_app, address)
    assert says(whole_app, t("badge.replay", "en"))
    whole_app.button(key="new-session").click().run()
    assert lines(whole_app, "runs-rows") == before
    with (state.runs().root / address / JOURNAL).open("ab") as journal:
        journal.write(b"{}\n")  # somebody has gone on with it
    whole_app.run()
    assert len(lines(whole_app, "runs-rows")) == len(before) + 1
    assert len(stored_runs().newest_first()) == 1


# -- the Compare page: two runs that were ticked in a list, and what can go wrong -------------------------------------


COMPARE = "pages/7_compare.py"


def test_two_saved_runs(app: AppTest, tmp_path: Path) -> None:
    for number, lang in enumerate(("en", "zh")):
        shutil.copytree(recorded_run(lang).path, tmp_path / "runs" / (str(number) * 32))
    app.query_params["lang"] = "zh"
    tab_of(app).runs_opened = ["0" * 32, "1" * 32]
    tab_of(app).runs.ticked = ["0" * 32]
    assert "runs-compare" not in keys(app.run()), "it takes two"
    tab_of(app).runs.ticked = ["0" * 32, "1" * 32]
    app.run().button(key="runs-compare").click().run()
    app.switch_page(COMPARE).run()
    assert not app.exception
    assert "发现的冲突" in shown(app, "compare-table")
    assert re.search(r"有 \d+ 项相同", shown(app, "compare-table")), "they are folded"
    assert "仅此处有" in shown(app, "compare-table")
    assert tab_of(app).run is None, "they are only read"
    press(app, "compare-open-a")
    assert worker_of(app).run_id == "0" * 32
    shutil.rmtree(tmp_path / "runs" / ("1" * 32))
    again = AppTest.from_file(app._script_path, default_timeout=30)
    tab_of(again).compare_pair = {"a": "0" * 32, "b": "1" * 32}
    again.run()
    again.switch_page(COMPARE).run()
    assert not again.exception
    assert says(again, "no such run")


# -- what the one button of the header makes of a run: made when it is asked for, and kept with its run ---------------


RUN = "ab" * 16


@pytest.fixture
def opened(whole_app: AppTest, tmp_path: Path) -> AppTest:
    shutil.copytree(recorded_run("en").path, tmp_path / "runs" / RUN)
    whole_app.query_params["run"] = RUN
    whole_app.session_state["export"] = True
    return whole_app.run()


def opened_again(page: AppTest) -> AppTest:
    """AppTest does not keep it open, as a browser does."""
    page.session_state["export"] = True
    return page.run()


def made(page: AppTest, kind: str) -> MadeFile:
    page.button(key=f"export-{kind}").click().run()
    opened_again(page)
    assert not page.exception
    return tab_of(page).files[kind]


def test_a_run_is_taken_along_as_a_page_an_archive_a_journal_and_a_case(opened: AppTest) -> None:
    assert not opened.exception
    assert not tab_of(opened).files, "nothing is made before it is asked for"
    assert {"export-json", "export-case-download"} <= keys(opened)
    assert says(opened, t("export.html_help", "en"))
    page = made(opened, "html")
    data = data_in(page.data)
    assert data["moments"][data["at"]]["seq"] == len(worker_of(opened).records)
    assert "export-html-file" in keys(opened)
    with zipfile.ZipFile(io.BytesIO(made(opened, "zip").data)) as packed:
        assert JOURNAL in packed.namelist()
    # It opens where the reader stands and speaks the page's language.
    tab_of(opened).at = 120
    opened.session_state["lang"] = "zh"
    opened_again(opened)
    data = data_in(made(opened, "html").data)
    assert data["moments"][data["at"]]["seq"] <= 120
    assert data["words"]["play"] == t("export.page.play", "zh")
    opened.session_state["lang"] = "en"
    assert "export-html" in keys(opened_again(opened)), "a file in another language is not offered"


# -- the Settings page: what holds and why, which models there are, what was deleted ----------------------------------


SETTINGS = "8_settings"


def test_without_a_run_it_shows_what_a_new_one_begins_with(app: AppTest) -> None:
    lang: Lang = "zh"
    app.query_params["lang"] = lang
    app.run()
    app.switch_page(f"pages/{SETTINGS}.py").run()
    assert not app.exception
    effective = shown(app, "effective")
    assert t("settings.of_new", lang) in effective
    assert t("settings.origin.environment", lang) in effective, "the embedding model comes from there"
    assert t("settings.endpoint_llm", lang) in shown(app, "models")
    assert "LLM_API_KEY" in shown(app, "models")
    assert "hashed-ngrams" in shown(app, "models")
    assert t("settings.storage_used", lang, count=0, size=t("unit.bytes", lang, number=0)) in shown(app, "storage")


def test_of_a_saved_run_it_shows_what_that_began_with(app: AppTest) -> None:
    open_page(app, SETTINGS, "zh")
    assert "这次运行" in shown(app, "effective")
    assert "LLM_API_KEY" not in shown(app, "models"), "this run needs none"
    assert "hashed-ngrams" in shown(app, "effective")


def test_what_was_deleted_is_brought_back_or_gone_for_good(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "is_served_here", lambda: True)
    for number in "12":
        shutil.copytree(recorded_run("en").path, tmp_path / "runs" / (number * 32))
    tab_of(app).runs_opened = ["1" * 32, "2" * 32]
    tab_of(app).runs.ticked = ["1" * 32]
    app.run().button(key="runs-delete").click().run()
    assert shown(app, "runs-deleted-words") == "1 run moved to the trash."
    app.switch_page(f"pages/{SETTINGS}.py").run()
    assert not app.exception
    assert len(lines(app, "trash-rows")) == 1
    press(app, "trash-empty")
    assert "trash-empty" not in keys(app)
    assert [*(tmp_path / "runs" / ".trash").iterdir()] == []
    assert (tmp_path / "runs" / ("2" * 32)).exists()
