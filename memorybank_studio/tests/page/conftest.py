"""The app in this process on the studio's real stores (graph engine, Chroma, journal), in a folder of the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from memorybank.ui.shell import state
from memorybank.ui.shell.tab import Tab as Memory
from memorybank.views.i18n import LANGUAGES, t
from memorybank_lab.scripted import ScriptedServer
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.page import desk
from memorybank_studio.page import page as studio_page
from memorybank_studio.page.shelf import OpenStudio, shelf
from memorybank_studio.page.tab import StudioDesk, StudioTab
from memorybank_studio.types import PlanKey
from memorybank_studio.writes import Proposal
from tests.app.driving import ROOT, SMALL, tab_of
from tests.lent_engine import lent_engines

__all__ = ["lent_engines"]


@pytest.fixture
def tabs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent_engines: None) -> Iterator[type[Tab]]:
    """Opens tabs of one server; the studios are closed at the end."""
    monkeypatch.setenv("STORAGE_DIR", str(tmp_path / "runs"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("EMBEDDING_MODEL", SMALL["EMBEDDING_MODEL"])
    for name in ("NEO4J_URI", "CHROMA_URL"):
        monkeypatch.delenv(name, raising=False)
    real = PagesManager.__init__

    def remember(self: PagesManager, *given: Any, **named: Any) -> None:
        PagesManager.uses_pages_directory = False  # shell.py made the navigation, as in a browser
        real(self, *given, **named)

    monkeypatch.setattr(PagesManager, "__init__", remember)
    monkeypatch.setattr(studio_page, "is_served_here", lambda: True)
    for cached in (state.local, state.runs, shelf):
        cached.clear()
    yield Tab
    for id_ in list(shelf()._jobs):
        shelf().close(id_)
    for cached in (state.local, state.runs, shelf):
        cached.clear()


class Tab:
    """One tab on the studio's page."""

    _opening: Any = None

    def __init__(self, lang: str = "en") -> None:
        self.page = AppTest.from_file(str(ROOT / "shell.py"), default_timeout=60)
        self.page.query_params["lang"] = lang
        tab_of(self.page).page_wanted = "studio"
        self.run()

    def run(self) -> Tab:
        self.page.run()
        assert not self.page.exception, [one.value for one in self.page.exception]
        return self

    @property
    def desk(self) -> StudioDesk:
        """What the tab remembers of its studio."""
        return self.memory.part("studio", StudioTab).desk

    def press(self, key: str) -> Tab:
        """A button, and whatever it sets going."""
        self.page.button(key=key).click()
        return self.rest()

    def rest(self) -> Tab:
        """Draw the page until no work of this tab is under way."""
        self.run()
        id_ = self.desk.id
        opening = shelf().opening(id_) if id_ else None
        if opening is not self._opening:  # it may have opened since the page was drawn
            assert opening is None or opening.wait(120), "the studio does not open"
            self._opening = opening
            self.run()
        while (work := self.desk.work) is not None:
            assert work.job.wait(60), f"{work.job.name} does not end"
            self.run()
        return self

    def say(self, words: str) -> Tab:
        """Type into the input; below `/new Title`, into the form of a new task."""
        if words.startswith(("/new ", "/新建 ")):
            title, _, first = words.partition(" ")[2].partition("\n")
            self.page.text_input(key="studio-task-title").set_value(title)
            self.page.text_area(key="studio-task-words").set_value(first)
            return self.submit(*(t("studio.task_new", lang) for lang in LANGUAGES))
        self.page.chat_input[0].set_value(words)
        return self.rest()

    def submit(self, *labels: str) -> Tab:
        """The button of a form, by what it says."""
        next(one for one in self.page.button if one.label in labels).click()
        return self.rest()

    def begin(self, title: str = "Night") -> Tab:
        """A new, empty studio, open in the tab."""
        self.page.text_input(key="studio-new-title").set_value(title)
        return self.submit(*(t("studio.new_do", lang) for lang in LANGUAGES))

    def show(self, view: str, part: str = "") -> Tab:
        """Turn to one of the five places, and to a part of it."""
        self.page.button_group(key="studio-view").set_value(view)
        self.rest()
        if part:
            self.page.button_group(key=f"studio-{view}-part").set_value(part)
            self.rest()
        return self

    def card(self, plan: str) -> Tab:
        """Choose a card of the plan board: its buttons are shown."""
        self.desk.chosen_step = PlanKey(plan)
        return self.rest()

    def choose(self, key: str, value: Any) -> Tab:
        self.page.selectbox(key=key).set_value(value)
        return self.rest()

    @property
    def rows(self) -> tuple[Proposal, ...]:
        """Return the rows of the settlement table."""
        return self.table.proposals

    def tick_of(self, row: Proposal) -> Any:
        return next(one for one in self.page.checkbox if str(one.key).endswith(f"-{row.number}"))

    def fill(self, **values: str) -> Tab:
        """Fields of the open form of the settlement table, by their names; it is sent."""
        for name, value in values.items():
            fields: list[Any] = [*self.page.text_input, *self.page.text_area]
            next(one for one in fields if str(one.key).endswith(f"-{name}")).set_value(value)
        return self.submit(t("studio.row_keep", "en"))

    @property
    def memory(self) -> Memory:
        return tab_of(self.page)

    @property
    def table(self) -> SettlementTable:
        (task,) = [task for task in self.held.studio.gateway.tasks() if task.id == self.desk.task]
        table = desk.table(self.held, task)
        assert table is not None, "no settlement is open"
        return table

    @property
    def held(self) -> OpenStudio:
        job = shelf().opening(self.desk.id)
        return job.result()


def use_model(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"ENGINE": "llm", "LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k-1234567890"}
    for name, value in {**given, "LLM_ATTEMPTS": "1"}.items():
        monkeypatch.setenv(name, value)
    state.local.clear()
