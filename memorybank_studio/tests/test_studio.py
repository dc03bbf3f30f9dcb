"""The whole loop on the real stores without a model: two tasks interleaved, one settled, its facts seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError, LockedError, StoreUnavailableError
from memorybank.memory.types import Lang
from memorybank.settings import env
from memorybank_studio.journal.context import TurnKind
from memorybank_studio.studio import Studio, StudioSettings
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.hub.semantic.made import chapter, setting
from memorybank_studio.tests.hub.semantic.server import COMMAND, Server
from memorybank_studio.types import Command, TaskState
from tests.lent_engine import lent_engines
from tests.tables import tables

TABLES = tables(__file__)

__all__ = ["lent_engines"]

CAST = (
    "Character: Lin\nCharacter: Rao\nCharacter: Wen\nItem: Frost Sword\nPlace: Northgate\n"
    "Settled: Lin owns Frost Sword.\nSettled: Rao hates Lin.\nSettled: In chapter 3, Rao killed Wen."
)
DRAFT = "Snow fell on Northgate. Wen laughed and drew the Frost Sword."
REMARK = "The weather is Rao's fault."
OTHER = "What could the weather do in the next scene?"


def from_environment(environment: dict[str, str], lang: Lang = "en") -> StudioSettings:
    return StudioSettings.of(env.load(environment, None).settings, lang)


def test_the_whole_loop(tmp_path: Path) -> None:
    """In Chinese it is played with a model (`test_recorded_studio`)."""
    with Studio.open(tmp_path, HashedNgrams()) as studio:
        gateway = studio.gateway
        cast = gateway.handle(CAST, task=None, command=Command.NEW, argument="cast").task
        weather = gateway.handle(OTHER, task=None, command=Command.NEW, argument="weather").task
        assert cast is not None
        assert weather is not None
        assert studio.stores.facts.count() == (0, 0)  # talk writes nothing

        table = gateway.handle("", task=cast.id, command=Command.SETTLE).table
        assert {turn for row in table.proposals for turn in row.turns} == {1}
        done = gateway.confirm(cast.id, table.proposals)
        assert done.applied, done.reason
        states = {task.id: task.state for task in gateway.tasks()}
        assert states == {cast.id: TaskState.CLOSED, weather.id: TaskState.OPEN}
        assert [turn.text for turn in gateway.history(weather.id) if turn.role == "author"] == [OTHER]

        entities, facts = studio.stores.facts.count()
        assert entities >= 5
        assert facts >= 3
        own = gateway.chapters.begin_with(DRAFT, 4, "")
        (piece,) = gateway.chapters.check(own.id).pieces
        assert piece.marks == ()
        assert piece.check_failure is not None, "nobody reads it without a model"
        assert "page Settings" in str(piece.check_failure)

        remark = gateway.handle(REMARK, task=weather.id)
        assert (remark.taken.kind, remark.options) == (TurnKind.REMARK, ())
        for kind in (TurnKind.OPTIONS, TurnKind.TEXT):
            asked = gateway.take_as(weather.id, kind)
            assert asked.options == ()
            assert "page Settings" in asked.text
        left = gateway.handle("", task=weather.id, command=Command.SETTLE).table
        assert not left.proposals
        assert [one.line for one in left.unread] == [REMARK], "ready to be entered by hand"

    with Studio.open(tmp_path, HashedNgrams()) as again:
        assert again.stores.facts.count() == (entities, facts)
        assert {task.state for task in again.gateway.tasks()} == {TaskState.CLOSED, TaskState.OPEN}
        with pytest.raises(LockedError):
            Studio.open(tmp_path, HashedNgrams())


def test_settings_come_from_the_environment_and_hide_secrets() -> None:
    environment = {
        "NEO4J_URI": "bolt://graph:7687",
        "NEO4J_PASSWORD": "secret-one",
        "CHROMA_URL": "http://vectors:8000",
        "CHROMA_TOKEN": "secret-two",
    }
    settings = from_environment(environment, "zh")
    assert (settings.graph.user, settings.graph.database) == ("neo4j", "neo4j")
    assert settings.tasks.lang == "zh"
    assert "secret" not in repr(settings)
    assert (from_environment({}).graph, from_environment({}).tasks) == (None, TaskSettings())
    assert (TaskSettings().window, TaskSettings().kept_seconds) == (8, 24 * 3600)
    settings = from_environment({"STUDIO_WINDOW": "2", "STUDIO_KEPT_HOURS": "0.5", "STUDIO_OPTIONS": "4"})
    assert (settings.tasks.window, settings.tasks.kept_seconds, settings.options) == (2, 1800, 4)


@pytest.mark.parametrize(("name", "value", "remedy"), TABLES["a_bad_value"])
def test_a_bad_value_is_told_with_its_variable(name: str, value: str, remedy: str) -> None:
    with pytest.raises(InputError, match=rf"^{name}: .*{remedy}"):
        from_environment({name: value})


@pytest.mark.usefixtures("lent_engines")
def test_a_chroma_server_that_is_down_loses_no_words_and_two_studios_on_it_see_nothing_of_each_other(
    tmp_path: Path,
) -> None:
    if not COMMAND.exists():
        pytest.skip("they want the chroma command: pip install chromadb")
    server = Server(tmp_path / "data")
    settings = StudioSettings(chroma_url=f"http://127.0.0.1:{server.port}")
    try:
        with Studio.open(tmp_path / "own", HashedNgrams(), settings) as studio:
            with pytest.raises(StoreUnavailableError, match=f"127.0.0.1:{server.port} cannot be reached: start it"):
                studio.gateway.handle(OTHER, task=None, command=Command.NEW, argument="weather")
            (task,) = studio.gateway.tasks()
            assert [turn.text for turn in studio.gateway.history(task.id)] == [OTHER]
            server.start()
            assert studio.gateway.resume(task.id).text
            assert [turn.role for turn in studio.gateway.history(task.id)] == ["author", "assistant"]
        with (
            Studio.open(tmp_path / "one", HashedNgrams(), settings) as one,
            Studio.open(tmp_path / "two", HashedNgrams(), settings) as two,
        ):
            with one.hub.changing() as stores:
                stores.settings.put([setting("Frost Sword", "It burns whoever lies.")])
                stores.archive.put(chapter(1, ["Snow fell."]))
            assert two.stores.settings.all() == two.stores.archive.chapters() == ()
            with two.hub.changing() as stores:
                stores.settings.put([setting("Frost Sword", "It is blunt.")])
                stores.archive.put(chapter(2, ["Rain."]))
            assert [entry.text for entry in one.stores.settings.all()] == ["It burns whoever lies."]
        with Studio.open(tmp_path / "one", HashedNgrams(), settings) as again:
            assert again.stores.archive.chapters() == ((1, "第1回"),)
            found = again.stores.settings.exact("frost sword")
            assert found.text == "It burns whoever lies."
    finally:
        server.kill()
