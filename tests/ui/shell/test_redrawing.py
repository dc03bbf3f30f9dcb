"""A part that is drawn anew before its last drawing was sent: what is sent fits the page that the browser has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from memorybank.ui.shell import redrawing

PART, OTHER = "part", "other"


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[ForwardMsgQueue]:
    monkeypatch.setattr(ForwardMsgQueue, "enqueue", ForwardMsgQueue.enqueue)  # as it was, afterwards
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)
    redrawing.keep_whole()
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


def places(queue: ForwardMsgQueue) -> list[tuple[int, ...]]:
    return [tuple(one.metadata.delta_path) for one in queue.flush() if one.WhichOneof("type") != "new_session"]


def test_references_go_with_what_stood_beside_them(queue: ForwardMsgQueue) -> None:
    begin(queue)
    block(queue, PART, 0, 3)
    queue.flush()  # the browser has that, and no more
    element(queue, PART, 0, 3, 0)
    reference(queue, 0, 3, 1)
    reference(queue, 0, 3, 2)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    begin(queue)
    for draw in (block, element):
        draw(queue, PART, *((0, 3) if draw is block else (0, 3, 0)))
    reference(queue, 0, 3, 1)
    assert places(queue) == [(0, 3), (0, 3, 0), (0, 3, 1)], "once, and in order"


def test_what_other_parts_say_stays(queue: ForwardMsgQueue) -> None:
    begin(queue)
    element(queue, "", 0, 0)
    reference(queue, 0, 1)
    block(queue, PART, 0, 3)
    reference(queue, 0, 3, 0)
    block(queue, OTHER, 0, 30)
    reference(queue, 0, 30, 0)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    assert places(queue) == [(0, 0), (0, 1), (0, 30), (0, 30, 0)]


def test_a_part_within_goes_with_the_whole_and_a_part_that_has_moved_is_known_where_it_is(
    queue: ForwardMsgQueue,
) -> None:
    begin(queue)
    block(queue, PART, 0, 3)
    begin(queue)
    block(queue, PART, 0, 5)
    block(queue, OTHER, 0, 5, 1)
    reference(queue, 0, 5, 1, 0)
    reference(queue, 0, 3)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    assert places(queue) == [(0, 3)]


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


def test_a_part_is_known_while_others_are_drawn(queue: ForwardMsgQueue) -> None:
    begin(queue)
    block(queue, PART, 0, 3)
    block(queue, OTHER, 0, 4)
    begin(queue)
    block(queue, OTHER, 0, 4)
    queue.flush()
    reference(queue, 0, 3, 1)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    assert places(queue) == []


def test_a_whole_page_that_is_drawn_anew_leaves_nothing(queue: ForwardMsgQueue) -> None:
    begin(queue)
    block(queue, PART, 0, 3)
    reference(queue, 0, 3, 0)
    queue.clear(retain_lifecycle_msgs=True)
    assert places(queue) == []
