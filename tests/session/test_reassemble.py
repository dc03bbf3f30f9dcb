"""A run that is taken up again: its settings come from its journal, addresses, keys and what may be fetched do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.__main__ import main
from memorybank.errors import InputError
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Relation
from memorybank.runs import local_state
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, run_id_of, state_at
from memorybank.session.assembly import assemble, reassemble, recall_for
from memorybank.session.session import Session
from memorybank.settings.config import EmbeddingEndpoint, Settings
from memorybank.settings.llm import LLMSettings
from memorybank_lab.scripted import ScriptedServer, SeenRequest
from tests.llm import sessions

CHAT_KEY = "sk-test-chat-0123456789abcdefghij"
VECTOR_KEY = "sk-test-vectors-0123456789abcdefg"
MODEL = "house-embeddings"
DIM = 48
TASK = sessions.TASKS["en"]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(sessions.recorded("en"), dim=DIM) as running:
        yield running


def served(server: ScriptedServer, **changes: Any) -> Settings:
    """This machine's settings: one server gives answers and vectors."""
    return replace(
        Settings(
            engine="llm",
            embedding_model=MODEL,
            embedding_endpoint=EmbeddingEndpoint(base_url=server.base_url, api_key=VECTOR_KEY),
            llm=LLMSettings(
                base_url=server.base_url, api_key=CHAT_KEY, model="scripted", timeout=5.0, attempts=2, cache=False
            ),
        ),
        **changes,
    )


def begin(folder: Path, settings: Settings) -> Session:
    return Session.start(folder, assemble(settings, [TASK]), goal=TASK, sources=sessions.sources("en"))


def begun_with(folder: Path) -> SessionStarted:
    begun = state_at(load(folder)).settings
    assert begun is not None
    return begun


def kinds(requests: list[SeenRequest]) -> set[str]:
    return {request.kind for request in requests}


def test_a_whole_session_on_served_vectors_and_its_replay(server: ScriptedServer, run_dir: Path) -> None:
    with begin(run_dir, served(server)) as session:
        result = session.run()
        bank = session.bank
    assert (result.result, result.answer) == ("complete", sessions.ANSWERS["en"])
    asked = server.select(lambda request: request.kind == "embeddings")
    assert asked
    assert {request.model for request in asked} == {MODEL}
    begun = begun_with(run_dir)
    assert (begun.engine, begun.embedding_model, begun.embedding_dim) == ("llm", f"endpoint:{MODEL}", DIM)
    assert {len(node.vector) for node in bank.graph.nodes.values()} == {2 * DIM}
    for path in filter(Path.is_file, run_dir.rglob("*")):
        written = path.read_bytes()
        assert not any(word.encode() in written for word in (CHAT_KEY, VECTOR_KEY, server.base_url)), path.name
    seen = len(server.requests)
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)
    assert len(server.requests) == seen, "a replay contacts nothing"


def test_a_model_of_another_dimension_behind_the_name_is_refused(server: ScriptedServer, run_dir: Path) -> None:
    with begin(run_dir, served(server)) as session:
        session.run_until(lambda report: report.stage == "classify")
    server.dim = 64  # the endpoint's model was exchanged; only its vectors can tell
    with (
        pytest.raises(InputError, match=r"vectors of 64 dimensions, this session began with 48: [^\n]+$"),
        Session.open(run_dir, lambda begun: reassemble(begun, served(server))) as session,
    ):
        session.run()
    assert not state_at(load(run_dir)).graph.nodes, "no vector of the other model came in"
    server.dim = DIM
    with Session.open(run_dir, lambda begun: reassemble(begun, served(server))) as session:
        assert session.run().result == "complete"


NOWHERE = {"embedding_endpoint": EmbeddingEndpoint()}
AUTO, HASHED, HUB = ({"embedding_model": name} for name in ("auto", "hashed-ngrams", "someone/their-model"))
ALLOW_HUB = "allow it with --embedding-model someone/their-model"


