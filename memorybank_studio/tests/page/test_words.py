"""Words and goals on the page: counted, told in plain words, set by the author, in both languages."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.chapters.manuscript import Goals
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import says, shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_how_far_the_story_is_from_its_goals(tabs: type[Tab], lang: Lang) -> None:
    tab = tabs(lang).press("studio-demo").press("studio-tour-leave").show("hub", "words")
    total = sum(tab.held.studio.stores.archive.lengths().values())
    told = t(f"chapter.words_{lang}", lang, count=f"{total:,}")
    assert told in shown(tab.page, "studio-words-story")
    assert t("studio.words_no_goal", lang) in shown(tab.page, "studio-words-story")
    for name, goal in (("story", total * 4), ("chapter", 1), ("day", total)):
        tab.page.number_input(key=f"studio-goal-{name}").set_value(goal)
    tab.submit(t("studio.goals_set", lang))
    assert tab.held.studio.gateway.by_hand.goals == Goals(story=total * 4, chapter=1, day=total)
    assert "25" in shown(tab.page, "studio-words-story")
    assert t("studio.words_days", lang, count=3) in shown(tab.page, "studio-words-story-more")
    one = t(f"chapter.words_{lang}", lang, count=1)
    assert t("studio.words_reached", lang, goal=one) in shown(tab.page, "studio-words-list")
    tab.show("chapter")
    assert tab.page.number_input(key="chapter-length").value > 1, "a goal that no chapter can have is none"


def test_a_story_without_a_word_divides_by_nothing(tabs: type[Tab]) -> None:
    tab = tabs().begin().show("hub", "words")
    assert says(tab.page, t("studio.words_none", "en"))
    tab.page.number_input(key="studio-goal-story").set_value(100)
    tab.page.number_input(key="studio-goal-chapter").set_value(2_500)
    tab.submit(t("studio.goals_set", "en"))
    assert "0 % of the goal of 100 words, 100 words to go" in shown(tab.page, "studio-words-story")
    tab.show("chapter")
    assert tab.page.number_input(key="chapter-length").value == 2_500
