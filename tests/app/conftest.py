"""The app as a test drives it: AppTest pages on folders of the test, and a real server for a real browser."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from memorybank.ui.shell import state
from memorybank_studio.page.tab import register
from tests.app.driving import ROOT, SMALL
from tests.serving import served

register()  # as shell.py does: the pages that tests go through are those of the app


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The app in this process, its runs in a folder of the test, with the embedding that needs no model."""
    for thread in threading.enumerate():
        if isinstance(thread, state.WarmUp):  # it would read the settings of the test before, and keep them
            thread.join(60)
    monkeypatch.setenv("STORAGE_DIR", str(tmp_path / "runs"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("EMBEDDING_MODEL", SMALL["EMBEDDING_MODEL"])
    state.local.clear()
    state.runs.clear()
    page = AppTest.from_file(str(ROOT / "shell.py"), default_timeout=30)
    yield page
    for worker in list(state.runs()._workers.values()):
        worker.close()
    state.local.clear()
    state.runs.clear()


@pytest.fixture
def whole_app(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The app as a browser runs it: shell.py around every page, each time.

    AppTest forgets between two runs that shell.py made the navigation, and then runs a page alone: it sees `pages/`.
    """
    real = PagesManager.__init__

    def remember(self: PagesManager, *given: Any, **named: Any) -> None:
        PagesManager.uses_pages_directory = False
        real(self, *given, **named)

    monkeypatch.setattr(PagesManager, "__init__", remember)
    return app


@pytest.fixture(scope="session")
def serve_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Start the app as a person does; answers with its address. One server an environment."""
    addresses: dict[frozenset[tuple[str, str]], str] = {}
    with ExitStack() as started:

        def start(**environment: str) -> str:
            name = frozenset(environment.items())
            if name not in addresses:
                folder = tmp_path_factory.mktemp("app")
                given = {"STORAGE_DIR": str(folder / "runs"), "XDG_STATE_HOME": str(folder / "state")}
                server = served(Path("app.py"), folder / "log.txt", {**given, **environment})
                addresses[name] = started.enter_context(server)
            return addresses[name]

        yield start
