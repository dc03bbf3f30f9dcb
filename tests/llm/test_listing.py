"""What servers say of themselves, and which model and key each role gets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import EndpointError, InputError
from memorybank.llm.build import build_chat, build_chats
from memorybank.llm.listing import ModelCard, in_models, in_props, in_running, in_show, names, with_model
from memorybank.memory.events import SessionStarted
from memorybank.session.session import Session
from memorybank.settings import env
from memorybank.settings.llm import AGENTS, LLMSettings, RoleModel
from memorybank.settings.redaction import Redactor, secrets_of
from memorybank_lab.scripted import ScriptedServer
from tests.llm.asking import ask, client, threads
from tests.llm.local_servers import (
    LLAMA_MODELS,
    LLAMA_PROPS,
    OLD_LLAMA_MODELS,
    OLLAMA_MODELS,
    OLLAMA_RUNNING,
    OLLAMA_SHOW,
    VLLM_MODELS,
    Ollama,
    llama_cpp,
    vllm,
)
from tests.llm.sessions import TASKS, agent_calls, parts, recorded, sources
from tests.tables import tables

TABLES = tables(__file__)

OPENROUTER = TABLES["openrouter"]


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (in_models(VLLM_MODELS, "Qwen/Qwen2.5-7B-Instruct"), ModelCard(context=32768)),
        (in_models(LLAMA_MODELS, "any"), ModelCard(context=4096, most_context=8192, images=False)),
        (in_models(OLD_LLAMA_MODELS, "any"), ModelCard(most_context=32768)),
        (in_models(OPENROUTER, "some/model"), ModelCard(context=131072, images=True, tools=True)),
        (in_models(OPENROUTER, "nobody's"), ModelCard()),
        (in_models(OLLAMA_MODELS, "qwen2.5vl:7b"), ModelCard()),
        (in_props(LLAMA_PROPS), ModelCard(context=16384, images=False)),
        (in_show(OLLAMA_SHOW), ModelCard(most_context=128000, images=True, tools=True)),
        (in_show({"parameters": 'stop "a"\nnum_ctx    8192\n'}), ModelCard(context=8192)),
        (in_show({"capabilities": ["completion"]}), ModelCard(images=False, tools=False)),
        (in_running(OLLAMA_RUNNING, "qwen2.5vl:7b"), ModelCard(context=4096)),
        (in_running({"models": [{"name": "a:latest", "context_length": 2048}]}, "a"), ModelCard(context=2048)),
        (in_running(OLLAMA_RUNNING, "another"), ModelCard()),
    ],
)
def test_a_card_is_read_as_each_server_writes_it(card: ModelCard, expected: ModelCard) -> None:
    assert card == expected


@pytest.mark.parametrize(
    "odd", [None, [], "x", {"data": "x", "models": 3}, {"data": [1]}, {"data": [{"id": 3, "meta": [], "n_ctx": "8k"}]}]
)
def test_what_is_no_listing_says_nothing(odd: Any) -> None:
    assert in_models(odd, "m") == in_props(odd) == in_show(odd) == in_running(odd, "m") == ModelCard()
    assert names(odd) == ()


@pytest.mark.parametrize(
    ("provider", "make", "model", "context"),
    [
        ("ollama", Ollama, "qwen2.5vl:7b", 4096),
        ("llama.cpp", llama_cpp, "some.gguf", 16384),
        ("vllm", vllm, "Qwen/Qwen2.5-7B-Instruct", 32768),
    ],
)
def test_a_model_left_empty_is_the_first_that_the_server_lists_and_the_first_answer_says_so(
    provider: str, make: Any, model: str, context: int
) -> None:
    before = threads()
    with make() as server:
        chat = build_chat(LLMSettings(provider=provider, base_url=server.base_url, cache=False), None)
        assert chat.name == model
        assert chat.context_window == context
        notes = chat.complete(ask()).notes
        assert notes[0] == f"LLM_MODEL is not set: {model}, of {2 if provider == 'ollama' else 1} that the server lists"
        assert not any("is not set" in note for note in chat.complete(ask()).notes)
        assert {request.model for request in server.chats} == {model}
        chat.close()
    assert threads() == before


def test_ollama_is_made_to_load_its_model_before_a_prompt_is_made_to_fit() -> None:
    """It says what context it serves only of a loaded model, and cuts a longer prompt without a word."""
    with Ollama(loaded=False) as server, client(server, provider="ollama", model="qwen2.5vl:7b") as chat:
        assert chat.context_window == 4096
        assert not server.chats, "no question was needed"


@pytest.mark.parametrize("listed", TABLES["listed"])
def test_the_model_that_is_taken_is_one_that_chats(listed: list[dict[str, Any]]) -> None:
    with ScriptedServer(pages={"/v1/models": {"data": listed}}) as server:
        chosen, note = with_model(LLMSettings(provider="vllm", base_url=server.base_url))
    assert chosen.model_name == "chosen"
    assert f"of {len(listed)} that the server lists" in note


def test_a_server_that_lists_nothing_or_only_embeddings_says_what_to_do() -> None:
    for listed in ({"data": []}, {"data": [{"id": "nomic-embed-text:latest"}]}):
        with (
            ScriptedServer(pages={"/v1/models": listed}) as server,
            pytest.raises(EndpointError, match=r"ollama pull NAME.*LLM_MODEL"),
        ):
            build_chat(LLMSettings(provider="ollama", base_url=server.base_url), None)


@pytest.mark.parametrize(
    ("provider", "command"),
    [("ollama", "ollama serve"), ("llama.cpp", "llama-server -m MODEL.gguf"), ("vllm", "vllm serve MODEL")],
)
def test_a_server_that_does_not_run_is_named_with_its_command_and_nothing_stays_open(
    provider: str, command: str
) -> None:
    before = threads()
    own = {"react": RoleModel(provider=provider, base_url="http://127.0.0.1:9/v1")}
    with pytest.raises(EndpointError) as failed:
        build_chats(LLMSettings(provider="local", roles=own), None)  # type: ignore[arg-type]
    assert f"start the server with `{command}`, or check LLM_BASE_URL_REACT" in str(failed.value)
    assert threads() == before


def test_a_model_that_is_not_there_is_to_be_pulled() -> None:
    with (
        Ollama() as server,
        client(server, provider="ollama", model="qwen3:32b") as chat,
        pytest.raises(EndpointError, match=r"`ollama pull qwen3:32b`, or check LLM_MODEL"),
    ):
        chat.complete(ask())


def test_a_role_s_own_variables_are_named_in_its_errors() -> None:
    with ScriptedServer("Lima", api_key="sk-right-0123456789abcdef") as server:
        own = {"analysis": RoleModel(base_url=server.base_url, model="m", api_key="sk-wrong-0123456789abcdef")}
        chats = build_chats(LLMSettings(provider="local", roles=own, attempts=1), None)  # type: ignore[arg-type]
        with pytest.raises(EndpointError, match="check LLM_API_KEY_ANALYSIS"):
            chats.of("analysis").complete(ask())
        chats.close()


# A model for each role: which settings make it, who shares a client, and that no key goes where it does not belong.

KEY, OWN_KEY = "sk-test-of-all-0123456789abcdef", "an-own-key-9876543210"


@pytest.mark.parametrize(
    ("own", "endpoint", "model", "key"),
    [
        ({}, "https://api.deepseek.com/v1", "deepseek-chat", KEY),
        ({"model": "large"}, "https://api.deepseek.com/v1", "large", KEY),
        ({"provider": "deepseek", "model": "large"}, "https://api.deepseek.com/v1", "large", KEY),
        ({"provider": "local"}, "http://127.0.0.1:8080/v1", "local", ""),
        ({"provider": "openai", "api_key": OWN_KEY}, "https://api.openai.com/v1", "gpt-4o-mini", OWN_KEY),
        ({"base_url": "http://10.0.0.7/v1"}, "http://10.0.0.7/v1", "deepseek-chat", ""),
        ({"base_url": "https://api.deepseek.com/v1"}, "https://api.deepseek.com/v1", "deepseek-chat", KEY),
    ],
)
def test_what_a_role_sets_is_laid_over_and_the_key_of_all_goes_to_no_other_address(
    own: dict[str, str], endpoint: str, model: str, key: str
) -> None:
    llm = LLMSettings(api_key=KEY, roles={"analysis": RoleModel(**own)}, max_tokens=777)
    analysis = llm.of_role("analysis")
    assert (analysis.endpoint, analysis.model_name, analysis.api_key) == (endpoint, model, key)
    assert analysis.max_tokens == 777
    assert llm.of_role("planning") == LLMSettings(api_key=KEY, roles={}, max_tokens=777)
    assert llm.models == " + ".join(dict.fromkeys(["deepseek-chat", model]))


def test_the_variables_of_a_role_are_read_and_its_secrets_are_shown_nowhere() -> None:
    given = {
        "LLM_PROVIDER": "local",
        "LLM_MODEL_ANALYSIS": "large",
        "LLM_BASE_URL_ANALYSIS": "https://me:pass-word-1@10.0.0.7/v1",
        "LLM_API_KEY_ANALYSIS": OWN_KEY,
        "LLM_PROVIDER_REACT": "openai",
    }
    effective = env.load(given, None)
    llm, shown = effective.settings.llm, {row.name: row.value for row in effective.rows}
    assert llm.of_role("analysis").model_name == "large"
    assert llm.of_role("analysis").api_key == OWN_KEY
    assert llm.of_role("react").endpoint == "https://api.openai.com/v1"
    assert shown["LLM_API_KEY_ANALYSIS"] == env.SECRET_MASK
    assert shown["LLM_BASE_URL_ANALYSIS"] == "https://me:***@10.0.0.7/v1"
    for redactor in (Redactor(effective.settings.secrets), Redactor(secrets_of(given))):
        said = redactor.text(f"{OWN_KEY} at https://me:pass-word-1@10.0.0.7/v1, pass-word-1")
        assert OWN_KEY not in said
        assert "pass-word-1" not in said
    assert OWN_KEY not in repr(effective.settings)


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"provider": "openai"}, "no LLM_API_KEY_REACT is set"),
        ({"provider": "nobody"}, "LLM_PROVIDER_REACT is 'nobody'.*set LLM_BASE_URL_REACT"),
    ],
)
def test_what_a_role_lacks_is_said_before_anything_is_asked(own: Mapping[str, str], words: str) -> None:
    llm = LLMSettings(provider="local", roles={"react": RoleModel(**own)})
    with pytest.raises(InputError, match=words):
        build_chats(llm, None)


def test_a_key_is_needed_only_where_somebody_asks() -> None:
    """Every role has a model on this machine, so that the default provider wants no key."""
    LLMSettings(roles=dict.fromkeys(AGENTS, RoleModel(provider="local"))).check_roles()


def test_roles_with_one_endpoint_and_model_share_one_client_and_all_are_closed() -> None:
    own = {"analysis": RoleModel(model="large"), "react": RoleModel(model="large")}
    chats = build_chats(LLMSettings(provider="local", roles=own), None)  # type: ignore[arg-type]
    assert chats.of("analysis") is chats.of("react")
    assert chats.of("analysis") is not chats.of("planning")
    assert len({id(chats.of(role)) for role in AGENTS}) == 2
    assert chats.names == "local + large"
    chats.close()
    for role in AGENTS:
        with pytest.raises(RuntimeError, match="closed"):
            chats.of(role).complete(ask())


def test_a_session_asks_each_role_where_it_is_set_and_the_journal_says_who_answered(run_dir: Path) -> None:
    script = recorded("en")
    with (
        ScriptedServer(script, api_key=KEY, models=("small", "second")) as small,
        ScriptedServer(script, api_key=OWN_KEY) as large,
    ):
        own = {"analysis": RoleModel(base_url=large.base_url, model="large", api_key=OWN_KEY)}
        ready = parts(small, provider="vllm", model="", api_key=KEY, roles=own, attempts=1)
        with Session.start(run_dir, ready, goal=TASKS["en"], sources=sources("en")) as session:
            assert session.run().result == "complete"
            answered = {(call.role, call.model) for call in agent_calls(session) if call.model}
            begun, first = session.records[0].event, agent_calls(session)[0]
        assert "LLM_MODEL is not set: small, of 2 that the server lists" in first.notes
        assert {model for role, model in answered if role == "analysis"} == {"large"}
        assert {model for role, model in answered if role != "analysis"} == {"small"}
        assert {request.model for request in large.chats} == {"large"}
        assert {request.model for request in small.chats} == {"small"}
    assert isinstance(begun, SessionStarted)
    assert begun.model == "small + large"
    written = b"".join(path.read_bytes() for path in run_dir.rglob("*") if path.is_file())
    assert KEY.encode() not in written
    assert OWN_KEY.encode() not in written
