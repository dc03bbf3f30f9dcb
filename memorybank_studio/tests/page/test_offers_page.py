"""Mixing, changing and the shelf on the page, with a scripted model and without one."""

from __future__ import annotations

import pytest

from memorybank.views.i18n import t
from memorybank_lab.scripted import ScriptedServer
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.tests.page.test_page_model import use_model
from memorybank_studio.tests.page.test_turns import take_as
from memorybank_studio.tests.test_options_by_model import script, writes_at_once
from tests.app.driving import says


def test_a_mix_by_the_form_and_the_shelf(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(script(writes_at_once)) as server:
        use_model(server, monkeypatch)
        tab = tabs().begin()
        tab.say("/new Gate\nWhat could go wrong?")
        tab.page.button_group(key="studio-rework-options-t1-2").set_value([1, 3])
        tab.page.text_input(key="studio-rework-words-t1-2").set_value("the beginning of 1 with the end of 3")
        tab.submit(t("studio.rework_do", "en"))
        assert says(tab.page, "Lin waits, and the gate opens.")
        assert says(tab.page, "made of proposal 1 of answer 2 (t1), proposal 3 of answer 2 (t1)")
        calls = [call.schema_name for call in server.chats]
        assert calls[-2:] == ["proposal", "judgements"]
        assert "turn" not in calls[3:], "the form says what it wants"

        tab.show("offers")
        assert says(tab.page, t("studio.shelf_count", "en", count=4))
        tab.page.text_input(key="studio-shelf-search").set_value("the gate opens")
        tab.rest()
        assert not says(tab.page, t("studio.shelf_count", "en", count=4)), "what has nothing to do with it is not there"
        assert says(tab.page, "Lin waits, and the gate opens.")
        tab.press("studio-shelf-take-t1-4-1")
        assert tab.held.studio.gateway.options("t1", 5)[0].draft.text == "Lin waits, and the gate opens."
        assert len(server.chats) == len(calls), "that costs no call"


def test_without_a_model_who_asks_for_options_is_told_what_it_takes_and_the_shelf_is_empty(tabs: type[Tab]) -> None:
    tab = tabs("zh").begin()
    tab.say("/新建 门\n情节：林")
    assert says(tab.page, "已记入这个任务")
    take_as(tab, "t1-1", "options")
    assert says(tab.page, "方案和文字由语言模型来写，现在没有设置（见“设置”页）")
    assert not [form for form in tab.page.button_group if "rework" in str(form.key)]
    tab.show("offers")
    assert says(tab.page, t("studio.shelf_none", "zh"))
