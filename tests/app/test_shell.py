"""What stands around every page: the header, the language, presentation, a page without a run, problems."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.ui.components import problems
from memorybank.ui.shell import state
from memorybank.views.i18n import t
from memorybank.views.link import PAGES
from tests.app.driving import component, keys, lines, open_listed, says, tab_of, worker_of
from tests.recorded import recorded_run

RUN = "5c" * 16
EMPTY = ("graph", "conflicts", "tree", "prompt", "replay")
"""Pages that show nothing of their own while no run is open."""


def shell(page: AppTest) -> dict[str, Any]:
    """What the browser was given."""
    data: dict[str, Any] = component(page, "shell")["wrapped"][0]
    return data


def cookies(**kept: str) -> Callable[[str], str]:
    return defaultdict(str, kept).__getitem__


def turned_to(page: AppTest, name: str) -> AppTest:
    tab_of(page).page_wanted = name
    return page.run()


def test_a_page_without_a_run_says_what_it_is_for_and_leads_on(whole_app: AppTest) -> None:
    lang: Lang = "zh"
    whole_app.query_params["lang"] = lang
    for name in EMPTY:
        turned_to(whole_app, name)
        assert not whole_app.exception
        assert tab_of(whole_app).page == name
        assert says(whole_app, t("shell.no_run", lang))
        assert says(whole_app, t(f"shell.no_run.{name}", lang))
        assert {"start-demo", "to-form", "story-start", "shell", "lang"} <= keys(whole_app)
    whole_app.button(key="to-form").click().run()
    assert tab_of(whole_app).page == "session"
    assert "new-prompt" in keys(whole_app)


def test_the_runs_of_this_browser_and_no_others(
    whole_app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (RUN, "5d" * 16):
        shutil.copytree(recorded_run("en").path, tmp_path / "runs" / name)
    monkeypatch.setattr(state, "_cookie", cookies(runs=f"{'0' * 32}.{RUN}.<b>"))
    turned_to(whole_app, "prompt")
    listed = [line for line in lines(whole_app, "runs-rows") if "Sample" not in line]
    assert len(listed) == 1, "nobody is told another's runs"
    open_listed(whole_app, RUN)
    assert not whole_app.exception
    assert "read-only-words" in keys(whole_app)
    assert shell(whole_app)["remember"] == {"lang": "", "run": RUN, "own": ""}
    assert not worker_of(whole_app).takes_orders
    assert "prompt-view" in keys(whole_app)


def test_the_language_is_chosen_remembered_and_kept_in_the_address(whole_app: AppTest) -> None:
    whole_app.run()
    assert shell(whole_app)["remember"]["lang"] == "", "nothing was chosen yet"
    whole_app.button_group(key="lang").set_value("zh").run()
    assert shell(whole_app)["remember"]["lang"] == "zh"
    assert whole_app.button(key="story-start").label == "故事"
    assert "zh" in whole_app.query_params["lang"]
    turned_to(whole_app, "tree")
    assert says(whole_app, "还没有打开的运行")


def test_a_new_visit_has_the_language_of_the_last(whole_app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "_cookie", cookies(lang="zh"))
    whole_app.context = {"locale": "en-US"}
    assert says(whole_app.run(), "不用模型")
    other = AppTest.from_file(whole_app._script_path, default_timeout=30)
    other.query_params["lang"] = "en"
    assert says(other.run(), "Without a model"), "an address goes before it"
    assert says(other, "Watch a memory at work")
    monkeypatch.setattr(state, "_cookie", cookies(lang="<script>"))
    assert says(AppTest.from_file(whole_app._script_path, default_timeout=30).run(), "Without a model")
    chinese = AppTest.from_file(whole_app._script_path, default_timeout=30)
    chinese.context = {"locale": "zh-CN"}
    assert chinese.run().button(key="demo").label == "运行演示", "the browser's own is the first choice"


def test_a_kept_problem_stands_above_any_page_until_it_can_have_been_read(
    whole_app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*EMPTY, "settings"):
        tab_of(whole_app).problems.waiting = OSError(28, "No space left on device", "/secret/folder/run.jsonl")
        turned_to(whole_app, name)
        assert not whole_app.exception
        assert says(whole_app, "isk is full, run.jsonl could not be written")
        assert not says(whole_app, "/secret/folder")
        assert says(whole_app.run(), "run.jsonl"), "a run of the page that nobody asked for leaves it there"
        with monkeypatch.context() as later:
            later.setattr(problems, "STAYS", 0.0)
            assert not says(whole_app.run(), "run.jsonl")


def test_the_header_stands_though_the_run_cannot_be_shown(whole_app: AppTest, tmp_path: Path) -> None:
    folder = shutil.copytree(recorded_run("en").path, tmp_path / "runs" / RUN)
    journal = Path(folder) / "journal.jsonl"
    text = re.sub(r'"left": "n\d+", "right"', '"left": "n999", "right"', journal.read_text("utf-8"))
    journal.write_text(text, "utf-8")
    whole_app.query_params["run"] = RUN
    whole_app.run()
    assert not whole_app.exception
    assert says(whole_app, "An event names node n999")
    assert tab_of(whole_app).run is None
    assert {"demo", "lang", "story-start"} <= keys(whole_app)
    assert load(recorded_run("en").path), "the original is whole"


def test_without_the_studio_the_app_is_whole(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "memorybank_studio" else find_spec(name, package)

    monkeypatch.setattr("importlib.util.find_spec", find)
    monkeypatch.delitem(PAGES, "studio")
    monkeypatch.delitem(state.said_in_address, "studio")
    app.query_params["studio"] = "7e" * 16
    app.run()
    assert not app.exception
    assert "studio" not in PAGES
    assert app.button(key="demo")
    for name in PAGES:
        assert not turned_to(app, name).exception
