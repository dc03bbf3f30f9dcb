"""A chapter on the page: begun, planned, written, stopped by a model that fails, revised, by hand without a model."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.views.i18n import t
from memorybank_lab.scripted import Script, ScriptedServer, asks, error_reply, on
from memorybank_studio.tests.chapters.story import answers
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.tests.page.test_page_model import use_model
from tests.app.driving import keys, says, shown

WORDS = "Ilse finds her mother in the lamp room of the Tide Tower."


def free(lang: str) -> dict[str, Any]:
    """The answers to a chapter that has an outline and no steps."""
    own = answers(lang)  # type: ignore[arg-type]
    return {**own, "plan": {"pieces": [{**piece, "step": ""} for piece in own["plan"]["pieces"]]}}


def wait(tab: Tab) -> Tab:
    """Until the work on the chapter is over."""
    if tab.held.writing is not None:
        assert tab.held.writing.wait(60)
    return tab.run()


def press(tab: Tab, key: str) -> Tab:
    tab.page.button(key=key).click()
    tab.run()
    return wait(tab)


def begin(tab: Tab, *labels: str, title: str = "The Lamp Room") -> Tab:
    tab.show("chapter")
    tab.page.text_input(key="chapter-title").set_value(title)
    tab.page.text_area(key="chapter-outline").set_value(WORDS)
    tab.page.number_input(key="chapter-length").set_value(1_300)
    tab.submit(*labels)
    return wait(tab)


def test_a_chapter_is_planned_written_and_revised_on_the_page(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    own = free("en")
    broken = error_reply(500, "it broke")
    rules = [
        on(asks(schema="chapter_plan"), own["plan"]),
        on(asks(schema="chapter_piece"), own["pieces"][0], broken, *own["pieces"][1:]),
        on(asks(schema="chapter_passage"), own["passage"]),
    ]
    with ScriptedServer(Script(rules=rules)) as server:
        use_model(server, monkeypatch)
        tab = begin(tabs().begin(), t("chapter.plan_do", "en"))
        assert says(tab.page, "The brass lock"), "the plan is there before a word is written"
        press(tab, "chapter-all")
        assert says(tab.page, "it broke"), "why it stopped"
        assert says(tab.page, "Mind your feet."), "and the first piece stands"
        assert says(tab.page, t("chapter.pieces_of", "en", written=1, planned=3))
        press(tab, "chapter-all")
        assert not says(tab.page, "it broke")
        assert says(tab.page, "Then she turned round.")
        assert says(tab.page, "the lamp room of the Tide Tower"), "where Ilse is by now"
        assert says(tab.page, "You had it in the boat"), "with the words it stands on"

        tab.page.session_state["chapter-change-2"] = True
        tab.run()
        text = next(area for area in tab.page.text_area if str(area.key).startswith("chapter-passage-2"))
        text.set_value(own["passage_of"])
        order = next(field for field in tab.page.text_input if str(field.key).startswith("chapter-order-2"))
        order.set_value(own["order"])
        tab.submit(t("chapter.revise", "en"))
        wait(tab)
        assert own["order"] in shown(tab.page, "chapter-offered")
        assert "put it with the rest of what I owe" in shown(tab.page, "chapter-offered")
        press(tab, "chapter-accept")
        assert "put it with the rest of what I owe" in shown(tab.page, "chapter-piece-text-2")
        assert t("chapter.older", "en", number=2) in shown(tab.page, "chapter-piece-head-3")

        press(tab, "chapter-finish")
        tab.press("chapter-archive-do")
        assert dict(tab.held.studio.stores.archive.chapters()) == {1: "The Lamp Room"}
        assert tab.held.studio.stores.facts.count() == (0, 0)


def test_without_a_model_it_is_written_by_hand_and_says_that_nobody_read_it(tabs: type[Tab]) -> None:
    tab = tabs("zh").begin()
    begin(tab, t("chapter.begin_do", "zh"), title="灯室")
    assert says(tab.page, t("chapter.no_model", "zh"))
    assert not any(str(button.key) == "chapter-next" for button in tab.page.button)
    field = next(area for area in tab.page.text_area if str(area.key).startswith("chapter-hand-text"))
    field.set_value("韩船长提着灯走上石梯。")
    tab.submit(t("chapter.hand_keep", "zh"))
    wait(tab)
    assert "见“设置”页" in shown(tab.page, "chapter-piece-failure-1")
    assert "chapter-check" not in keys(tab.page), "no button that could do nothing"
    tab.press("chapter-drop")
    tab.press("chapter-drop-do")
    assert tab.held.studio.gateway.chapters.all() == ()


def test_a_chapter_without_anything_to_tell_is_refused_in_words(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("chapter")
    tab.submit(t("chapter.begin_do", "en"))
    assert says(tab.page, "choose a step or a short outline, or write what happens")
