"""What is typed in the studio lies there after the server stopped, and two tabs keep both of their texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memorybank.views.i18n import t
from memorybank_studio.page.shelf import shelf
from memorybank_studio.page.tab import DRAFT_TEXT
from memorybank_studio.tasks.by_hand import TypedTexts
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.tests.page.test_chapters import WORDS
from tests.app.driving import keys, says, sent, shown

LINE = f"{DRAFT_TEXT.key}-saved"


def type_into(tab: Tab, field: str, text: str) -> Tab:
    """What the browser says of a field that is being typed into."""
    turn = tab.memory.browser.heard.get(f"{field}-saved", 0) + 1
    tab.page.session_state[f"{field}-saved"] = {"typed": {"turn": turn, "text": text}}
    return tab.run().run()


def line(tab: Tab, field: str = DRAFT_TEXT.key) -> dict[str, Any]:
    ((told,),) = json.loads(sent(tab.page, f"{field}-saved")).values()
    return dict(told)


def draft(tab: Tab) -> str:
    return str(tab.page.text_area(key=DRAFT_TEXT.key).value)


def test_a_draft_outlives_the_server_without_leaving_its_field(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("draft")
    assert line(tab)["at"] is None
    type_into(tab, DRAFT_TEXT.key, "The water rose.")
    assert line(tab)["at"]
    assert line(tab)["problem"] == ""
    id_ = tab.held.id
    shelf().close(id_)
    anew = tabs().press(f"studio-open-{id_}").show("draft")
    assert (draft(anew), line(anew)["at"]) == ("The water rose.", line(tab)["at"])


def test_two_tabs_keep_both_texts_and_each_can_be_shown(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("draft")
    other = tabs().press(f"studio-open-{tab.held.id}").show("draft")
    type_into(tab, DRAFT_TEXT.key, "The water rose.")
    type_into(other, DRAFT_TEXT.key, "The water fell.")
    assert line(other)["problem"] == t("studio.saved_beside", "en")
    typed = tab.held.studio.gateway.typed
    assert {typed.get(name).text for name in (DRAFT_TEXT.key, f"{DRAFT_TEXT.key}-beside")} == {  # type: ignore[union-attr]
        "The water rose.",
        "The water fell.",
    }
    other.press(f"{DRAFT_TEXT.key}-other").run()
    assert (draft(other), line(other)["problem"]) == ("The water rose.", "")
    other.press(f"{DRAFT_TEXT.key}-other").run()
    assert draft(other) == "The water fell."
    type_into(other, DRAFT_TEXT.key, "The water fell. It rose.")
    assert line(other)["problem"] == ""
    other.press(f"{DRAFT_TEXT.key}-drop").run()
    assert f"{DRAFT_TEXT.key}-other" not in keys(other.page)
    assert typed.get(f"{DRAFT_TEXT.key}-beside") is None


def test_a_disk_that_is_full_is_said_and_the_words_stand(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    tab = tabs().begin().show("draft")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(TypedTexts, "_write", full)
        type_into(tab, DRAFT_TEXT.key, "The water rose.")
        assert "No space left on device" in line(tab)["problem"]
    type_into(tab, DRAFT_TEXT.key, "The water rose. It fell.")
    assert line(tab)["problem"] == ""


def test_a_piece_by_hand_is_kept_until_it_is_handed_over(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("chapter")
    tab.page.text_area(key="chapter-outline").set_value(WORDS)
    tab.submit(t("chapter.begin_do", "en"))
    (chapter,) = tab.held.studio.gateway.chapters.all()
    field = f"chapter-hand-text-{chapter.id}-1"
    type_into(tab, field, "The water rose.")
    id_ = tab.held.id
    shelf().close(id_)
    anew = tabs().press(f"studio-open-{id_}").show("chapter")
    assert anew.page.text_area(key=field).value == "The water rose."
    anew.submit(t("chapter.hand_keep", "en"))
    assert anew.held.writing is not None
    assert anew.held.writing.wait(60)
    assert anew.held.studio.gateway.chapters.all()[0].text == "The water rose."
    assert anew.held.studio.gateway.typed.get(field) is None


def test_the_page_says_what_is_saved_when(tabs: type[Tab]) -> None:
    tab = tabs().begin()
    assert t("studio.saved_not_yet", "en") in shown(tab.page, "studio-saved-words") or says(tab.page, "Last written")
    tab.say("/new Night")
    assert "Last written to the studio's journal" in shown(tab.page, "studio-saved-words")
    assert t("studio.saved_typed", "en") in shown(tab.page, "studio-saved-words")
