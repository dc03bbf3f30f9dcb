"""The timeline as the page shows it: the demo's people over its chapters, in both languages, and what is chosen."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.page.demo import demo
from memorybank_studio.page.tab import TIMELINE_PEOPLE
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import keys, says, sent, shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_chapter_with_who_is_in_it_and_those_with_all_that_are_chosen(tabs: type[Tab], lang: Lang) -> None:
    tab = tabs(lang).press("studio-demo").press("studio-tour-leave").show("hub", "timeline")
    story = demo(lang)
    lines = shown(tab.page, "studio-timeline")
    assert all(chapter["title"] in lines for chapter in story.chapters)
    names = [str(one["name"]) for one in story.entities if one["kind"] == "Character"]
    tracks = shown(tab.page, "studio-timeline-people-lines")
    there = [name for name in names if name in tracks]
    assert len(there) > 1
    assert set(there) == set(tab.page.multiselect(key=TIMELINE_PEOPLE.key).options)
    busiest = sent(tab.page, "studio-timeline-people-lines").split('"choose": "')[1].split('"')[0]
    tab.page.session_state[TIMELINE_PEOPLE.key] = [busiest, "e-gone"]  # and somebody who is on record no more
    tab.run()
    found = shown(tab.page, "studio-timeline").count(there[0])
    assert t("studio.timeline_found", lang, count=found) == shown(tab.page, "studio-timeline-count")


def test_a_story_without_chapters_says_so(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("hub", "timeline")
    assert says(tab.page, t("studio.timeline_none", "en"))
    assert "studio-timeline" not in keys(tab.page)
