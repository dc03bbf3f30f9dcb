"""Settings from the environment and .env: names, order, secrets, hosts; what is said of a value that cannot be used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import memorybank
from memorybank.__main__ import main
from memorybank.errors import InputError
from memorybank.memory.types import Relation
from memorybank.settings import env
from memorybank.settings.hosts import is_own_host, read_names
from memorybank.settings.redaction import Redactor, secrets_of
from tests.raw_http import FOREIGN, OWN, hosts
from tests.tables import tables

TABLES = tables(__file__)

KEY = "sk-test-0123456789abcdefghij"


def test_every_variable_of_the_specification_is_read(tmp_path: Path) -> None:
    dotenv = tmp_path / ".env"
    dotenv.write_text(f"LLM_API_KEY={KEY}\nRETRIEVAL_K=9\nLLM_MODEL=from-file\n# RETRIEVAL_ALPHA=1\n", "utf-8")
    found = env.load(
        {
            "LLM_MODEL": "from-environment",
            "LLM_PROVIDER": "openai",
            "LLM_TEMPERATURE": "0.3",
            "PLANNING_AGENT_TEMPERATURE": "0.7",
            "ANALYSIS_AGENT_WINDOW": "9000",
            "NEIGHBOR_SHARE": "0.25",
            "RELATIONS": "related, conflict",
            "ANALYSIS_STRATEGY": "two_stage",
            "SESSION_LANG": "zh",
            "MAX_LLM_CALL_PER_RUN": "12",
            "LLM_NATIVE_TOOLS": "yes",
            "EMBEDDING_BASE_URL": "http://127.0.0.1:9/v1",
            "STORAGE_DIR": str(tmp_path),
        },
        dotenv,
    )
    settings, rows = found.settings, {row.name: row for row in found.rows}
    assert settings.llm.model_name == "from-environment"
    assert settings.llm.api_key == KEY
    assert settings.llm.endpoint == "https://api.openai.com/v1"
    assert settings.llm.sampling["planning"].temperature == 0.7, "an agent's own value wins over the general one"
    assert settings.llm.sampling["structure"].temperature == 0.3
    assert settings.llm.window("analysis") == 9_000
    assert settings.llm.window("planning") == 32_000
    assert settings.relations == (Relation.CONFLICT, Relation.RELATED)
    assert (settings.strategy, settings.lang, settings.max_tool_calls) == ("two_stage", "zh", 12)
    assert settings.neighbor_share == 0.25
    assert [settings.with_preset(preset).neighbor_share for preset in ("final", "v3")] == [0, 0]
    assert settings.llm.native_tools
    assert settings.storage_dir == tmp_path
    assert (rows["RETRIEVAL_K"].value, rows["RETRIEVAL_K"].origin) == ("9", ".env")
    assert (rows["LLM_MODEL"].value, rows["LLM_MODEL"].origin) == ("from-environment", "environment")
    assert (rows["RETRIEVAL_ALPHA"].value, rows["RETRIEVAL_ALPHA"].origin) == ("0.5", "default")
    assert rows["STRUCTURE_AGENT_TEMPERATURE"].origin == "environment", "it came through LLM_TEMPERATURE"


def test_defaults_are_the_narrative_specifications() -> None:
    settings = env.load({}, None).settings
    sampling = {name: (one.temperature, one.top_p) for name, one in settings.llm.sampling.items()}
    assert sampling["classification"] == sampling["analysis"] == (0.4, 0.9)
    assert sampling["structure"] == (0.1, 0.8)
    assert sampling["integration"] == (0.2, 0.85)
    assert sampling["planning"] == sampling["react"] == (0.6, 0.95)
    assert (settings.llm.max_tokens, settings.llm.max_context_tokens, settings.max_tool_calls) == (4096, 128_000, 60)
    assert (settings.retrieval_k, settings.retrieval_alpha, settings.chunk_ratio) == (5, 0.5, 0.9)
    ends = [env.load({"RETRIEVAL_ALPHA": end}, None).settings.retrieval_alpha for end in ("0", "1")]
    assert ends == [0, 1], "both ends of a range are inside"


@pytest.mark.parametrize(("name", "text", "says"), TABLES["a_value_that_cannot_be_used_is_named_with_its_remedy"])
def test_a_value_that_cannot_be_used_is_named_with_its_remedy(name: str, text: str, says: str) -> None:
    with pytest.raises(InputError, match=name) as caught:
        env.load({name: text}, None)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_config_prints_every_variable_and_no_secret_wherever_it_came_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LLM_API_KEY", KEY)
    stores = {
        "NEO4J_URI": "bolt://graph:7687",
        "NEO4J_PASSWORD": "graph-password",
        "CHROMA_TOKEN": "chroma-token-1",
        "CHROMA_URL": "http://me:vector%2Fpassword@vectors:8000",
    }
    hidden = ("graph-password", "chroma-token-1", "vector%2Fpassword", "vector/password")
    lines = {**stores, "SERPER_API_KEY": "serper-secret-value", "MAX_ROUNDS": "7"}
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in lines.items()), "utf-8")
    assert main(["config", "--json"]) == 0
    shown = capsys.readouterr().out
    assert main(["config"]) == 0
    table = capsys.readouterr().out
    assert not any(secret in shown + table for secret in (*hidden, KEY, "serper-secret-value"))
    assert all(variable.name in table for variable in env.VARIABLES)
    values = json.loads(shown)
    assert values["LLM_API_KEY"] == {"value": env.SECRET_MASK, "from": "environment"}
    assert values["SERPER_API_KEY"] == {"value": env.SECRET_MASK, "from": ".env"}
    assert values["MAX_ROUNDS"] == {"value": "7", "from": ".env"}
    assert values["NEO4J_URI"]["value"] == "bolt://graph:7687"
    assert values["NEO4J_PASSWORD"]["value"] == values["CHROMA_TOKEN"]["value"] == env.SECRET_MASK
    assert values["CHROMA_URL"]["value"] == "http://me:***@vectors:8000"

    settings = env.load({}, tmp_path / ".env").settings
    assert not any(secret in repr(settings) for secret in hidden)
    said = f"refused: {' '.join(hidden)} {settings.stores.chroma_url}"
    for redactor in (Redactor(settings.secrets), Redactor(secrets_of(stores))):
        assert not any(secret in redactor.text(said) for secret in hidden)
    assert Redactor(settings.secrets).text("bolt://graph:7687 is gone") == "bolt://graph:7687 is gone"


READS_ALL = TABLES["reads_all"]
"""Modules that take the environment as a whole, and why."""
OF_THE_SYSTEM = {"XDG_CACHE_HOME", "XDG_STATE_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR"} | {
    "OTEL_SDK_DISABLED",
    "RAY_USAGE_STATS_ENABLED",
}
"""The system's, not this project's: where caches and state lie, whose certificates are believed. And OpenTelemetry's
and Ray's own, which are switched off."""


