"""Five methods of Streamlit are replaced, so that on a busy machine a page is drawn whole and a click is heard once.

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

Its page also holds a click back for a moment before it sends it. A fragment's timer (`run_every`) that is due in this
moment sends what the page holds, the click with it, and then the click is sent by itself: the button's callback would
run twice. So what a timer sends is relieved of clicks before Streamlit hears it. What is clicked in different parts of
the page in one such moment is sent as if all of it were in the part that was clicked first, and only that is drawn
anew: here the whole page is. And a click whose request has begun to be answered is dropped when the page asks for
something else meanwhile: Streamlit looks for that before the callbacks, and wherever a callback reads what the tab
remembers or sends something to the page. Here it looks after them.

None of the five is public. Each patch says which parts of Streamlit it reads; where one is missing, Streamlit's own
method stays, a line in the log says so, and the app works with the faults above. `pyproject.toml` admits the minor
version of Streamlit on which the tests ran.
"""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pkgutil import resolve_name
from typing import Any, NamedTuple
from weakref import WeakSet

logger = logging.getLogger(__name__)

TRIGGERS = frozenset({"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"})
"""The kinds of values that Streamlit takes for something that has just been done; all others are states."""


class StreamlitPatch(NamedTuple):
    """One method of Streamlit and what stands in its place."""

    owner: str
    """The class: its module, a colon, its name."""
    method: str
    parameters: tuple[str, ...]
    """The names of the parameters, without `self`, with which the replacement was written: the method begins so."""
    reads: tuple[str, ...]
    """The attributes of the instance that the replacement reads or sets."""
    imports: tuple[str, ...]
    """What the replacement imports, as `owner` is written."""
    replacement: Callable[..., None]
    """The function that is called with the method that it replaces, then with that method's arguments."""


def apply_patches() -> None:
    """Replace what can be replaced, for every page of this process; the log names the methods that stay."""
    for patch in PATCHES:
        try:
            for name in patch.imports:
                resolve_name(name)
            owner = resolve_name(patch.owner)
            original = getattr(owner, patch.method)
            parameters = tuple(inspect.signature(original).parameters)[1:]
        except (ImportError, AttributeError) as error:
            logger.warning("%s.%s of Streamlit stays as it is: %s", patch.owner, patch.method, error)
            continue
        if parameters[: len(patch.parameters)] != patch.parameters:
            logger.warning("%s.%s of Streamlit stays as it is: it takes %s", patch.owner, patch.method, parameters)
            continue
        setattr(owner, patch.method, _guarded(patch, original))
    with suppress(ImportError):
        # shell.py makes the navigation. Until it has run once, Streamlit would make one of the folder `pages/`, and the
        # first tab of all, open since before the server was started anew, would land on the first page.
        resolve_name("streamlit.runtime.pages_manager:PagesManager").uses_pages_directory = False


def _guarded(patch: StreamlitPatch, original: Callable[..., None]) -> Callable[..., None]:
    """Return the replacement, for instances that have all it reads, and Streamlit's own method for others."""

    @functools.wraps(original)
    def method(self: Any, *args: Any, **named: Any) -> None:
        if all(hasattr(self, name) for name in patch.reads):
            patch.replacement(original, self, *args, **named)
        else:
            original(self, *args, **named)

    return method


def _clear_queue(
    original: Callable[..., None],
    queue: Any,
    retain_lifecycle_msgs: bool = False,
    fragment_ids_this_run: list[str] | None = None,
    **more: Any,
) -> None:
    if fragment_ids_this_run:
        queue._delta_index_map = {}  # what comes now stands behind what waits, and is not put into it
        return
    addresses = [message for message in queue._queue if message.HasField("file_urls_response")]
    original(queue, retain_lifecycle_msgs, fragment_ids_this_run, **more)
    if retain_lifecycle_msgs:
        queue._queue += addresses


def _run_script(original: Callable[..., None], runner: Any, rerun_data: Any) -> None:
    from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value

    context_dg_stack.set(get_default_dg_stack_value())  # a fragment goes to its own place by itself
    if rerun_data.fragment_id_queue:
        rerun_data = replace(rerun_data, page_script_hash=runner._pages_manager.current_page_script_hash)
    original(runner, rerun_data)


_speaking: WeakSet[Any] = WeakSet()
"""The scripts (`ScriptRunner`) whose beginning was heard."""


def _hear_script(
    original: Callable[..., None], session: Any, sender: Any, event: Any, *args: Any, **named: Any
) -> None:
    from streamlit.runtime.scriptrunner import ScriptRunnerEvent

    current = session._scriptrunner
    if event is ScriptRunnerEvent.SCRIPT_STARTED and sender is not None and sender is current:
        _speaking.add(sender)
    if current is None or current in _speaking or sender is None or event is ScriptRunnerEvent.SHUTDOWN:
        original(session, sender, event, *args, **named)
        return
    session._scriptrunner = sender
    try:
        original(session, sender, event, *args, **named)
    finally:
        session._scriptrunner = current


def _take_message(original: Callable[..., None], session: Any, msg: Any) -> None:
    request = msg.rerun_script
    widgets = request.widget_states.widgets
    if request.is_auto_rerun:
        states = [widget for widget in widgets if widget.WhichOneof("value") not in TRIGGERS]
        del widgets[:]
        widgets.extend(states)
    elif request.fragment_id:
        clicked = [widget.id for widget in widgets if widget.WhichOneof("value") in TRIGGERS]
        known = filter(None, map(session.session_state.get_widget_metadata, clicked))
        if any(metadata.fragment_id != request.fragment_id for metadata in known):
            request.ClearField("fragment_id")
    original(session, msg)


def _run_callbacks(original: Callable[..., None], state: Any, *args: Any, **named: Any) -> None:
    runner: Any = getattr(state._yield_callback, "__self__", None)
    if not hasattr(runner, "_execing"):
        original(state, *args, **named)
        return
    runner._execing = False  # by this it knows that it is not the time to look for another request
    try:
        original(state, *args, **named)
    finally:
        runner._execing = True


_SESSION = "streamlit.runtime.app_session:AppSession"
_RUNNER = "streamlit.runtime.scriptrunner:ScriptRunner"
PATCHES = (
    StreamlitPatch(
        "streamlit.runtime.forward_msg_queue:ForwardMsgQueue",
        "clear",
        ("retain_lifecycle_msgs", "fragment_ids_this_run"),
        ("_queue", "_delta_index_map"),
        (),
        _clear_queue,
    ),
    StreamlitPatch(
        _RUNNER,
        "_run_script",
        ("rerun_data",),
        ("_pages_manager",),
        (
            "streamlit.delta_generator_singletons:context_dg_stack",
            "streamlit.delta_generator_singletons:get_default_dg_stack_value",
        ),
        _run_script,
    ),
    StreamlitPatch(
        _SESSION,
        "_handle_scriptrunner_event_on_event_loop",
        ("sender", "event"),
        ("_scriptrunner",),
        ("streamlit.runtime.scriptrunner:ScriptRunnerEvent.SHUTDOWN",),
        _hear_script,
    ),
    StreamlitPatch(_SESSION, "handle_backmsg", ("msg",), ("session_state",), (), _take_message),
    StreamlitPatch(
        "streamlit.runtime.state.safe_session_state:SafeSessionState",
        "on_script_will_rerun",
        (),
        ("_yield_callback",),
        (),
        _run_callbacks,
    ),
)
