"""How the server opens a studio on a graph server: the author's own one, by its title; the demo never."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.errors import InputError
from memorybank.ui.shell import state
from memorybank.views.problems import explain
from memorybank_studio.hub.connection import USER, EmbeddedEngine
from memorybank_studio.page.shelf import Card, open_studio


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedEngine]:
    engine = EmbeddedEngine(tmp_path / "server", ("both",))
    given = {"URI": engine.uri, "USER": USER, "PASSWORD": engine.password, "DATABASE": "both"}
    for name, value in given.items():
        monkeypatch.setenv(f"NEO4J_{name}", value)
    monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")
    state.local.clear()
    yield engine
    engine.close()
    state.local.clear()


def card(title: str, *, demo: bool = False) -> Card:
    return Card(title=title, lang="en", made=0.0, demo=demo)


def test_a_second_story_is_refused_by_title_and_the_demo_leaves_the_server_alone(
    tmp_path: Path, server: EmbeddedEngine
) -> None:
    with open_studio(tmp_path / "demo", card("Demo", demo=True)) as demo:
        assert demo.stores.facts.names()
        with open_studio(tmp_path / "one", card("The Siege")) as one:
            assert one.stores.facts.count() == (0, 0), "nothing of the demo is on the server"
        with pytest.raises(InputError, match=r"“The Siege” \(\w+\), not of “Winter” \(\w+\)") as refused:
            open_studio(tmp_path / "two", card("Winter"))
    told = explain(refused.value, "zh")
    assert "“The Siege”" in told.words
    assert "不是 “Winter”" in told.words
    assert "NEO4J_DATABASE" in told.words


def test_with_a_variable_that_cannot_be_used_no_studio_is_opened_where_its_stores_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    monkeypatch.setenv("RETRIEVAL_K", "many")
    state.local.clear()
    try:
        with pytest.raises(InputError, match="RETRIEVAL_K"):
            open_studio(tmp_path / "studio", card("The Siege"))
        assert not (tmp_path / "studio").exists()
    finally:
        state.local.clear()
