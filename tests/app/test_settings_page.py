"""The Settings page: what holds and why, engines that are asked on demand, storage that is cleaned up with care."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.types import Lang
from memorybank.ui.settings import storage
from memorybank.ui.shell import state
from memorybank.views.i18n import t
from memorybank_lab.scripted import ScriptedServer, scripted_agents
from tests.app.driving import keys, lines, says, shown, tab_of
from tests.app.recorded_page import RUN_ID, open_page
from tests.llm.local_servers import Ollama
from tests.recorded import recorded_run
from tests.waiting import wait_until

PAGE = "8_settings"
KEY = "sk-settings-0123456789abcdefghij"


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
    assert t("settings.endpoint_llm", lang) in shown(app, "health-head-llm")
    assert app.button(key="check-now-llm").disabled, "there is nothing to ask"
    assert "LLM_API_KEY" in shown(app, "health-llm")
    assert t("settings.storage_used", lang, count=0, size=t("unit.bytes", lang, number=0)) in shown(app, "storage")
    for name in ("RETRIEVAL_ALPHA", "NEIGHBOR_SHARE", "NEO4J_PASSWORD", "CHROMA_URL"):
        assert name in shown(app, "machine")


def test_of_a_saved_run_it_shows_what_that_began_with(app: AppTest) -> None:
    open_page(app, PAGE, "zh")
    assert "本次运行" in shown(app, "effective")
    assert "hashed-ngrams" in shown(app, "effective")
    assert all(button.key != "clear" for button in app.button), "what is only read is not cleared here"


def test_the_endpoint_is_asked_on_demand(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(scripted_agents(), api_key=KEY) as server:
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("LLM_MODEL", "small-talk")
        monkeypatch.setenv("LLM_API_KEY", KEY)
        state.local.clear()
        here(app)
        assert says(app, "Not asked yet.")
        assert not server.chats
        for key, words in ((KEY, "It answers"), ("sk-wrong-0123456789", "No answer")):
            monkeypatch.setenv("LLM_API_KEY", key)
            state.local.clear()
            app.switch_page(f"pages/{PAGE}.py").run()
            app.button(key="check-now-llm").click().run()
            wait_until(lambda: not tab_of(app).settings.checks["llm"].running, 30)
            app.switch_page(f"pages/{PAGE}.py").run()
            assert not app.exception
            assert words in shown(app, "health-llm")
        assert "LLM_API_KEY" in shown(app, "health-llm")
        assert not says(app, KEY)
        assert not says(app, "sk-wrong")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_model_of_a_role_is_checked_by_itself_and_what_it_can_do_is_told(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    with Ollama() as server:
        monkeypatch.setenv("LLM_PROVIDER", "ollama")
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("LLM_MODEL_PLANNING", "qwen3:32b")
        for name in ("LLM_MODEL", "LLM_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        state.local.clear()
        app.query_params["lang"] = lang
        here(app)
        assert t("role.planning", lang) in shown(app, "health-head-llm-2")
        assert "qwen3:32b" in shown(app, "health-head-llm-2")
        for key in ("llm", "llm-2"):
            app.button(key=f"check-now-{key}").click().run()
            wait_until(lambda key=key: not tab_of(app).settings.checks[key].running, 30)
        app.switch_page(f"pages/{PAGE}.py").run()
        assert not app.exception
        able = shown(app, "health-llm")
        assert "qwen2.5vl:7b" in able
        assert t("settings.fact.first_listed", lang) in able
        for fact in ("tools", "images", "context", "most_context", "answers"):
            assert t(f"settings.fact.{fact}", lang) in able
        assert "ollama pull qwen3:32b" in shown(app, "health-llm-2")
        assert "LLM_MODEL_PLANNING" in shown(app, "health-llm-2")


def choose(app: AppTest, number: int) -> None:
    """Tick a run's line."""
    tab_of(app).runs.ticked = [str(number) * 32]
    app.switch_page(f"pages/{PAGE}.py").run()


def test_a_chosen_run_is_deleted_and_only_that(app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "is_served_here", lambda: True)
    saved(tmp_path, 1, 2, 3)
    here(app, 1, 2, 3)
    assert says(app, "in 3 runs")
    assert app.button(key="storage-delete").disabled
    choose(app, 2)
    app.button(key="storage-delete").click().run()
    assert not app.exception
    assert shown(app, "storage-deleted-words") == "1 run is in the trash."
    assert sorted(path.name[0] for path in (tmp_path / "runs").iterdir()) == [".", "1", "3"]
    assert lines(app, "trash-rows")
    app.button(key="storage-undo").click().run()
    assert sorted(path.name[0] for path in (tmp_path / "runs").iterdir()) == [".", "1", "2", "3"]
    assert len(lines(app, "storage-rows")) == 3
    assert not lines(app, "trash-rows")

    choose(app, 2)
    app.button(key="storage-delete").click().run()
    app.button(key="trash-empty").click().run()
    assert not app.exception
    assert not keys(app) & {"storage-undo", "trash-empty"}
    assert [*(tmp_path / "runs" / ".trash").iterdir()] == []


def test_the_open_run_stays_whatever_is_chosen(app: AppTest, tmp_path: Path) -> None:
    saved(tmp_path, 1)
    tab_of(app).runs_opened = ["1" * 32, RUN_ID]
    open_page(app, PAGE)
    assert says(app, "Open here")
    app.number_input(key="delete-days").set_value(0).run()
    assert app.button(key="delete-older").label == "Delete 1 run", "the open one is not promised to go"
    tab_of(app).runs.ticked = ["1" * 32, RUN_ID]
    app.run()
    assert app.button(key="storage-delete").disabled
    tab_of(app).compare.pair = {"a": "1" * 32, "b": "1" * 32}
    choose(app, 1)
    app.button(key="storage-delete").click().run()
    assert shown(app, "storage-deleted-words") == "1 is open and was kept."
    tab_of(app).compare.pair = None
    app.button(key="storage-delete").click().run()
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [".trash", RUN_ID]


def test_older_ones_go_by_their_days(app: AppTest, tmp_path: Path) -> None:
    saved(tmp_path, 1, 2)
    old = tmp_path / "runs" / ("1" * 32) / "journal.jsonl"
    events = [json.loads(line) for line in old.read_text("utf-8").splitlines()]
    aged = [events[0], *({**line, "at": line["at"] - 40 * 86_400} for line in events[1:])]
    old.write_text("".join(json.dumps(line) + "\n" for line in aged), "utf-8")
    here(app, 1, 2)
    app.button(key="delete-older").click().run()
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [".trash", "2" * 32]


def test_many_runs_are_listed_a_part_at_a_time(app: AppTest, tmp_path: Path) -> None:
    source = recorded_run("en").path / "journal.jsonl"
    for number in range(15):
        folder = tmp_path / "runs" / f"{number:032x}"
        folder.mkdir(parents=True)
        shutil.copy(source, folder)
    tab_of(app).runs_opened = []
    app.run()
    tab_of(app).runs_opened = [f"{number:032x}" for number in range(15)]
    app.switch_page(f"pages/{PAGE}.py").run()
    assert len(lines(app, "storage-rows")) == 8
    if says(app, "in 15 runs"):  # a server for this machine alone, else what a browser remembers
        assert shown(app, "storage-cut") == "Showing 8 of 15"
        app.button(key="storage-more").click().run()
        assert len(lines(app, "storage-rows")) == 15
    assert not app.exception
