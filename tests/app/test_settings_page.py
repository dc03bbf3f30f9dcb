"""The Settings page: what holds and why, which models there are, storage that is cleaned up with care."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.types import Lang
from memorybank.ui.settings import storage
from memorybank.views.i18n import t
from tests.app.driving import keys, lines, shown, tab_of
from tests.app.recorded_page import RUN_ID, open_page
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
    for name in ("RETRIEVAL_ALPHA", "NEIGHBOR_SHARE", "NEO4J_PASSWORD", "CHROMA_URL"):
        assert name in shown(app, "machine")


def test_of_a_saved_run_it_shows_what_that_began_with(app: AppTest) -> None:
    open_page(app, PAGE, "zh")
    assert "本次运行" in shown(app, "effective")
    assert "hashed-ngrams" in shown(app, "effective")


def test_what_is_older_goes_to_the_trash_but_for_what_is_open(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "is_served_here", lambda: True)
    saved(tmp_path, 1, 2)
    tab_of(app).runs_opened = ["1" * 32, "2" * 32, RUN_ID]
    open_page(app, PAGE)
    tab_of(app).compare_pair = {"a": "1" * 32, "b": "1" * 32}
    app.number_input(key="delete-days").set_value(0).run()
    assert app.button(key="delete-older").label == "Delete 1 run", "the open ones are not promised to go"
    app.button(key="delete-older").click().run()
    assert not app.exception
    assert shown(app, "storage-deleted-words") == "1 run is in the trash."
    assert lines(app, "trash-rows")
    app.button(key="storage-undo").click().run()
    assert sorted(path.name[0] for path in (tmp_path / "runs").iterdir()) == [".", "1", "2", RUN_ID[0]]
    assert not lines(app, "trash-rows")

    app.button(key="delete-older").click().run()
    app.button(key="trash-empty").click().run()
    assert not app.exception
    assert not keys(app) & {"storage-undo", "trash-empty"}
    assert [*(tmp_path / "runs" / ".trash").iterdir()] == []


def test_older_ones_go_by_their_days(app: AppTest, tmp_path: Path) -> None:
    saved(tmp_path, 1, 2)
    old = tmp_path / "runs" / ("1" * 32) / "journal.jsonl"
    events = [json.loads(line) for line in old.read_text("utf-8").splitlines()]
    aged = [events[0], *({**line, "at": line["at"] - 40 * 86_400} for line in events[1:])]
    old.write_text("".join(json.dumps(line) + "\n" for line in aged), "utf-8")
    here(app, 1, 2)
    app.button(key="delete-older").click().run()
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [".trash", "2" * 32]
