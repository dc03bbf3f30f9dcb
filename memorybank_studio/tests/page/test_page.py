"""The page in this process, on the real stores: tasks, settlement with edits, the hub, import and export."""

from __future__ import annotations

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.page import page as studio_page
from memorybank_studio.page.shelf import shelf
from memorybank_studio.settlement import applying
from memorybank_studio.settlement.edits import blank
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.types import EntityKind, Fact, TaskState, entity_key
from tests.app.driving import keys, says, shown

LANGS: tuple[Lang, ...] = ("en", "zh")


def test_without_the_extra_one_sentence_and_the_command(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio_page, "find_spec", lambda name: None if name == "neo4j" else object())
    tab = tabs()
    assert says(tab.page, t("studio.missing", "en"))
    assert [one.value for one in tab.page.code] == [studio_page.COMMAND]
    assert "studio-demo" not in keys(tab.page)
    tab.page.switch_page("pages/8_settings.py").run()
    assert not tab.page.exception, "the rest of the app is not touched"


def test_nobody_elsewhere_is_told_of_a_story(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    id_ = shelf().add("A secret story", "en")
    assert says(tabs().page, "A secret story")
    monkeypatch.setattr(studio_page, "is_served_here", lambda: False)
    tab = tabs()
    assert not says(tab.page, "A secret story")
    assert f"studio-open-{id_}" not in keys(tab.page)


def test_commands_as_buttons_and_what_cannot_be_used_is_kept(tabs: type[Tab]) -> None:
    tab = tabs().begin()
    tab.say("/new \u3164\nA night at sea")
    assert says(tab.page, "A task needs a title") or says(tab.page, "a task needs a title")
    assert "A night at sea" in shown(tab.page, "studio-refused"), "what was typed is not lost"
    tab.say("/new Alpha").page.session_state["studio-task-title"] = "Beta"
    tab.desk.pressed = "studio-task-new", t("studio.task_new", "en")  # by a drawing that was cut short
    tab.rest()
    assert tab.desk.task == "t2"
    tab.press("studio-switch-t1")
    assert tab.desk.task == "t1"
    tab.press("studio-ask-discard-t1").press("studio-discard-t1")
    assert tab.held.studio.gateway.tasks()[0].state is TaskState.DISCARDED
    assert tab.desk.task is None
    tab.press("studio-switch-t2").press("studio-settle-t2").press("studio-confirm")
    assert tab.held.studio.gateway.tasks()[1].state is TaskState.CLOSED
    assert "24 h" in shown(tab.page, "studio-task-words-t2")
    tab.press("studio-restart-t2")
    assert tab.desk.task == "t2"


def test_the_settlement_table_is_edited_added_to_and_confirmed(tabs: type[Tab]) -> None:
    tab = tabs().begin()
    tab.say(
        "/new Swords\nCharacter: Lin Shuang\nItem: Frost Sword\nSettled: In chapter 2 Lin Shuang owns the Frost Sword."
    )
    tab.press("studio-settle-t1")
    rows = tab.rows
    fact = next(row for row in rows if isinstance(row.item, Fact))
    assert says(tab.page, "Lin Shuang owns Frost Sword (since chapter 2)")

    tab.press(f"studio-row-edit-{fact.number}")
    assert says(tab.page, "Settled: In chapter 2 Lin Shuang owns"), "the turns it came from are shown"
    tab.fill(chapter="two")
    assert says(tab.run().page, "'two' is no chapter"), "also when what was typed is saved, which draws the page anew"
    assert tab.rows == rows, "nothing of the table is lost"
    tab.fill(chapter="3", object="Ice Sword")
    assert says(tab.page, "Lin Shuang owns Ice Sword (since chapter 3)")
    new = tab.rows[-1].item
    assert (new.kind, new.name) == (EntityKind.ITEM, "Ice Sword"), "a name nobody knows is a row of its own"

    sword = next(row for row in tab.rows if getattr(row.item, "name", "") == "Frost Sword")
    tab.tick_of(sword).set_value(False)
    rao = {**blank("fact"), "subject": "Rao", "predicate": "OWNS", "object": "Ice Sword", "chapter": "3"}
    tab.held.studio.gateway.bible.add(("fact", rao))
    tab.rest().press("studio-confirm")
    assert says(tab.page, "changed since you saw this row"), "what hinders is said at its row"
    assert "Rao owns Ice Sword" in shown(tab.page, f"studio-row-words-{fact.number}"), "which is as the hub has it now"
    tab.press("studio-confirm")
    stores = tab.held.studio.stores
    assert stores.facts.named("Frost Sword") == (), "what was not ticked is not written"
    (held,) = stores.facts.about(entity_key(EntityKind.CHARACTER, "Lin Shuang"), chapter=3)
    assert (held.predicate, held.since) == ("OWNS", 3)
    assert "owns Ice Sword" in shown(tab.page, "studio-written")


@pytest.mark.parametrize("lang", LANGS)
def test_a_settlement_that_waits_and_is_refused_later_says_why(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    def away(*_: object) -> None:
        raise StoreUnavailableError("graph.embedded_unreachable", why="gone")

    def refuse(*_: object) -> None:
        raise InputError("settlement.no_name", kind="Character")

    tab = tabs(lang).begin()
    tab.say("/new Swords\nCharacter: Lin Shuang").press("studio-settle-t1")
    with monkeypatch.context() as patched:
        patched.setattr(applying, "_parts", away)
        tab.press("studio-confirm")
    waits = {"en": "the embedded graph engine cannot be reached", "zh": "无法连接内置的图引擎"}
    assert waits[lang] in shown(tab.page, "studio-written")
    with monkeypatch.context() as patched:
        patched.setattr(applying, "check", refuse)
        tab.held.studio.gateway._settler._applier.apply()
    tab.desk.task = "t1"
    tab.run()
    why = shown(tab.page, "studio-settle-failed")
    assert t("studio.settle_failed", lang) in why
    assert {"en": "A Character of the settlement has no name", "zh": "没有名称：请填写名称"}[lang] in why
    tab.press("studio-settle-t1")
    assert "studio-settle-failed" not in keys(tab.page), "a new table has not failed"


BOOK = "\n".join(
    f"Chapter {number}\n\n“We wait,” said Anna Reed. “We go,” said Tom Hale. Anna Reed shook her head.\n"
    for number in range(1, 5)
)


def test_a_book_is_recognised_imported_and_what_is_left_over_is_told(tabs: type[Tab]) -> None:
    tab = tabs().begin()
    tab.show("chapters", "book").page.file_uploader(key="studio-import-file").upload("book.txt", BOOK.encode())
    tab.rest()
    assert t("studio.recognised", "en", count=4, number=f"{len(BOOK):,}") in shown(tab.page, "studio-chapters")
    assert tab.held.studio.stores.archive.chapters() == (), "nothing is written before it is started"
    tab.press("studio-import-start")
    assert tab.held.importing.wait(60)
    tab.rest()
    assert says(tab.page, t("studio.import_done", "en"))
    assert len(tab.held.studio.stores.archive.chapters()) == 4
    assert tab.held.studio.stores.facts.count() == (0, 0), "an import writes chapters and nothing else"

    shorter = BOOK.partition("Chapter 3")[0]
    tab.page.file_uploader(key="studio-import-file").upload("book.txt", shorter.encode())
    tab.rest()
    assert "Chapter 4" in shown(tab.page, "studio-left-over"), "told before it happens"
    start = tab.page.button(key="studio-import-start")
    assert start.disabled, "the author decides"
    tab.page.radio(key="studio-left-over-do").set_value("remove")
    tab.rest().press("studio-import-start")
    assert tab.held.importing.wait(60)
    assert [number for number, _ in tab.held.studio.stores.archive.chapters()] == [1, 2]
