"""A click that is heard, and once.

Streamlit's page holds a click back for a moment before it sends it. A fragment's timer (`run_every`) that is due in
this moment sends what the page holds, the click with it, and then the click is sent by itself: the button's callback
would run twice. So what a timer sends is relieved of clicks before Streamlit hears it.

What is clicked in different parts of the page in one such moment is sent as if all of it were in the part that was
clicked first, and only that is drawn anew: what the other click did is not seen. Then the whole page is drawn.

And Streamlit drops a click whose request has begun to be answered when the page asks for something else meanwhile: it
looks for that before the callbacks, and wherever a callback reads what the tab remembers or sends something to the
page. Here it looks after them.
"""

from __future__ import annotations

from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.state.safe_session_state import SafeSessionState

TRIGGERS = frozenset({"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"})
"""The kinds of values that Streamlit takes for something that has just been done; all others are states."""

_take, _hear = AppSession.handle_backmsg, SafeSessionState.on_script_will_rerun


def _take_clicks(self: AppSession, msg: BackMsg) -> None:
    request = msg.rerun_script
    widgets = request.widget_states.widgets
    if request.is_auto_rerun:
        states = [widget for widget in widgets if widget.WhichOneof("value") not in TRIGGERS]
        del widgets[:]
        widgets.extend(states)
    elif request.fragment_id:
        clicked = [widget.id for widget in widgets if widget.WhichOneof("value") in TRIGGERS]
        known = filter(None, map(self.session_state.get_widget_metadata, clicked))
        if any(metadata.fragment_id != request.fragment_id for metadata in known):
            request.ClearField("fragment_id")
    _take(self, msg)


def _hear_to_the_end(self: SafeSessionState, *states: Any, **more: Any) -> None:
    runner = getattr(self._yield_callback, "__self__", None)
    if not isinstance(runner, ScriptRunner):
        _hear(self, *states, **more)
        return
    runner._execing = False  # by this it knows that it is not the time to look
    try:
        _hear(self, *states, **more)
    finally:
        runner._execing = True


def hear_clicks_once() -> None:
    """Of every page of this process, from now on."""
    AppSession.handle_backmsg = _take_clicks  # type: ignore[method-assign]
    SafeSessionState.on_script_will_rerun = _hear_to_the_end  # type: ignore[method-assign]
