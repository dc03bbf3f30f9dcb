"""What Streamlit's replaced methods do: a page is drawn whole, a click is heard once, and without them the app runs."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from memorybank.ui.shell.patches import PATCHES, StreamlitPatch, apply_patches

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


# -- what Streamlit's replaced methods do -----------------------------------------------------------------------------


PART, OTHER = "part", "other"


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The patches are applied; afterwards all is as it was."""
    for patch in PATCHES:
        owner = resolve_name(patch.owner)
        monkeypatch.setattr(owner, patch.method, getattr(owner, patch.method))
    apply_patches()


@pytest.fixture
def queue(whole: None) -> ForwardMsgQueue:
    return ForwardMsgQueue()


def put(queue: ForwardMsgQueue, *told: str | tuple[Any, ...]) -> None:
    """Where a drawing begins and ends; a block or an element of a fragment, or a reference, at a place."""
    for one in told:
        message = ForwardMsg()
        match one:
            case "begin":
                message.new_session.name = "script"
            case "end":
                message.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
            case ("reference", *place):
                message.metadata.delta_path[:] = place
                message.ref_hash = "known"
            case (kind, fragment, *place):
                message.metadata.delta_path[:] = place
                message.delta.fragment_id = fragment
                if kind == "block":
                    message.delta.add_block.allow_empty = True
                else:
                    message.delta.new_element.markdown.body = f"{place}"
        queue.enqueue(message)


def places(queue: ForwardMsgQueue) -> list[tuple[int, ...]]:
    """In the order of sending; empty for the end of a drawing."""
    return [tuple(one.metadata.delta_path) for one in queue.flush() if one.WhichOneof("type") != "new_session"]


def test_a_part_that_is_drawn_anew_comes_behind_all_that_waits(queue: ForwardMsgQueue) -> None:
    part = (("block", PART, 0, 3), ("element", PART, 0, 3, 0), ("reference", 0, 3, 1))
    other = (("block", OTHER, 0, 4), ("reference", 0, 4, 0))
    put(queue, "begin", ("element", "", 0, 0), *part, *other, "end")
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    put(queue, "begin", *part)
    drawn = [(0, 3), (0, 3, 0), (0, 3, 1)]
    assert places(queue) == [(0, 0), *drawn, (0, 4), (0, 4, 0), (), *drawn]


def test_the_end_of_a_whole_drawing_stands_behind_the_parts_that_it_would_clear_away(queue: ForwardMsgQueue) -> None:
    """A part has put something into a container of the page; it is run again before the whole drawing was sent."""
    inside = (("block", PART, 0, 1, 0), ("element", PART, 0, 1, 0, 0))
    put(queue, "begin", ("block", "", 0, 1), ("block", PART, 0, 2), *inside, "end")
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    assert places(queue) == [(0, 1), (0, 2), (0, 1, 0), (0, 1, 0, 0), ()]


def test_a_part_that_is_no_longer_on_the_page_takes_nothing_from_what_stands_there_now(queue: ForwardMsgQueue) -> None:
    """A form that was asked twice, the second time after its page had gone: the new page is sent whole."""
    put(queue, "begin", ("block", PART, 0, 3))
    queue.clear(retain_lifecycle_msgs=True)
    put(queue, "begin", ("block", OTHER, 0, 3), ("element", OTHER, 0, 3, 0), ("reference", 0, 3, 1))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    put(queue, "begin")
    assert places(queue) == [(0, 3), (0, 3, 0), (0, 3, 1)]


def test_a_whole_page_that_is_drawn_anew_leaves_nothing_but_the_address_of_a_file(queue: ForwardMsgQueue) -> None:
    put(queue, "begin", ("block", PART, 0, 3), ("reference", 0, 3, 0))
    address = ForwardMsg()
    address.file_urls_response.response_id = "a file"
    queue.enqueue(address)
    queue.clear(retain_lifecycle_msgs=True)
    put(queue, "begin")
    kinds = [message.WhichOneof("type") for message in queue.flush()]
    assert kinds == ["new_session", "file_urls_response", "new_session"]
    assert queue.is_empty()


SCRIPT = """
import streamlit as st

st.text("above")
with st.container():
    @st.fragment
    def part():
        st.text("part")
    part()
st.text("below")
"""


