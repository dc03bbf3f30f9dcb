"""What the one button of the header makes of a run: made when it is asked for, and kept with its run."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.runs.run_folder import JOURNAL
from memorybank.ui.shell.tab import MadeFile
from memorybank.views.i18n import t
from tests.app.driving import keys, says, tab_of, worker_of
from tests.recorded import recorded_run
from tests.views.html_export.reading import data_in

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


def test_the_page_opens_where_the_reader_stands_and_speaks_the_pages_language(opened: AppTest) -> None:
    tab_of(opened).at = 120
    opened.session_state["lang"] = "zh"
    opened_again(opened)
    data = data_in(made(opened, "html").data)
    assert data["moments"][data["at"]]["seq"] <= 120
    assert data["words"]["play"] == t("export.page.play", "zh")
    opened.session_state["lang"] = "en"
    assert "export-html" in keys(opened_again(opened)), "a file in another language is not offered"
