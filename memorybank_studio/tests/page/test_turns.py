"""On the page: what a turn was taken for, the click that changes it, the lines cited, a command as a button, a person
in the model's place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memorybank.llm.hand.chat import awaited
from memorybank.llm.hand.folder import HandFolder
from memorybank.ui.shell import state
from memorybank.views.i18n import t
from memorybank_studio.page.shelf import shelf
from memorybank_studio.page.tab import DRAFT_TEXT
from memorybank_studio.tasks.by_hand import TypedTexts
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.tests.page.test_chapters import WORDS
from memorybank_studio.tests.tasks.asking import taken
from memorybank_studio.types import TaskState
from tests.app.driving import keys, says, sent, shown
from tests.waiting import wait_until

CAST = "/new Cast\nCharacter: Lin\nCharacter: Rao\nSettled: Rao hates Lin."


def test_a_question_is_told_as_one_its_lines_lead_to_the_hub_and_a_click_makes_it_something_else(
    tabs: type[Tab],
) -> None:
    tab = tabs().begin()
    tab.say(CAST).press("studio-settle-t1").press("studio-confirm")
    tab.say("/new Hate\nWhom does Rao hate? Is it true?")
    assert shown(tab.page, "studio-taken-words-t2-1").startswith(
        "Taken as: question of fact — it ends in a question mark"
    )
    assert "[1] Rao hates Lin" in shown(tab.page, "studio-cited-t2-2")
    take_as(tab, "t2-1", "options")
    assert "studio-replaced-t2-2" in keys(tab.page)
    assert shown(tab.page, "studio-taken-words-t2-1") == "Taken as: request for options, as you chose"
    assert says(tab.page, "written by a language model, and none is set (page Settings)")
    take_as(tab, "t2-1", "fact")
    tab.press("studio-cited-t2-4-0")
    assert "Rao hates Lin" in shown(tab.page, "studio-about"), "the way to the fact in the hub"


def test_a_person_answers_in_the_models_place_and_what_waits_can_be_stopped(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"ENGINE": "llm", "LLM_PROVIDER": "hand"}.items():
        monkeypatch.setenv(name, value)
    state.local.clear()
    tab = tabs().begin()
    folder = shelf().folder(tab.desk.id)
    typed(tab, "/new Cast\nLin sleeps badly.")
    wait_until(lambda: awaited(folder) == ["001.turn"], 20)
    tab.run()
    assert "Lin sleeps badly." in shown(tab.page, "hand-message-1")
    written = json.dumps(taken("remark", reply="Since when?"))
    tab.page.text_area(key="hand-001.turn-text").set_value(written).run()
    tab.page.button(key="hand-001.turn-send").click().run()
    tab.rest()
    assert says(tab.page, "Since when?")

    typed(tab, "Since the mill.")
    wait_until(lambda: awaited(folder) == ["002.turn"], 20)
    tab.press("studio-stop")
    assert says(tab.page, t("studio.unanswered", "en")), "the words are kept"
    assert tab.held.studio.gateway.tasks()[0].state is TaskState.OPEN
    HandFolder(folder / "hand").give("002.turn", json.dumps(taken("remark", reply="So be it.")))
    tab.press("studio-resume")
    assert says(tab.page, "So be it.")


def take_as(tab: Tab, turn: str, kind: str) -> None:
    """Open the menu, and choose."""
    tab.page.session_state[f"studio-take-as-{turn}"] = True
    tab.run()
    tab.press(f"studio-take-as-{turn}-{kind}")


def typed(tab: Tab, words: str) -> None:
    title, _, first = words.partition("\n")
    if title.startswith("/new "):
        tab.page.text_input(key="studio-task-title").set_value(title.removeprefix("/new "))
        tab.page.text_area(key="studio-task-words").set_value(first)
        next(one for one in tab.page.button if one.label == t("studio.task_new", "en")).click().run()
    else:
        tab.page.chat_input[0].set_value(words).run()


def type_into(tab: Tab, field: str, text: str, *elsewhere: str) -> Tab:
    """What the browser says of a field that is being typed into, or was before the page was loaded anew."""
    key = f"studio-typed-{tab.held.id}"
    turn = tab.memory.browser.heard.get(key, 0) + 1
    tab.page.session_state[key] = {"typed": {"turn": turn, "texts": {field: text}, "other": list(elsewhere)}}
    return tab.run().run()


def line(tab: Tab) -> dict[str, Any]:
    ((told,),) = json.loads(sent(tab.page, f"studio-typed-{tab.held.id}")).values()
    return dict(told)


def draft(tab: Tab) -> str:
    return str(tab.page.text_area(key=DRAFT_TEXT.key).value)


def test_two_tabs_keep_both_texts_and_each_can_be_shown(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("write")
    other = tabs().press(f"studio-open-{tab.held.id}").show("write")
    type_into(tab, DRAFT_TEXT.key, "The water rose.")
    type_into(other, DRAFT_TEXT.key, "The water fell.")
    typed = tab.held.studio.gateway.typed
    both = {DRAFT_TEXT.key: "The water fell.", f"{DRAFT_TEXT.key}-beside": "The water rose."}
    assert typed.all() == both
    other.press(f"{DRAFT_TEXT.key}-other").run()
    assert (draft(other), set(typed.all().values())) == ("The water rose.", set(both.values()))
    other.press(f"{DRAFT_TEXT.key}-other").run()
    assert draft(other) == "The water fell."
    other.press(f"{DRAFT_TEXT.key}-drop").run()
    assert typed.all() == {DRAFT_TEXT.key: "The water fell."}


def test_a_form_half_filled_waits_after_a_killed_server_and_can_be_emptied(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("bible", "people")
    type_into(tab, "studio-form-entity-name", "Lin")
    type_into(tab, "studio-form-entity-note", "A smith", "studio-form-entity-note")
    assert tab.page.text_area(key="studio-form-entity-note").value == "A smith", "the browser had it, not the page"
    id_ = tab.held.id
    shelf().close(id_)
    anew = tabs().press(f"studio-open-{id_}").show("bible", "people")
    assert anew.page.text_input(key="studio-form-entity-name").value == "Lin"
    anew.press("studio-form-entity-name-discard")
    fields = anew.page.text_input(key="studio-form-entity-name"), anew.page.text_area(key="studio-form-entity-note")
    assert ([field.value for field in fields], anew.held.studio.gateway.typed.all()) == (["", ""], {})


def test_a_disk_that_is_full_is_said_and_the_words_stand(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    tab = tabs().begin().show("write")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(TypedTexts, "_write", full)
        type_into(tab, DRAFT_TEXT.key, "The water rose.")
        assert "disk is full" in line(tab)["problem"]
    type_into(tab, DRAFT_TEXT.key, "The water rose. It fell.")
    assert line(tab)["problem"] == ""


def test_a_piece_by_hand_is_kept_until_it_is_handed_over(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("write")
    tab.page.text_area(key="chapter-outline").set_value(WORDS)
    tab.submit(t("chapter.begin_do", "en"))
    (chapter,) = tab.held.studio.gateway.chapters.all()
    field = f"chapter-hand-text-{chapter.id}-1"
    type_into(tab, field, "The water rose.")
    id_ = tab.held.id
    shelf().close(id_)
    anew = tabs().press(f"studio-open-{id_}").show("write")
    assert anew.page.text_area(key=field).value == "The water rose."
    anew.submit(t("chapter.hand_keep", "en"))
    assert anew.held.writing is not None
    assert anew.held.writing.wait(60)
    assert anew.held.studio.gateway.chapters.all()[0].text == "The water rose."
    assert anew.held.studio.gateway.typed.get(field) is None