READ_BY_NAME = re.compile(r"os\.environ(?:\.get\(|\[)\s*\"(\w+)\"")


def test_every_variable_that_is_read_is_declared_where_all_are() -> None:
    package = Path(memorybank.__file__).parent
    named, whole = dict[str, str](), set[str]()
    for path in sorted(package.rglob("*.py")):
        text, module = path.read_text("utf-8"), path.relative_to(package).as_posix()
        assert not re.search(r"from os import|\bgetenv\b|\benvironb\b", text), "the environment is read as `os.environ`"
        named |= dict.fromkeys(READ_BY_NAME.findall(text), module)
        if "os.environ" in re.sub(r"`[^`]*`", "", READ_BY_NAME.sub("", text)):
            whole.add(module)
    assert whole == set(READS_ALL), "the others are handed `Settings`"
    declared = {variable.name for variable in env.VARIABLES}
    assert {name: module for name, module in named.items() if name not in declared | OF_THE_SYSTEM} == {}
    stores = {"NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD", "NEO4J_DATABASE", "CHROMA_URL", "CHROMA_TOKEN"}
    assert stores <= declared
    example = Path(".env.example").read_text("utf-8")
    assert [name for name in declared if f"\n#{name}=" not in example] == []


def test_the_example_file_is_the_one_the_code_writes() -> None:
    assert Path(".env.example").read_text("utf-8") == env.example()


def test_the_llm_engine_without_a_key_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("LLM_API_KEY", "LLM_BASE_URL", "LLM_PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    assert main(["run", "--engine", "llm", "--task", "What is it?", "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "LLM_API_KEY" in said
    assert "offline" in said
    assert not (tmp_path / "run").exists()


# -- Which Host headers name a server of ours, and how the setting that names more of them is read ---------------------

ADDRESS = "http://127.0.0.1:8501"


def test_own_hosts_are_told_from_all_others() -> None:
    names = read_names("Named.Example., 192.168.1.5, fe80::1, [2001:DB8::2], bücher.example")
    assert names == ("named.example", "192.168.1.5", "fe80::1", "2001:db8::2", "xn--bcher-kva.example")
    for host in hosts(OWN, ADDRESS):
        assert is_own_host([host]), host
    for host in ("named.example", "NAMED.example.:443", "192.168.1.5:80", "[fe80::1]:80", "xn--bcher-kva.example"):
        assert is_own_host([host], names), host
        assert not is_own_host([host]), host
    for host in (*hosts(FOREIGN, ADDRESS), "sub.named.example", "named.example.evil"):
        assert not is_own_host([host], names), host
    assert not is_own_host([]), "a request that names no host"
    assert not is_own_host(["localhost", "localhost"]), "or two"


def test_a_server_that_others_reach_answers_to_the_address_they_reached() -> None:
    for host, at in (("10.1.2.3:8501", "10.1.2.3"), ("10.1.2.3", "::ffff:10.1.2.3"), ("[fe80::7]", "fe80::7%eth0")):
        assert is_own_host([host], at=at), host
    assert not is_own_host(["10.1.2.4"], at="10.1.2.3")
    assert not is_own_host(["evil.example"], at="10.1.2.3")
    assert not is_own_host(["evil.example"], at="evil.example"), "only an address tells where a connection came in"


def test_a_setting_that_names_no_bare_host_is_refused_with_its_remedy() -> None:
    for text in ("http://named.example", "named.example:80", "[::1]:80", "*.example", "a b", "a@b", "named.example/x"):
        with pytest.raises(InputError, match=r"ALLOWED_HOSTS: .* list host names or addresses with commas"):
            env.load({"ALLOWED_HOSTS": text}, None)
    read = env.load({"ALLOWED_HOSTS": "a.example,, B.example"}, None).settings
    assert read.allowed_hosts == ("a.example", "b.example")
