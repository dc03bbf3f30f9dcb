"""Parts of a page that are drawn anew: all that is said of it is sent, and names the place where it stands."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor

from memorybank.ui.shell import redrawing
from tests.ui.shell.scripts import run_script

PART, OTHER = "part", "other"


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are kept whole; afterwards all is as it was."""
    for owner, name in (
        (ForwardMsgQueue, "clear"),
        (ScriptRunner, "_run_script"),
        (AppSession, "_handle_scriptrunner_event_on_event_loop"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    redrawing.keep_whole()


@pytest.fixture
def queue(whole: None) -> ForwardMsgQueue:
    return ForwardMsgQueue()


def begin(queue: ForwardMsgQueue) -> None:
    message = ForwardMsg()
    message.new_session.name = "script"
    queue.enqueue(message)


def block(queue: ForwardMsgQueue, fragment: str, *place: int) -> None:
    message = ForwardMsg()
    message.metadata.delta_path[:] = place
    message.delta.fragment_id = fragment
    message.delta.add_block.allow_empty = True
    queue.enqueue(message)


def element(queue: ForwardMsgQueue, fragment: str, *place: int) -> None:
    message = ForwardMsg()
    message.metadata.delta_path[:] = place
    message.delta.fragment_id = fragment
    message.delta.new_element.markdown.body = f"{place}"
    queue.enqueue(message)


def reference(queue: ForwardMsgQueue, *place: int) -> None:
    message = ForwardMsg()
    message.metadata.delta_path[:] = place
    message.ref_hash = "known"
    queue.enqueue(message)


def end(queue: ForwardMsgQueue) -> None:
    message = ForwardMsg()
    message.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
    queue.enqueue(message)


def places(queue: ForwardMsgQueue) -> list[tuple[int, ...]]:
    """In the order of sending; empty for the end of a drawing."""
    return [tuple(one.metadata.delta_path) for one in queue.flush() if one.WhichOneof("type") != "new_session"]


def test_a_part_that_is_drawn_anew_comes_behind_all_that_waits(queue: ForwardMsgQueue) -> None:
    begin(queue)
    element(queue, "", 0, 0)
    block(queue, PART, 0, 3)
    element(queue, PART, 0, 3, 0)
    reference(queue, 0, 3, 1)
    block(queue, OTHER, 0, 4)
    reference(queue, 0, 4, 0)
    end(queue)
    waiting = [(0, 0), (0, 3), (0, 3, 0), (0, 3, 1), (0, 4), (0, 4, 0), ()]
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    begin(queue)
    block(queue, PART, 0, 3)
    element(queue, PART, 0, 3, 0)
    reference(queue, 0, 3, 1)
    assert places(queue) == [*waiting, (0, 3), (0, 3, 0), (0, 3, 1)]


def test_the_end_of_a_whole_drawing_stands_behind_the_parts_that_it_would_clear_away(queue: ForwardMsgQueue) -> None:
    """A part has put something into a container of the page; it is run again before the whole drawing was sent."""
    begin(queue)
    block(queue, "", 0, 1)
    block(queue, PART, 0, 2)
    block(queue, PART, 0, 1, 0)
    element(queue, PART, 0, 1, 0, 0)
    end(queue)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    assert places(queue) == [(0, 1), (0, 2), (0, 1, 0), (0, 1, 0, 0), ()]


def test_a_part_that_is_no_longer_on_the_page_takes_nothing_from_what_stands_there_now(queue: ForwardMsgQueue) -> None:
    """A form that was asked twice, the second time after its page had gone: the new page is sent whole."""
    begin(queue)
    block(queue, PART, 0, 3)
    queue.clear(retain_lifecycle_msgs=True)
    begin(queue)
    block(queue, OTHER, 0, 3)
    element(queue, OTHER, 0, 3, 0)
    reference(queue, 0, 3, 1)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    begin(queue)
    assert places(queue) == [(0, 3), (0, 3, 0), (0, 3, 1)]


def test_a_whole_page_that_is_drawn_anew_leaves_nothing_but_the_address_of_a_file(queue: ForwardMsgQueue) -> None:
    begin(queue)
    block(queue, PART, 0, 3)
    reference(queue, 0, 3, 0)
    address = ForwardMsg()
    address.file_urls_response.response_id = "a file"
    queue.enqueue(address)
    queue.clear(retain_lifecycle_msgs=True)
    begin(queue)
    assert [message.WhichOneof("type") for message in queue.flush()] == [
        "new_session",
        "file_urls_response",
        "new_session",
    ]
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
