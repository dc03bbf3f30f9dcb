"""What a tab remembers has one door, and two tabs share nothing."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from memorybank.ui.shell.tab import Widget, this_tab

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
