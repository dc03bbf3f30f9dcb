"""The thread between an embedding process and those who wait for it: it may start early and die of anything."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memorybank.embedding import process
from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.child import ChildEndedError, Loaded
from memorybank.embedding.models import resolve
from memorybank.embedding.process import EmbeddingProcess
from memorybank.errors import ModelUnavailableError


class MadeChild:
    """In place of a process: what its two answers do is given."""

    alive, pid = True, 0

    def __init__(self, loaded: Callable[[], object], embed: Callable[[Sequence[str]], Matrix]) -> None:
        self._loaded, self._embed, self.released = loaded, embed, False

    def loaded(self) -> Loaded:
        self._loaded()
        return Loaded(dim=2, max_tokens=100, scale=CosineScale(lo=0, hi=1), tokenizer="")

    def embed(self, texts: Sequence[str], kind: str) -> Matrix:
        return self._embed(texts)

    def end(self) -> None: ...

    def release(self) -> None:
        self.released = True


def rows(texts: Sequence[str]) -> Matrix:
    return np.ones((len(texts), 2), dtype=np.float32)


def failing(error: BaseException) -> Callable[..., Matrix]:
    def fail(*_: object) -> Matrix:
        raise error

    return fail


def made(monkeypatch: pytest.MonkeyPatch, *children: MadeChild) -> EmbeddingProcess:
    given = iter(children)
    monkeypatch.setattr(process, "Child", lambda spec: next(given))
    return EmbeddingProcess(resolve("hashed-ngrams"))


def told(waiting: EmbeddingProcess, texts: Sequence[str]) -> str:
    """What whoever waits for vectors is told; waited for in a thread, so that waiting for ever is a failure."""
    with pytest.raises(ModelUnavailableError) as error:
        waiting.documents(texts)
    return str(error.value)


def test_a_thread_that_runs_before_its_starter_goes_on_finds_its_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine may run a new thread to its end before the line that started it is over: so it does here."""
    gone = MadeChild(failing(ChildEndedError("exit code 3", "its last words")), rows)
    monkeypatch.setattr(threading.Thread, "start", threading.Thread.run)
    first = made(monkeypatch, gone, MadeChild(failing(ChildEndedError("exit code 4", "")), rows))
    assert first.state == "failed: exit code 3"
    assert gone.released
    first.restart()
    assert first.state == "failed: exit code 4"
    assert "exit code 4" in told(first, ["text"])


@pytest.mark.parametrize(
    ("child", "says"),
    [
        (MadeChild(print, failing(RuntimeError("a frame\nof another kind"))), "RuntimeError: a frame of another kind"),
        (MadeChild(print, failing(SystemExit(3))), "SystemExit: 3"),
        (MadeChild(print, failing(ValueError("cannot reshape"))), "ValueError: cannot reshape"),
        (MadeChild(failing(KeyError("dim")), rows), "KeyError: 'dim'"),
        (MadeChild(failing(MemoryError()), rows), "MemoryError"),
    ],
    ids=["embedding", "exit", "rows", "loading", "memory"],
)
def test_whatever_ends_the_thread_is_told_to_all_who_wait(
    monkeypatch: pytest.MonkeyPatch, child: MadeChild, says: str
) -> None:
    waiting = made(monkeypatch, child, MadeChild(print, rows))
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(told, waiting, [f"text {number}"]) for number in range(2)]
        assert all(says in one.result(20) for one in asked)
    assert waiting.state.startswith("failed: ")
    assert "Traceback" in waiting._tail
    waiting.restart()
    assert waiting.documents(["text"]).shape == (1, 2), "and it can be started again"
    waiting.close()


def test_a_machine_without_threads_is_a_failure_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", failing(RuntimeError("can't start new thread")))
        child = MadeChild(print, rows)
        waiting = made(monkeypatch, child, MadeChild(print, rows))
        assert "can't start new thread" in told(waiting, ["text"])
        assert child.released
    waiting.restart()
    assert waiting.wait(20)
    waiting.close()


def test_a_process_that_cannot_be_started_again_stays_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = made(monkeypatch, MadeChild(failing(MemoryError()), rows))
    assert "MemoryError" in told(waiting, ["text"])
    monkeypatch.setattr(process, "Child", failing(OSError("too many open files")))
    with pytest.raises(OSError, match="too many"):
        waiting.restart()
    assert waiting.state == "failed: MemoryError"
    assert "MemoryError" in told(waiting, ["text"])
