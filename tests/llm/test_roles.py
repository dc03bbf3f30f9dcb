"""A model for each role: which settings make it, who shares a client, and that no key goes where it does not belong."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.llm.build import build_chats
from memorybank.memory.events import SessionStarted
from memorybank.session.session import Session
from memorybank.settings import env
from memorybank.settings.llm import AGENTS, LLMSettings, RoleModel
from memorybank.settings.redaction import Redactor, secrets_of
from memorybank_lab.scripted import ScriptedServer
from tests.llm.asking import ask
from tests.llm.sessions import TASKS, agent_calls, parts, recorded, sources

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


def test_roles_with_one_endpoint_and_model_share_one_client() -> None:
    own = {"analysis": RoleModel(model="large"), "react": RoleModel(model="large")}
    chats = build_chats(LLMSettings(provider="local", roles=own), None)  # type: ignore[arg-type]
    with closing(chats):
        assert chats.of("analysis") is chats.of("react")
        assert chats.of("analysis") is not chats.of("planning")
        assert len({id(chats.of(role)) for role in AGENTS}) == 2
        assert chats.names == "local + large"


def test_a_closed_session_has_closed_every_client(run_dir: Path) -> None:
    with ScriptedServer("Lima") as server:
        own: dict[Any, RoleModel] = {"analysis": RoleModel(model="large")}
        chats = build_chats(LLMSettings(base_url=server.base_url, model="small", roles=own), None)
        chats.close()
        for role in ("analysis", "planning"):
            with pytest.raises(RuntimeError):
                chats.of(role).complete(ask())  # type: ignore[arg-type]


def test_a_session_asks_each_role_where_it_is_set_and_the_journal_says_who_answered(run_dir: Path) -> None:
    with ScriptedServer(recorded("en"), api_key=KEY) as small, ScriptedServer(recorded("en"), api_key=OWN_KEY) as large:
        own = {"analysis": RoleModel(base_url=large.base_url, model="large", api_key=OWN_KEY)}
        with Session.start(
            run_dir,
            parts(small, model="small", api_key=KEY, roles=own, attempts=1),
            goal=TASKS["en"],
            sources=sources("en"),
        ) as session:
            assert session.run().result == "complete"
            answered = {(call.role, call.model) for call in agent_calls(session) if call.model}
            begun = session.records[0].event
        assert {model for role, model in answered if role == "analysis"} == {"large"}
        assert {model for role, model in answered if role != "analysis"} == {"small"}
        assert {request.model for request in large.chats} == {"large"}
        assert {request.model for request in small.chats} == {"small"}
    assert isinstance(begun, SessionStarted)
    assert begun.model == "small + large"
    written = b"".join(path.read_bytes() for path in run_dir.rglob("*") if path.is_file())
    assert KEY.encode() not in written
    assert OWN_KEY.encode() not in written


def test_a_session_says_which_model_its_server_named(run_dir: Path) -> None:
    with (
        ScriptedServer(recorded("en"), models=("first-listed", "second")) as server,
        Session.start(
            run_dir, parts(server, provider="vllm", model=""), goal=TASKS["en"], sources=sources("en")
        ) as session,
    ):
        session.run_until(lambda report: report.stage == "plan")
        begun, first = session.records[0].event, agent_calls(session)[0]
    assert isinstance(begun, SessionStarted)
    assert begun.model == first.model == "first-listed"
    assert "LLM_MODEL is not set: first-listed, of 2 that the server lists" in first.notes
