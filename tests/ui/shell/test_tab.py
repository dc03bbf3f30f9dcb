"""What a tab remembers has one door, what is worked out once is kept, and pages and imports take turns."""

from __future__ import annotations

import ast
import threading
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from memorybank.ui.shell.import_turns import ImportTurns
from memorybank.ui.shell.tab import Widget, forget, kept, this_tab
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]


def test_streamlits_memory_of_a_session_is_touched_in_one_module() -> None:
    files = [*(ROOT / "memorybank").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py", ROOT / "shell.py"]
    names = {
        str(file.relative_to(ROOT))
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if "session_state"
        in (getattr(node, "attr", ""), getattr(node, "name", ""), getattr(node, "id", ""), getattr(node, "value", ""))
    }
    reads_of_widgets = "memorybank/ui/shell/patches.py"  # asks in which part of the page one stands, and keeps nothing
    assert names - {reads_of_widgets} == {"memorybank/ui/shell/tab.py"}


def test_two_sessions_share_nothing_and_a_widget_begins_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = dict[str, Any](), dict[str, Any]()
    for session in sessions:
        monkeypatch.setattr(st, "session_state", session)
        assert this_tab().selections == {}
        assert Widget[int]("number").held() is None
        this_tab().selections["graph"] = object()  # type: ignore[assignment]
        Widget[int]("number").begin_with(1)
        Widget[int]("number").begin_with(2)
        assert Widget[int]("number").value(0) == 1
    assert sessions[0]["tab"] is not sessions[1]["tab"]


def test_a_value_is_built_once_and_the_newest_of_its_kind_are_kept() -> None:
    built: list[int] = []

    def value(number: int, *, most: int = 1) -> int:
        def build() -> int:
            built.append(number)
            return number * 10

        return kept(("test-memo", number), build, most=most)

    assert [value(1), value(1), value(2), value(1)] == [10, 10, 20, 10]
    assert built == [1, 2, 1]
    assert [value(2, most=2), value(1, most=2), value(2, most=2)] == [20, 10, 20]
    assert built == [1, 2, 1, 2], "two are kept"
    forget("test-memo")
    assert (value(2), built) == (20, [1, 2, 1, 2, 2])
    forget("test-memo")
    forget("test-memo")


def test_the_background_imports_only_while_nothing_is_drawn_and_a_page_waits_for_it() -> None:
    turns = ImportTurns()
    told: list[str] = []
    imported = threading.Event()

    def ahead() -> None:
        with turns.ahead():
            told.append("import begins")
            imported.wait(10)
            told.append("import ends")

    def page() -> None:
        with turns.drawing():
            told.append("second page")

    background = threading.Thread(target=ahead)
    with turns.drawing():
        background.start()
        background.join(0.1)
        told.append("first page")
    wait_until(lambda: told[-1] == "import begins", 10)
    second = threading.Thread(target=page)
    second.start()
    second.join(0.1)
    assert told == ["first page", "import begins"]
    imported.set()
    background.join(10)
    second.join(10)
    assert told == ["first page", "import begins", "import ends", "second page"]


def test_pages_do_not_wait_for_each_other_and_one_that_fails_leaves() -> None:
    turns = ImportTurns()
    with turns.drawing():
        try:
            with turns.drawing():
                raise RuntimeError
        except RuntimeError:
            pass
    with turns.ahead():
        pass


def test_nobody_waits_for_ever() -> None:
    turns = ImportTurns(longest=0.05)
    with turns.drawing(), turns.ahead(), turns.drawing():
        pass
