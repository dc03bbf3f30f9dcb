"""The Settings page: what holds and why, which models there are, what was deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.types import Lang
from memorybank.ui.settings import storage
from memorybank.views.i18n import t
from tests.app.driving import keys, lines, shown, tab_of
from tests.app.recorded_page import open_page
from tests.recorded import recorded_run

PAGE = "8_settings"


def saved(tmp_path: Path, *numbers: int, lang: Lang = "en") -> None:
    for number in numbers:
        shutil.copytree(recorded_run(lang).path, tmp_path / "runs" / (str(number) * 32))


def here(app: AppTest, *numbers: int) -> AppTest:
    """The page, in a browser that has opened these runs."""
    tab_of(app).runs_opened = [str(number) * 32 for number in numbers]
    app.run()
    return app.switch_page(f"pages/{PAGE}.py").run()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_a_run_it_shows_what_a_new_one_begins_with(app: AppTest, lang: Lang) -> None:
    app.query_params["lang"] = lang
    here(app)
    assert not app.exception
    effective = shown(app, "effective")
    assert t("settings.of_new", lang) in effective
    assert t("settings.origin.environment", lang) in effective, "the embedding model comes from there"
    assert t("settings.endpoint_llm", lang) in shown(app, "models")
    assert "LLM_API_KEY" in shown(app, "models")
    assert "hashed-ngrams" in shown(app, "models")
    assert t("settings.storage_used", lang, count=0, size=t("unit.bytes", lang, number=0)) in shown(app, "storage")


def test_of_a_saved_run_it_shows_what_that_began_with(app: AppTest) -> None:
    open_page(app, PAGE, "zh")
    assert "本次运行" in shown(app, "effective")
    assert "hashed-ngrams" in shown(app, "effective")


def test_what_was_deleted_is_brought_back_or_gone_for_good(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "is_served_here", lambda: True)
    saved(tmp_path, 1, 2)
    tab_of(app).runs_opened = ["1" * 32, "2" * 32]
    tab_of(app).runs.ticked = ["1" * 32]
    app.run().button(key="runs-delete").click().run()
    assert shown(app, "runs-deleted-words") == "1 run is in the trash."
    app.switch_page(f"pages/{PAGE}.py").run()
    assert not app.exception
    assert len(lines(app, "trash-rows")) == 1
    app.button(key="trash-empty").click().run()
    assert not app.exception
    assert "trash-empty" not in keys(app)
    assert [*(tmp_path / "runs" / ".trash").iterdir()] == []
    assert (tmp_path / "runs" / ("2" * 32)).exists()
