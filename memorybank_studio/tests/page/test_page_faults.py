"""Stores that die while the page is open: what to do is said, the author's words are kept and go on when it is back."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.page.tab import StudioTab
from memorybank_studio.tests.conftest import RedisServer
from memorybank_studio.tests.hub.semantic.server import COMMAND, Server
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import keys, says, tab_of
from tests.waiting import wait_until

CAST = "/new Swords\nCharacter: Lin Shuang\nItem: Frost Sword\nSettled: Lin Shuang owns the Frost Sword."


@pytest.fixture
def lent_engines() -> None:
    """The engine that dies here is the studio's own."""


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[RedisServer, Server]]:
    if shutil.which("redis-server") is None:
        pytest.skip("they want redis-server: apt-get install redis-server")
    if not COMMAND.exists():
        pytest.skip("they want the chroma command: pip install chromadb")
    redis, chroma = RedisServer(tmp_path), Server(tmp_path / "chroma-data")
    chroma.start()
    yield redis, chroma
    redis.kill()
    chroma.kill()


def words(tab: Tab) -> list[str]:
    task = tab.desk.task
    return [turn.text for turn in tab.held.studio.gateway.journalled(task) if turn.role == "author"]


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


def test_the_graph_engine_a_chroma_and_a_redis_server_die_under_the_open_page(
    tabs: type[Tab], servers: tuple[RedisServer, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    redis, chroma = servers
    monkeypatch.setenv("REDIS_URL", redis.url)
    monkeypatch.setenv("CHROMA_URL", f"http://127.0.0.1:{chroma.port}")
    tab = tabs().begin()
    tab.say(CAST).press("studio-settle-t1").press("studio-confirm")
    tab.say("/new Night\nPlot what Lin Shuang does next.")

    redis.kill()
    died(tab, "Who owns the Frost Sword?", "start Redis or take its URL out of the settings")
    redis.start()
    back(tab)

    chroma.kill()
    died(
        tab, "Plot a storm for Lin Shuang.", f"The Chroma server at 127.0.0.1:{chroma.port} cannot be reached: start it"
    )
    tab.show("hub", "settings")
    assert says(tab.page, "cannot be reached: start it, then try again")
    chroma.start()
    back(tab.show("discuss"))

    kill_engine(tab)
    with unstartable(monkeypatch):
        died(tab, "Plot a quarrel for Lin Shuang.", "The embedded graph engine cannot be reached")
        assert says(tab.page, "try again, it is started anew")
        tab.show("hub", "facts")
        assert says(tab.page, "try again, it is started anew")
    back(tab.show("discuss"))
    kill_engine(tab)
    tab.show("hub", "facts").page.selectbox(key="studio-entity").set_value("Lin Shuang")
    assert says(tab.rest().page, "Lin Shuang owns Frost Sword"), "a redraw starts it anew; nothing is lost"


def kill_engine(tab: Tab) -> None:
    connection = tab.held.studio.hub._own.facts._database._connection  # type: ignore[attr-defined]
    os.kill(connection.engine_pid, signal.SIGKILL)
    wait_until(lambda: not connection._engine.alive, 10)


@contextmanager
def unstartable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the engine's program were gone: a start fails for real."""
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
        patch.setattr(os, "fsync", failing_fsync)
        tab.say("Mara owns the Dawn Sword.")
    assert says(tab.page, {"en": "nothing more is written", "zh": "不再写入任何内容"}[lang])
    assert "studio-input" not in keys(tab.page), "nothing can be typed that would be lost"
    tab.press("studio-again")
    tab_of(tab.page).part("studio", StudioTab).desk.task = "t1"
    assert words(tab.run())[: len(before)] == before
    assert words(tab.say("Lin meets Mara."))[-1] == "Lin meets Mara."


def failing_fsync(_: int) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))
