"""The button that makes one HTML file: made when it is asked for, offered with its size, forgotten with its run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.types import Lang
from memorybank.ui.shell import links
from memorybank.views.i18n import t
from tests.app.driving import says, tab_of
from tests.recorded import recorded_run
from tests.views.html_export.reading import data_in

FILES = "replay-section"
RUN = "ab" * 16


@pytest.fixture
def replay(app: AppTest, tmp_path: Path) -> AppTest:
    shutil.copytree(recorded_run("en").path, tmp_path / "runs" / RUN)
    app.query_params["run"] = RUN
    app.run()
    app.session_state[FILES] = "files"
    return app.switch_page(links.PAGES["replay"][0]).run()


def made(page: AppTest) -> bytes:
    """The file that the page offers."""
    found: bytes = tab_of(page).replay.exported.data
    return found


def test_it_is_made_on_demand_and_offered_with_its_size(replay: AppTest) -> None:
    assert not replay.exception
    assert says(replay, t("export.privacy", "en"))
    assert replay.get("download_button") is not None
    assert tab_of(replay).replay.exported is None
    replay.button(key="export-make").click().run()
    assert not replay.exception
    page = made(replay)
    data = data_in(page)
    assert (data["lang"], data["at"], data["last"]) == ("en", data["last"], len(tab_of(replay).run.records))
    label = t("export.download", "en", size=f"{len(page) / 1e6:.1f} MB")
    assert [button.label for button in replay.get("download_button") if button.key == "export-download"] == [label]
    assert replay.button(key="export-make").label == t("export.again", "en")
    assert says(replay, f"{data['last']} events")


def test_it_opens_where_the_reader_stands_and_speaks_the_pages_language(replay: AppTest) -> None:
    tab_of(replay).at = 120
    replay.session_state["lang"] = "zh"
    replay.run()
    replay.button(key="export-make").click().run()
    assert not replay.exception
    data = data_in(made(replay))
    assert (data["lang"], data["at"]) == ("zh", 120)
    lang: Lang = "en"
    replay.session_state["lang"] = lang
    replay.run()
    assert tab_of(replay).replay.exported is None, "a file in another language is not offered"
    assert replay.button(key="export-make").label == t("export.make", "en")
