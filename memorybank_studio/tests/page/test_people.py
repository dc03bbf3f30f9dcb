"""The page of a character in the app, on the demo in both languages: from the facts to it, as of a chapter."""

from __future__ import annotations

import json

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.page.demo import demo
from memorybank_studio.page.tab import FACTS_ENTITY, PERSON
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import keys, says, sent, shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_from_a_fact_to_the_page_of_whom_it_is_about(tabs: type[Tab], lang: Lang) -> None:
    tab = tabs(lang).press("studio-demo").press("studio-tour-leave").show("hub", "facts")
    name = next(str(each["name"]) for each in demo(lang).entities if each["kind"] == "Character")
    tab.choose(FACTS_ENTITY.key, name).press("studio-person-open-facts")
    assert name in shown(tab.page, "studio-person-head")
    assert name in shown(tab.page, "studio-person-facts")
    assert name in shown(tab.page, "studio-person-appears")
    assert tab.page.selectbox(key=PERSON.key).value is not None


def test_a_story_without_people_says_so(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("hub", "people")
    assert says(tab.page, t("studio.people_none", "en"))
    assert "studio-person" not in keys(tab.page)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_map_of_relations_by_chapter(tabs: type[Tab], lang: Lang) -> None:
    tab = tabs(lang).press("studio-demo").press("studio-tour-leave").show("hub", "relations")
    graph = sent(tab.page, "studio-relations-graph")
    people = [str(each["name"]) for each in demo(lang).entities if each["kind"] == "Character"]
    assert sum(json.dumps(name) in graph for name in people) > 1
    assert shown(tab.page, "studio-relations-changes")
