"""A few small questions to an endpoint: what it can do, or one clear sentence; never the key."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.__main__ import main
from memorybank.errors import EndpointError, InputError
from memorybank.hosting.health import ask_llm
from memorybank.settings.llm import LLMSettings
from memorybank_lab.scripted import Script, ScriptedReply, ScriptedServer, scripted_agents
from tests.llm.llama_server import LlamaServer, llama
from tests.llm.local_servers import Ollama, llama_cpp, vllm

__all__ = ["llama"]

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
    assert found.seconds > 0
    facts = dict(found.facts)
    assert facts["answers"] in ("settings.fact.mode_schema", "settings.fact.mode_json", "settings.fact.mode_text")
    assert {"context", "counting", "tokens"} <= facts.keys()
    assert KEY not in repr(found)


@pytest.mark.parametrize(
    ("provider", "make", "facts"),
    [
        ("ollama", Ollama,
         {"tools": "yes", "images": "yes", "context": "4,096", "most_context": "128,000 (OLLAMA_CONTEXT_LENGTH)"}),
        ("llama.cpp", llama_cpp,
         {"tools": "yes", "images": "no", "context": "16,384", "most_context": "32,768 (llama-server --ctx-size)"}),
        ("vllm", vllm, {"tools": "no", "images": "no", "context": "32,768"}),
    ],
)  # fmt: skip
def test_a_server_on_this_machine_is_told_by_what_it_says_and_for_the_rest_by_small_questions(
    provider: str, make: Any, facts: dict[str, str]
) -> None:
    with make() as server:
        found = ask_llm(LLMSettings(provider=provider, base_url=server.base_url))
        questions = len(server.chats)
    assert found.problem is None
    assert found.name not in ("", provider), "the server names it"
    told = {name: value.removeprefix("settings.fact.") for name, value in found.facts}
    assert told.items() >= facts.items()
    assert (told["answers"], told["chosen"]) == ("mode_schema", "first_listed")
    assert "most_context" not in told.keys() - facts.keys()
    assert questions <= 5


def test_a_person_is_not_asked_what_they_can_do(tmp_path: Path) -> None:
    found = ask_llm(LLMSettings(provider="hand", hand_dir=tmp_path))
    assert (found.problem, found.facts) == (None, (("answers", "settings.fact.by_hand"),))
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_not_there_is_told_with_those_that_are() -> None:
    with vllm() as server:
        found = ask_llm(LLMSettings(provider="vllm", base_url=server.base_url, model="Qwen/Qwen3-8B"))
    assert "check LLM_MODEL (Qwen/Qwen3-8B)" in str(found.problem)
    assert found.facts == (("listed", "Qwen/Qwen2.5-7B-Instruct"),)


def test_tools_and_images_that_are_taken_and_left_aside_are_told_as_such() -> None:
    with ScriptedServer(ScriptedReply(text='{"ready": true}')) as server:
        told = dict(ask_llm(LLMSettings(base_url=server.base_url, model="m")).facts)
        assert (told["tools"], told["images"]) == ("settings.fact.tools_unused", "settings.fact.images_unseen")
        blind = ask_llm(LLMSettings(base_url=server.base_url, model="m", vision=False))
        assert dict(blind.facts)["images"] == "settings.fact.vision_off"
        assert server.chats[-1].images == 0


def test_when_the_time_is_over_what_was_found_stands() -> None:
    slow = Script(sequence=['{"ready": true}'], default=ScriptedReply(delivery="never"))
    with ScriptedServer(slow) as server:
        found = ask_llm(LLMSettings(base_url=server.base_url, model="m"), timeout=2.0)
    assert found.problem is None
    assert dict(found.facts)["answers"] == "settings.fact.mode_schema"


def test_a_real_small_model_served_by_llama_cpp(llama: LlamaServer) -> None:
    found = ask_llm(LLMSettings(provider="llama.cpp", base_url=llama.base_url))
    assert found.problem is None
    assert found.name == llama.model
    told = dict(found.facts)
    assert (told["answers"], told["context"], told["most_context"]) == (
        "settings.fact.mode_schema",
        "4,096",
        "8,192 (llama-server --ctx-size)",
    )
    assert told["images"] == "settings.fact.no"
    assert told["tools"] in ("settings.fact.yes", "settings.fact.tools_unused")


def test_the_command_checks_each_model_and_fails_when_one_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with Ollama() as server:
        monkeypatch.setenv("LLM_PROVIDER", "ollama")
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.delenv("LLM_MODEL", raising=False)
        monkeypatch.delenv("LLM_API_KEY", raising=False)
        assert main(["config", "--check"]) == 0
        shown = capsys.readouterr().out
        assert "qwen2.5vl:7b at 127.0.0.1" in shown
        assert re.search(r"Context in tokens +4,096\n", shown)
        monkeypatch.setenv("LLM_MODEL_PLANNING", "qwen3:32b")
        monkeypatch.setenv("LLM_API_KEY_PLANNING", KEY)
        assert main(["config", "--check", "--json"]) == 1
        shown = capsys.readouterr().out
        general, planning = json.loads(shown)
        assert (general["model"], general["problem"]) == ("qwen2.5vl:7b", "")
        assert planning["roles"] == ["planning"]
        assert "ollama pull qwen3:32b" in planning["problem"]
        assert "LLM_MODEL_PLANNING" in planning["problem"]
        assert KEY not in shown


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


def test_one_that_never_answers_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        assert ask_llm(LLMSettings(base_url=address, model="m"), timeout=0.5).problem is not None
