"""Stores that die while the page is open: what to do is said, the author's words are kept and go on when it is back."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.hub.verbalisation import tell_predicate
from memorybank_studio.page.settling import ROWS
from memorybank_studio.page.tab import StudioTab
from memorybank_studio.tests.hub.semantic.server import COMMAND, Server
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.types import TaskId
from tests.app.driving import keys, says, shown, tab_of
from tests.waiting import wait_until

CAST = "/new Swords\nCharacter: Lin Shuang\nItem: Frost Sword\nSettled: Lin Shuang owns the Frost Sword."


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[Server]:
    if not COMMAND.exists():
        pytest.skip("they want the chroma command: pip install chromadb")
    server = Server(tmp_path / "chroma-data")
    server.start()
    yield server
    server.kill()


def words(tab: Tab) -> list[str]:
    task = tab.desk.task
    return [turn.text for turn in tab.held.studio.gateway.history(task) if turn.role == "author"]


def died(tab: Tab, said: str, message: str) -> None:
    """What the author says now has no answer, is kept, and the page says what to do."""
    tab.say(said)
    assert says(tab.page, message), "what to do is said"
    assert words(tab)[-1] == said, "the words are kept"
    assert says(tab.page, said), "and shown"
    assert says(tab.page, t("studio.unanswered", "en"))
    assert "studio-input" in keys(tab.page), "the page goes on"


def back(tab: Tab) -> None:
    before = words(tab)
    tab.press("studio-resume")
    assert not says(tab.page, t("studio.unanswered", "en"))
    assert words(tab) == before, "nothing is said twice"
    assert tab.held.studio.gateway.history(tab.desk.task)[-1].role == "assistant"


def test_the_graph_engine_and_a_chroma_server_die_under_the_open_page(
    tabs: type[Tab], chroma: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMA_URL", f"http://127.0.0.1:{chroma.port}")
    tab = tabs().begin()
    tab.say(CAST).press("studio-settle-t1").press("studio-confirm")
    tab.say("/new Night\nPlot what Lin Shuang does next.")

    chroma.kill()
    died(
        tab, "Plot a storm for Lin Shuang.", f"The Chroma server at 127.0.0.1:{chroma.port} cannot be reached: start it"
    )
    tab.show("bible", "settings")
    assert says(tab.page, "cannot be reached: start it, then try again")
    chroma.start()
    back(tab.show("discuss"))

    connection = tab.held.studio.hub._own.facts._database._connection  # type: ignore[attr-defined]
    os.kill(connection._engine.pid, signal.SIGKILL)
    wait_until(lambda: not connection._engine.alive, 10)
    with unstartable(monkeypatch):
        died(tab, "Who hates Lin Shuang?", "The embedded graph engine cannot be reached")
        assert says(tab.page, "try again, it is started anew")
        tab.show("bible", "facts")
        assert says(tab.page, "try again, it is started anew")
    tab.rest().page.selectbox(key="studio-entity").set_value("Lin Shuang")
    assert says(tab.rest().page, "Lin Shuang owns Frost Sword"), "a redraw starts it anew; nothing is lost"
    back(tab.show("discuss"))


@contextmanager
def unstartable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take the engine's program away: a start fails for real."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        yield


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_journal_whose_disk_fails_is_given_up_and_opened_again(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    tab = tabs(lang).begin().say("/new Swords\nLin Shuang owns the Frost Sword.")
    before = words(tab)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        tab.say("Mara owns the Dawn Sword.")
    assert says(tab.page, {"en": "nothing more is written", "zh": "不再写入任何内容"}[lang])
    assert "studio-input" not in keys(tab.page), "nothing can be typed that would be lost"
    tab.press("studio-again")
    tab_of(tab.page).part("studio", StudioTab).desk.task = "t1"
    assert words(tab.run())[: len(before)] == before
    tab.say("Character: Mara").press("studio-settle-t1")
    assert words(tab)[-1] == "Character: Mara"
    rows = tab.rows
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        tab.press("studio-confirm")
        assert says(tab.page, {"en": "the disk is full", "zh": "磁盘已满"}[lang].capitalize())
    assert tab.run().rows == rows, "the table waits as it was"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        tab.press("studio-confirm")
    assert "studio-again" in keys(tab.page), "nobody knows what the disk holds"
    tab.press("studio-again")
    assert "Mara" in shown(tab.page, "studio-written"), "it was there, and its author is told"
    assert "Mara" in tab.held.studio.stores.facts.names()


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


WHO, WHOM = "Lin Shuang", "Rao"
FIRST = f"In chapter 4 {WHO} could not look at {WHOM} without hearing the mill burn."
PROSE = f"{FIRST} The lamps along Northgate guttered. It had rained since noon."


def settled(tab: Tab, prose: str = PROSE) -> Tab:
    """A studio with a cast on record, and a second task of plain prose, settled without a model."""
    cast = f"Character: {WHO}\nCharacter: {WHOM}\nPlace: Northgate"
    tab.begin().say(f"/new Cast\n{cast}").press("studio-settle-t1").press("studio-confirm")
    return tab.say(f"/new Night\n{prose}").press("studio-settle-t2")


def sentence(place: int, turns: int = 2) -> str:
    return f"studio-unread-t2-{turns}-{place}"


def choose(tab: Tab, predicate: str) -> None:
    """A relation by its words."""
    relation = tab.page.selectbox(key=key_ending(tab, "-predicate"))
    told = tell_predicate(predicate, "en")
    relation.set_value(next(one for one in reversed(relation.options) if one.startswith(told)))


def key_ending(tab: Tab, ending: str) -> str:
    return next(key for key in keys(tab.page) if key.startswith("form-") and key.endswith(ending))


def test_what_is_nothing_to_record_stays_away_over_a_reload_and_a_new_table(tabs: type[Tab]) -> None:
    tab = settled(tabs()).press(f"dismiss-{sentence(2)}")
    assert t("studio.unread", "en", count=2) in shown(tab.page, "studio-unread-count")
    again = tabs().press(f"studio-open-{tab.held.id}").press("studio-switch-t2")
    assert t("studio.unread", "en", count=2) in shown(again.page, "studio-unread-count")
    again.say("Rao slept badly.").press("studio-settle-t2")
    assert t("studio.unread", "en", count=3) in shown(again.page, "studio-unread-count"), "the new one alone came in"
    again.press("studio-unread-none-all")
    assert t("studio.unread_none", "en") in shown(again.page, "studio-unread-count")
    again.press("studio-unread-again")
    assert t("studio.unread", "en", count=4) in shown(again.page, "studio-unread-count")


def test_what_cannot_be_is_said_and_what_was_written_down_is_not_unread_when_it_is_settled_again(
    tabs: type[Tab],
) -> None:
    tab = settled(tabs()).press(f"write-{sentence(0)}")
    choose(tab, "MEMBER_OF")
    tab.page.text_input(key=key_ending(tab, "-chapter")).set_value("four")
    tab.submit(t("studio.unread_keep", "en"))
    assert says(tab.page, "'four' is no chapter")
    assert tab.page.text_input(key=key_ending(tab, "-chapter")).value == "four"
    assert t("studio.unread", "en", count=3) in shown(tab.page, "studio-unread-count")
    tab.page.text_input(key=key_ending(tab, "-chapter")).set_value("4")
    tab.submit(t("studio.unread_keep", "en"))
    (row,) = tab.held.tables[TaskId("t2")].proposals
    assert row.item.predicate == "MEMBER_OF", "not the other relation that is told as “belongs to”"
    tab.say("Rao slept badly.").press("studio-settle-t2")
    assert [kept.item for kept in tab.rows] == [row.item], "it stays in a table that is made anew"
    assert t("studio.unread", "en", count=3) in shown(tab.page, "studio-unread-count")
    tab.press("studio-confirm").press("studio-restart-t2").press("studio-settle-t2")
    assert t("studio.unread", "en", count=3) in shown(tab.page, "studio-unread-count")
    table = tab.held.studio.gateway.table(TaskId("t2"))
    assert table.proposals == (), "and nothing proposes to take it back"


def test_hundreds_of_sentences_come_in_pages(tabs: type[Tab]) -> None:
    prose = " ".join(f"The wind turned for the {number}th time." for number in range(1, 301))
    tab = settled(tabs(), f"{prose} The wind turned for the 1th time.")
    assert t("studio.unread", "en", count=300) in shown(tab.page, "studio-unread-count"), "one said twice is one"
    rows = [key for key in keys(tab.page) if key.startswith("words-studio-unread-")]
    assert len(rows) == ROWS
    tab.press("studio-rows-more")
    assert len([key for key in keys(tab.page) if key.startswith("words-studio-unread-")]) == 2 * ROWS
    tab.press("studio-unread-next")
    assert key_ending(tab, "-subject").startswith(f"form-{sentence(0)}"), "the first that is left is open"
