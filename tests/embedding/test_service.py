"""The service of one process' models to others: who leaves it, or finds it gone, disturbs nobody else."""

from __future__ import annotations

import threading
from multiprocessing.connection import Client

import pytest

from memorybank.embedding.child import ChildEndedError
from memorybank.embedding.models import resolve
from memorybank.embedding.pieces import TextPiece
from memorybank.embedding.process import shared
from memorybank.embedding.service import EmbeddingService, ServedModel
from tests.waiting import wait_until

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