@pytest.mark.usefixtures("whole")
def test_a_page_that_is_asked_for_just_after_a_part_was_drawn_begins_at_its_top(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings: list[list[tuple[int, ...]]] = []
    fragments: set[str] = set()

    def look(runner: ScriptRunner, event: ScriptRunnerEvent, more: dict[str, Any]) -> None:
        if event is ScriptRunnerEvent.SCRIPT_STARTED:
            drawings.append([])
        elif event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG and more["forward_msg"].HasField("delta"):
            drawings[-1].append(tuple(more["forward_msg"].metadata.delta_path))
            fragments.update({more["forward_msg"].delta.fragment_id} - {""})
        elif event is ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS and len(drawings) == 1:
            runner.request_rerun(RerunData(fragment_id=fragments.pop()))
        elif event is ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS:
            runner.request_rerun(RerunData())

    run_script(tmp_path / "page.py", SCRIPT, look, monkeypatch)
    first, part, second = drawings
    assert first == [(0, 0), (0, 1), (0, 1, 0), (0, 1, 0, 0), (0, 2)]
    assert part == [(0, 1, 0), (0, 1, 0, 0)]
    assert second == first


PAGES = """
import streamlit as st

def one():
    st.fragment(lambda: st.text("part"), key="part")()

def two():
    st.text("two")

st.navigation([st.Page(one), st.Page(two)]).run()
"""


@pytest.mark.usefixtures("whole")
def test_a_part_whose_page_was_left_meanwhile_does_not_bring_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    pages: list[str] = []
    fragments: set[str] = set()

    def look(runner: ScriptRunner, event: ScriptRunnerEvent, more: dict[str, Any]) -> None:
        if event is ScriptRunnerEvent.SCRIPT_STARTED:
            begun.append(more["page_script_hash"])
        elif event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            message = more["forward_msg"]
            fragments.update({message.delta.fragment_id} - {""})
            if message.HasField("navigation"):
                pages[:] = [page.page_script_hash for page in message.navigation.app_pages]
        elif event is ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS and len(begun) == 1:
            runner.request_rerun(RerunData(page_script_hash=pages[1]))
        elif event is ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS:
            runner.request_rerun(RerunData(page_script_hash=pages[0], fragment_id=fragments.pop()))

    run_script(tmp_path / "pages.py", PAGES, look, monkeypatch)
    assert begun[1:] == [pages[1], pages[1]]


@pytest.mark.usefixtures("whole")
def test_the_last_words_of_a_script_are_heard_though_the_next_one_has_begun(tmp_path: Path) -> None:
    path = tmp_path / "page.py"
    path.write_text(SCRIPT, encoding="utf-8")
    ended, begun, message = MagicMock(), MagicMock(), ForwardMsg()
    message.delta.new_element.text.body = "below"

    async def hear() -> list[ForwardMsg]:
        session = AppSession(ScriptData(str(path), False), MemoryUploadedFileManager("/"), ScriptCache(), None, {})
        session._scriptrunner = begun
        take = session._handle_scriptrunner_event_on_event_loop
        take(ended, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, message)
        take(ended, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS)
        take(ended, ScriptRunnerEvent.SHUTDOWN)
        assert session._scriptrunner is begun
        sent = session.flush_browser_queue()
        take(begun, ScriptRunnerEvent.SCRIPT_STARTED, page_script_hash="", run_descriptor=RunDescriptor("run", ()))
        session.flush_browser_queue()
        take(ended, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS)
        assert not session.flush_browser_queue(), "the next one speaks"
        return sent

    with ThreadPoolExecutor(1) as thread:  # where browsers are tested, this one has a loop already
        text, finished = thread.submit(asyncio.run, hear()).result()
    assert text.delta.new_element.text.body == "below"
    assert finished.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Callable[[BackMsg], BackMsg]:
    """What Streamlit hears of a message, while clicks are heard once."""
    heard: list[BackMsg] = []
    session = MagicMock(session_state=SessionState())
    for widget, fragment in (("button", "f"), ("menu", "f"), ("component", "f"), ("pause", None), ("over", "g")):
        session.session_state._set_widget_metadata(
            WidgetMetadata(widget, lambda value: value, lambda value: value, "trigger_value", fragment_id=fragment)
        )

    def handle_backmsg(_session: AppSession, msg: BackMsg) -> None:
        heard.append(msg)

    monkeypatch.setattr(AppSession, "handle_backmsg", handle_backmsg)
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun)
    apply_patches()

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


MEANWHILE: list[Callable[[], object]] = []
"""What the page asks for while a callback runs."""

CALLBACK = """
import streamlit as st
from tests.ui.shell.test_patches import MEANWHILE

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
            MEANWHILE[:] = [lambda: runner.request_rerun(RerunData())]
            click = WidgetStates()
            click.widgets.add(id=buttons[0], trigger_value=True)
            runner.request_rerun(RerunData(widget_states=click))

    run_script(tmp_path / "page.py", CALLBACK, look, monkeypatch)
    assert ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN in events, "afterwards it looks again"
    assert texts == ["nothing", "all of it"]


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.method)
def test_without_a_part_that_a_patch_reads_streamlits_own_method_stays_and_the_log_says_so(
    patch: StreamlitPatch, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    owners = {one: resolve_name(one.owner) for one in PATCHES}
    own = {one: getattr(owner, one.method) for one, owner in owners.items()}
    for one, owner in owners.items():
        monkeypatch.setattr(owner, one.method, own[one])
    monkeypatch.delattr(owners[patch], patch.method)
    apply_patches()
    assert not hasattr(owners[patch], patch.method)
    assert f"{patch.method} of Streamlit stays as it is" in caplog.text
    others = [one for one in PATCHES if one is not patch]
    assert all(getattr(owners[one], one.method) is not own[one] for one in others), "the others are replaced"
    changed = lambda self, other: None  # noqa: E731
    called: list[object] = []

    def same(self: object, *args: object, **named: object) -> None:
        called.append(self)

    if patch.parameters:
        monkeypatch.setattr(owners[patch], patch.method, changed, raising=False)
        apply_patches()
        assert getattr(owners[patch], patch.method) is changed, "it takes something else now"
    same.__signature__ = inspect.signature(own[patch])  # type: ignore[attr-defined]
    monkeypatch.setattr(owners[patch], patch.method, same, raising=False)
    apply_patches()
    bare = object()
    getattr(owners[patch], patch.method)(bare, *patch.parameters)
    assert called == [bare], "an instance that lacks what the patch reads is left to Streamlit"
