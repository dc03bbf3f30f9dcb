"""Waits at once, outcomes and reports in order, one stop for all."""

from __future__ import annotations

import threading
import time

import pytest

from memorybank import calls
from memorybank.calls import Cancelled, ChatCall
from memorybank.errors import MemoryBankError, ToolError
from memorybank.tools.parallel import in_order


def test_outcomes_and_reported_calls_come_in_the_order_of_the_input() -> None:
    ended = [threading.Event() for _ in range(4)]

    def work(number: int) -> int:
        assert number == 3 or ended[number + 1].wait(60), "all are at work at once, and the last ends first"
        ended[number].set()
        calls.report(ChatCall(model="m", prompt=str(number), reply=""))
        if number == 2:
            raise ToolError("two")
        return number * 10

    with calls.watch() as made:
        found = in_order(work, [0, 1, 2, 3])
    assert [str(one) for one in found] == ["0", "10", "two", "30"]
    assert isinstance(found[2], MemoryBankError)
    assert [call.prompt for call in made] == ["0", "1", "2", "3"]
    assert in_order(work, []) == []
    assert str(in_order(work, [2])[0]) == "two"


def until_stopped(_: int) -> None:
    while True:
        calls.check()
        time.sleep(0.01)


def test_a_stop_reaches_every_thread_and_leaves_none() -> None:
    stop = time.monotonic() + 0.2
    with calls.watch(lambda: time.monotonic() > stop), pytest.raises(Cancelled):
        in_order(until_stopped, list(range(9)))
    assert not [one for one in threading.enumerate() if one.name.startswith("tool")]


def test_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        in_order(lambda number: 1 // number, [1, 0])
