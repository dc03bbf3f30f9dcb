"""What a timer of the page sends holds no click; all else is untouched; and no callback is ended by another request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.safe_session_state import SafeSessionState

from memorybank.ui.shell import clicks
from tests.ui.shell.scripts import run_script


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Callable[[BackMsg], BackMsg]:
    """What Streamlit hears of a message, while clicks are heard once."""
    heard: list[BackMsg] = []
    session = MagicMock(session_state=SessionState())
    for widget, fragment in (("button", "f"), ("menu", "f"), ("component", "f"), ("pause", None), ("over", "g")):
        session.session_state._set_widget_metadata(
            WidgetMetadata(widget, lambda value: value, lambda value: value, "trigger_value", fragment_id=fragment)
        )
    monkeypatch.setattr(clicks, "_take", lambda _session, message: heard.append(message))
    monkeypatch.setattr(AppSession, "handle_backmsg", AppSession.handle_backmsg)
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun)
    clicks.hear_clicks_once()

    def hear(message: BackMsg) -> BackMsg:
        AppSession.handle_backmsg(session, message)
        return heard.pop()

    return hear


def message(*, by_timer: bool) -> BackMsg:
    sent = BackMsg()
    sent.rerun_script.fragment_id = "f"
    sent.rerun_script.query_string = "k=3"
    sent.rerun_script.is_auto_rerun = by_timer
    widgets = sent.rerun_script.widget_states.widgets
    widgets.add(id="button", trigger_value=True)
    widgets.add(id="switch", bool_value=True)
    widgets.add(id="menu").string_trigger_value.data = "copy"
    widgets.add(id="component", json_trigger_value='[{"event": "over", "value": 1}]')
    widgets.add(id="chat").chat_input_value.data = "hello"
    widgets.add(id="field", string_value="typed")
    return sent


def test_a_timer_brings_states_and_no_clicks(heard: Callable[[BackMsg], BackMsg]) -> None:
    left = heard(message(by_timer=True)).rerun_script
    assert [widget.id for widget in left.widget_states.widgets] == ["switch", "field"]
    assert (left.widget_states.widgets[0].bool_value, left.widget_states.widgets[1].string_value) == (True, "typed")
    assert (left.fragment_id, left.query_string, left.is_auto_rerun) == ("f", "k=3", True)


@pytest.mark.parametrize("elsewhere", ["pause", "over"])
def test_clicks_in_two_parts_of_the_page_at_once_draw_all_of_it(
    heard: Callable[[BackMsg], BackMsg], elsewhere: str
) -> None:
    both = message(by_timer=False)
    both.rerun_script.widget_states.widgets.add(id=elsewhere, trigger_value=True)
    taken = heard(both).rerun_script
    assert not taken.fragment_id
    assert len(taken.widget_states.widgets) == 7, "nothing is lost"


def test_all_else_comes_as_it_was_sent(heard: Callable[[BackMsg], BackMsg]) -> None:
    assert heard(message(by_timer=False)) == message(by_timer=False)
    assert heard(BackMsg(stop_script=True)) == BackMsg(stop_script=True)
    assert heard(BackMsg()) == BackMsg()


MEANWHILE: list[Callable[[], None]] = []
"""What the page asks for while a callback runs."""

SCRIPT = """
import streamlit as st
from tests.ui.shell.test_clicks import MEANWHILE

def press():
    MEANWHILE[0]()
    st.query_params["begun"] = "yes"  # sends something to the page
    st.session_state["done"] = "all of it"

st.button("press", on_click=press)
st.text(st.session_state.get("done", "nothing"))
"""


@pytest.mark.usefixtures("heard")
def test_callbacks_run_to_their_end_whatever_the_page_asks_for_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[ScriptRunnerEvent] = []
    texts: list[str] = []
    buttons: list[str] = []

    def look(runner: ScriptRunner, event: ScriptRunnerEvent, more: dict[str, Any]) -> None:
        events.append(event)
        if event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            element = more["forward_msg"].delta.new_element
            buttons.extend([element.button.id] * element.HasField("button"))
            texts.extend([element.text.body] * element.HasField("text"))
        elif event is ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS and texts == ["nothing"]:
            MEANWHILE[:] = [lambda: runner.request_rerun(RerunData()) and None]
            click = WidgetStates()
            click.widgets.add(id=buttons[0], trigger_value=True)
            runner.request_rerun(RerunData(widget_states=click))

    run_script(tmp_path / "page.py", SCRIPT, look, monkeypatch)
    assert ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN in events, "afterwards it looks again"
    assert texts == ["nothing", "all of it"]
