"""Finding and renaming in the app, on the demo in both languages: previewed, carried out, undone; a taken name told."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.page.demo import demo
from memorybank_studio.page.tab import PERSON
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import says, shown


@pytest.mark.parametrize(("lang", "new"), [("en", "Orla Finch"), ("zh", "欧阳晴")])
def test_somebody_is_renamed_from_their_page_and_it_is_undone(tabs: type[Tab], lang: Lang, new: str) -> None:
    tab = tabs(lang).press("studio-demo").press("studio-tour-leave").show("hub", "people")
    people = [str(each["name"]) for each in demo(lang).entities if each["kind"] == "Character"]
    key = str(tab.held.studio.stores.facts.named(people[0])[0].key)
    tab.page.selectbox(key=PERSON.key).set_value(key)
    tab.run().press("studio-person-rename")
    tab.page.text_input(key=f"studio-rename-to-{key}").set_value(people[1])
    tab.run()
    assert people[1] in shown(tab.page, "problem-page"), "whose name it is"
    tab.page.text_input(key=f"studio-rename-to-{key}").set_value(new)
    tab.run()
    assert new in shown(tab.page, "studio-rename-places")
    tab.press("studio-rename-do")
    assert tab.held.studio.stores.facts.named(people[0])[0].name == new
    assert says(tab.page, t("studio.rename_done", lang, old=people[0], new=new))
    tab.page.text_input(key="studio-words-find").set_value(new)
    tab.run()
    assert new in shown(tab.page, "studio-words-lines")
    tab.press("studio-rename-undo")
    assert tab.held.studio.stores.facts.named(people[0])[0].name == people[0]
    assert says(tab.page, t("studio.words_nowhere", lang))
