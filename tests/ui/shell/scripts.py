"""A script run by Streamlit's own runner, with requests that come at an exact moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.runtime import Runtime
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

Look = Callable[[ScriptRunner, ScriptRunnerEvent, dict[str, Any]], None]
"""Called on the script's thread at each event. What is asked for here was asked for before it looks what to do next."""


def run_script(path: Path, source: str, look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run it once, and whatever `look` asks for; until it has nothing more to do."""
    monkeypatch.setattr(Runtime, "_instance", MagicMock())  # as Streamlit's AppTest does
    path.write_text(source, encoding="utf-8")
    state = SafeSessionState(SessionState(), lambda: None)
    runner = LocalScriptRunner(str(path), state, PagesManager(str(path), ScriptCache()))
    ended = threading.Event()

    def hear(_sender: object, event: ScriptRunnerEvent, **more: Any) -> None:
        look(runner, event, more)
        if event is ScriptRunnerEvent.SHUTDOWN:
            ended.set()

    runner.on_event.connect(hear)
    runner.request_rerun(RerunData())
    runner.start()
    assert ended.wait(30)