@pytest.mark.parametrize(
    ("run", "local", "words"),
    [
        ({}, {"embedding_model": "other-embeddings"}, f"go on with EMBEDDING_MODEL=endpoint:{MODEL}"),
        ({}, HASHED | NOWHERE, "a memory keeps one model"),
        ({}, AUTO | NOWHERE, "set EMBEDDING_BASE_URL to go on"),
        ({}, NOWHERE, "set EMBEDDING_BASE_URL to go on"),
        (HUB, AUTO, ALLOW_HUB),
        (HUB, AUTO | NOWHERE, ALLOW_HUB),
        (HASHED | {"embedding_dim": 48}, AUTO | NOWHERE, "have 48 numbers, hashed-ngrams now gives 384"),
    ],
    ids=["other model", "other kind", "no endpoint", "endpoint gone", "hub", "hub, no endpoint", "other dimension"],
)
def test_refused_in_one_line(
    server: ScriptedServer, run_dir: Path, run: dict[str, Any], local: dict[str, Any], words: str
) -> None:
    begin(run_dir, served(server)).close()
    begun, here = replace(begun_with(run_dir), **run), served(server, **local)
    seen = len(server.requests)
    for rebuild in (reassemble, recall_for):
        with pytest.raises(InputError) as refused:
            rebuild(begun, here)
        assert words in str(refused.value)
        assert "\n" not in str(refused.value)
    assert len(server.requests) == seen, "nothing was contacted"


def test_a_journal_brings_settings_but_no_address_key_or_model(server: ScriptedServer, run_dir: Path) -> None:
    narrow = served(server, relations=(Relation.CONFLICT,), strategy="two_stage", retrieval_k=2, max_rounds=3)
    begin(run_dir, narrow).close()
    with ScriptedServer(sessions.recorded("en"), dim=DIM) as other:
        begun = begun_with(run_dir)
        assert not any(server.base_url in str(value) for value in asdict(begun).values())
        parts = reassemble(begun, served(other, lang="zh"))
        assert (parts.settings.relations, parts.settings.strategy) == ((Relation.CONFLICT,), "two_stage")
        assert (parts.settings.retrieval_k, parts.settings.max_rounds, parts.lang) == (2, 3, "en")
        assert parts.settings.llm.endpoint == other.base_url
        parts.chats.close()
        seen = len(server.requests)
        with Session.open(run_dir, lambda begun: reassemble(begun, served(other))) as session:
            session.run_until(lambda report: report.stage == "analyse")
        assert kinds(other.requests) >= {"chat", "embeddings"}
        assert len(server.requests) == seen, "the machine it was begun on is not asked"
        seen = len(other.requests)
        for llm, words in (
            (LLMSettings(), "no LLM_API_KEY is set"),
            (LLMSettings(provider="nobody"), "LLM_PROVIDER is 'nobody'"),
        ):
            with pytest.raises(InputError, match=words):
                reassemble(begun, served(other, llm=llm))
        assert len(other.requests) == seen


@pytest.mark.parametrize("embedding", ["hashed-ngrams", MODEL])
def test_retrieve_on_an_llm_run_needs_no_key_of_a_language_model(
    embedding: str,
    server: ScriptedServer,
    run_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with begin(run_dir, served(server, embedding_model=embedding)) as session:
        session.run_until(lambda report: report.stage == "analyse")
    for name in ("LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL", "LLM_PROVIDER", "EMBEDDING_MODEL", "EMBEDDING_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(run_dir.parent)  # no .env here
    arguments = ["retrieve", str(run_dir), "How many arches has the Kessel viaduct?", "--json"]
    seen = len(server.requests)
    if embedding == MODEL:
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert "set EMBEDDING_BASE_URL to go on" in said
        assert said.count("\n") == 1
        assert len(server.requests) == seen
        monkeypatch.setenv("EMBEDDING_BASE_URL", server.base_url)
        monkeypatch.setenv("EMBEDDING_API_KEY", VECTOR_KEY)
    assert main(arguments) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    bank = state_at(load(run_dir))
    assert "Kessel" in bank.graph.nodes[hits[0]["node_id"]].summary
    assert kinds(server.requests[seen:]) == ({"embeddings"} if embedding == MODEL else set())


def test_a_run_that_stands_knows_its_corpus(tmp_path: Path) -> None:
    """A kill comes between two writes: when the first of a run is on the disk, its corpus is known."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "notes.txt").write_text("The Kessel viaduct has 24 stone arches.")
    known: list[Path | None] = []

    class Watched(Session):
        def _commit(self, facts: Any, *rest: Any, **more: Any) -> None:
            known.append(local_state.known_corpus(facts[0].run_id))
            super()._commit(facts, *rest, **more)

    parts = assemble(replace(Settings(embedding_model="hashed-ngrams"), corpus=corpus), [TASK])
    with Watched.start(tmp_path / "run", parts, goal=TASK) as session:
        branch = session.fork(len(session.records), tmp_path / "branch")
        assert local_state.known_corpus(run_id_of(load(branch))) == corpus
    assert known == [corpus]
