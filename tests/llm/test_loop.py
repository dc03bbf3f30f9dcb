"""The loop's thread ends well, whatever it is doing."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from memorybank.llm import loop
from memorybank.llm.loop import LoopThread
from tests.llm.asking import threads
from tests.waiting import wait_until


def test_a_loop_that_is_busy_ends_by_itself_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the session is closed while the client's package is still being imported: a second or two."""
    monkeypatch.setattr(loop, "_CLOSING", 0.05)
    begun, closed = threading.Event(), threading.Event()

    async def imports() -> None:
        begun.set()
        time.sleep(0.4)  # nothing else runs on the loop meanwhile
        await asyncio.sleep(60)

    async def last() -> None:
        closed.set()

    busy = LoopThread("memorybank-test")
    busy.begin(imports)
    assert begun.wait(5)
    began = time.perf_counter()
    busy.close(last)
    assert time.perf_counter() - began < 0.3, "who closes does not wait for it"
    assert closed.wait(5), "connections are closed all the same"
    wait_until(lambda: not threads("memorybank-test"), 5)
