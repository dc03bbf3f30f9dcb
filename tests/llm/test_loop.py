"""The loop's thread ends well, whatever it is doing."""

from __future__ import annotations

import asyncio
import threading

import pytest

from memorybank.llm import loop
from memorybank.llm.loop import LoopThread
from tests.llm.asking import threads
from tests.waiting import wait_until


def test_a_loop_that_is_busy_ends_by_itself_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the session is closed while the client's package is still being imported: a second or two."""
    monkeypatch.setattr(loop, "_CLOSING", 0.05)
    begun, imported, closed = threading.Event(), threading.Event(), threading.Event()

    async def imports() -> None:
        begun.set()
        imported.wait(60)  # nothing else runs on the loop meanwhile
        await asyncio.sleep(60)

    async def last() -> None:
        closed.set()

    busy = LoopThread("memorybank-test")
    busy.begin(imports)
    assert begun.wait(5)
    busy.close(last)
    assert not closed.is_set()
    imported.set()
    assert closed.wait(5), "connections are closed all the same"
    wait_until(lambda: not threads("memorybank-test"), 5)


async def answered() -> str:
    return "answered"


def test_a_thread_that_could_not_be_started_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    line = LoopThread("memorybank-test")
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start"):
            line.run(answered)
    assert line.run(answered) == "answered"
    line.close()


def test_who_waits_on_a_thread_that_has_died_is_told() -> None:
    line = LoopThread("memorybank-test")
    line.run(answered)
    assert line._loop is not None

    async def never() -> None:
        assert line._loop is not None
        line._loop.stop()  # as whatever ends the thread behind the callers' backs
        await asyncio.sleep(3_600)

    with pytest.raises(RuntimeError, match="memorybank-test has ended"):
        line.run(never)
