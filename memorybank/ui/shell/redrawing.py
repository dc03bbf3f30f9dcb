"""A page of which parts are drawn anew, on a busy machine: all of it is sent, in order, to where it stands.

Streamlit loses parts of a page in some moments, and its browser side answers what then has no place by taking the whole
page away ("Bad delta path index"):

- A fragment is run again before its last drawing was sent: that is dropped, but for references to what has not changed
  (they do not name their fragment) and the word that a whole drawing has ended, upon which the page clears away what
  did not come. Here all that waits is sent.
- The whole page is asked for when a fragment has just been drawn: the same thread draws it, and begins where the
  fragment stands. Here it begins at the top.
- A fragment's timer is due while another page is being turned to: the answer names the page that was left, and the
  browser clears away the new one. Here it names the page that is there.
- A request comes when a script has ended and its last words wait to be heard: they were dropped for those of the script
  that answers the request. Here they are heard, until that one begins to speak.
- A page is drawn anew before a file that is sent was told its address: the file waits for ever. Here it is told.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from weakref import WeakSet

from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent

_clear, _run_script = ForwardMsgQueue.clear, ScriptRunner._run_script
_hear = AppSession._handle_scriptrunner_event_on_event_loop


_speaking: WeakSet[ScriptRunner] = WeakSet()
"""Scripts whose beginning was heard."""


def _clear_what_is_drawn_anew(
    self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    if fragment_ids_this_run:
        self._delta_index_map = {}  # what comes now stands behind what waits, and is not put into it
        return
    addresses = [msg for msg in self._queue if msg.HasField("file_urls_response")]
    _clear(self, retain_lifecycle_msgs, fragment_ids_this_run)
    if retain_lifecycle_msgs:
        self._queue += addresses


def _run_where_it_stands(self: ScriptRunner, rerun_data: RerunData) -> None:
    context_dg_stack.set(get_default_dg_stack_value())  # a fragment goes to its own place by itself
    if rerun_data.fragment_id_queue:
        rerun_data = replace(rerun_data, page_script_hash=self._pages_manager.current_page_script_hash)
    _run_script(self, rerun_data)


def _hear_to_the_end(
    self: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, *more: Any, **named: Any
) -> None:
    current = self._scriptrunner
    if event is ScriptRunnerEvent.SCRIPT_STARTED and sender is not None and sender is current:
        _speaking.add(sender)
    if current is None or current in _speaking or sender is None or event is ScriptRunnerEvent.SHUTDOWN:
        _hear(self, sender, event, *more, **named)
        return
    self._scriptrunner = sender
    try:
        _hear(self, sender, event, *more, **named)
    finally:
        self._scriptrunner = current


def keep_whole() -> None:
    """Of every page of this process, from now on."""
    ForwardMsgQueue.clear = _clear_what_is_drawn_anew  # type: ignore[method-assign]
    ScriptRunner._run_script = _run_where_it_stands  # type: ignore[method-assign]
    AppSession._handle_scriptrunner_event_on_event_loop = _hear_to_the_end  # type: ignore[method-assign]
