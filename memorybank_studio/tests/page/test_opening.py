"""How the server opens a studio on a graph server: the author's own one, by its title; the demo never."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank.ui.shell import state
from memorybank.views.i18n import explain, t
from memorybank_studio.hub.connection import USER
from memorybank_studio.page.demo import CHAPTER, NAMES
from memorybank_studio.page.shelf import CARD, Card, open_studio
from memorybank_studio.page.tab import DRAFT_TEXT, STUDIO
from memorybank_studio.studio import Studio
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.tests.page.test_turns import type_into
from memorybank_studio.types import TaskId, TaskState
from tests.app.driving import says, tab_of
from tests.lent_engine import ONE_DATABASE, LentEngine

pytestmark = pytest.mark.usefixtures("lent_engines")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent_engines: None) -> Iterator[LentEngine]:
    engine = LentEngine(tmp_path / "server", (ONE_DATABASE,))
    given = {"URI": engine.uri, "USER": USER, "PASSWORD": engine.password, "DATABASE": ONE_DATABASE}
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
    tmp_path: Path, server: LentEngine
) -> None:
    with open_studio(tmp_path / "demo", card("Demo", demo=True)) as demo:
        assert demo.stores.facts.names()
        with open_studio(tmp_path / "one", card("The Siege")) as one:
            assert one.stores.facts.count() == (0, 0), "nothing of the demo is on the server"
        with pytest.raises(InputError, match=r"“The Siege” \(\w+\), not of “Winter” \(\w+\)") as refused:
            open_studio(tmp_path / "two", card("Winter"))
        open_studio(tmp_path / "one", card("The Siege")).close()  # one's own is opened again
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


def open_after_a_loss(folder: Path, card: Card, monkeypatch: pytest.MonkeyPatch) -> Studio:
    """The studio, opened again after its graph was lost in the middle of its first opening."""
    monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")

    def lost(*given: object, **named: object) -> None:
        raise StoreUnavailableError("the graph was lost: start it")

    with monkeypatch.context() as cut:
        cut.setattr(Gateway, "confirm", lost)
        with pytest.raises(StoreUnavailableError, match="lost"):
            open_studio(folder, card)
    return open_studio(folder, card)


def test_a_demo_that_was_left_half_full_is_filled_when_it_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_after_a_loss(tmp_path, card("Demo", demo=True), monkeypatch) as studio:
        assert studio.stores.archive.chapters()
        assert studio.stores.facts.names()
        assert len(studio.gateway.tasks()) == 1, "the task that was begun is gone on with"
    with open_studio(tmp_path, card("Demo", demo=True)) as studio:
        assert len(studio.gateway.tasks()) == 1


def test_a_recorded_session_is_acted_once_without_a_key_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = Card(title="Recorded", lang="zh", made=0.0, recorded=True)
    (tmp_path / CARD).write_text("{}")
    with open_after_a_loss(tmp_path, recorded, monkeypatch) as studio:
        gateway = studio.gateway
        states = [task.state for task in gateway.tasks()]
        assert states == [TaskState.CLOSED, TaskState.OPEN, TaskState.OPEN, TaskState.OPEN], "begun anew, and whole"
        assert gateway.chapters.chapter(CHAPTER).archived
        assert not gateway.chapters.can_write, "no language model is set"
        (option,) = gateway._desk.offers(TaskId("t4"))
        assert option.option.draft.made_by == NAMES["zh"], "it says that it is recorded"
        gateway.handle("顾三爷人在哪儿？", task=TaskId("t3"))
    with open_studio(tmp_path, recorded) as studio:
        assert len(studio.gateway.history(TaskId("t3"))) == 4, "what came after it stays"
    assert (tmp_path / CARD).exists()


def begun(tabs: type[Tab]) -> Tab:
    tab = tabs().begin("The dam")
    for title in ("Mira", "The sluice"):
        tab.page.text_input(key="studio-task-title").set_value(title)
        tab.submit(t("studio.task_new", "en"))
    return tab


def loaded_anew(tabs: type[Tab], tab: Tab, **changed: str) -> Tab:
    """Another session with the address of this one, which is all that a browser keeps."""
    anew = tabs.__new__(tabs)
    anew.page = tab.page.__class__.from_file(tab.page._script_path, default_timeout=60)
    for name, value in tab.page.query_params.items():
        anew.page.query_params[name] = value
    anew.page.query_params.update(changed)
    tab_of(anew.page).page_wanted = "studio"
    return anew.rest()


def test_the_studio_the_task_and_the_draft_are_there_again_by_the_address_alone(tabs: type[Tab]) -> None:
    tab = begun(tabs)
    assert says(loaded_anew(tabs, tab, task="t99").page, t("studio.no_task", "en")), "a task that is not there is none"
    anew = loaded_anew(tabs, type_into(tab.press("studio-switch-t1").show("write"), DRAFT_TEXT.key, "The water rose."))
    assert anew.held is tab.held
    assert anew.page.text_area(key=DRAFT_TEXT.key).value == "The water rose.", "at the place that was shown"
    assert says(anew.show("discuss").page, "The dam")
    assert anew.desk.task == "t1"
    assert anew.say("Mira opens the sluice.").held.studio.gateway.history("t1")[-2].text == "Mira opens the sluice."
    left = loaded_anew(tabs, anew).press("studio-leave")
    assert not left.desk.id, "who leaves for the others does not come back by the address"
    assert left.run().page.button(key="studio-demo")
    assert STUDIO not in left.page.query_params


def test_a_studio_that_is_not_here_is_said_and_the_choice_stands(tabs: type[Tab]) -> None:
    for named in ("0" * 32, "../../etc", "<b>x</b>"):
        tab = loaded_anew(tabs, tabs(), studio=named)
        assert tab.page.button(key="studio-demo")
        assert says(tab.page, "There is no such studio on this machine")


def test_a_table_lies_as_it_was_left_also_when_the_task_goes_on(tabs: type[Tab]) -> None:
    tab = begun(tabs)
    tab.say("Hook: who broke the seal\nHook: who lit the lamp").press("studio-settle-t2")
    rows = tab.rows
    assert len(rows) > 2
    first, second = f"studio-tick-t2-{tab.table.turns}-{rows[0].number}", rows[1].number
    tab.page.checkbox(key=first).uncheck()
    tab.run()
    anew = loaded_anew(tabs, tab)
    assert anew.page.checkbox(key=first).value is False
    assert [row.ticked for row in anew.rows] == [False, *(row.ticked for row in rows[1:])]
    other = first.replace(f"-{rows[0].number}", f"-{second}")
    anew.page.checkbox(key=other).uncheck()
    anew.run()
    assert tab.run().rows[1].ticked is tab.page.checkbox(key=other).value is False, "one table, in each tab"
    anew.say("Hook: who wrote the letter").press("studio-settle-t2")
    assert loaded_anew(tabs, anew).rows[0].ticked is False, "it stays so in a table made anew"
