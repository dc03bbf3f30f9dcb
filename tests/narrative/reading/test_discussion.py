"""What an author plans, supposes or lets somebody believe is never ticked as a fact."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from tests.narrative.reading.extracting import EN, ZH, hub, table

CARDS = {"en": EN, "zh": ZH}


@pytest.mark.parametrize(
    "text",
    [
        "Next chapter Fenn kills Odo.",
        "In the next chapter Odo dies.",
        "In my outline Odo dies.",
        "Odo dies at the end of the book.",
        "I'm thinking Odo dies.",
        "Imagine Odo died.",
        "Had Fenn killed Odo, the war would have ended.",
        "Upcoming: Fenn kills Odo.",
        "Summary: Fenn killed Odo.",
        "Draft: Odo died at Ashford.",
        "Option: Odo died.",
        "Note: Odo died.",
        "Fenn's plan: Odo died.",
        "Chapter 12 plan: Odo dies at Ashford.",
        "Settled: Lady Brisa believes that Odo is dead.",
        "Settled: Lady Brisa dreams that Odo died.",
        "Odo died, or so the village believes.",
        "Settled: next, Fenn kills Odo.",
        "计划：冯远死了。",
        "规划：第十二章冯远死了。",
        "下一章冯远死了。",
        "下一章：冯远战死。",
        "第十二章大纲：冯远战死。",
        "第十二章写冯远战死。",
        "结局：冯远死在落霞镇。",
        "剧情：冯远死了。",
        "大纲里冯远死了。",
        "按计划，冯远死在落霞镇。",
        "假设冯远死了。",
        "定下来：冯远将死于第十二章。",
        "定下来：苏芷以为冯远死了。",
        "冯远死了，镇上的人都这么以为。",
    ],
)
def test_a_plan_or_a_belief_is_shown_and_not_ticked(text: str) -> None:
    lang: Lang = "zh" if "冯远" in text else "en"
    found = table(CARDS[lang], text, lang=lang)
    assert not found.ticked
    assert {row[:3] for row in found.unticked} >= {
        ("冯远", "HAS_STATUS", "死") if lang == "zh" else ("Odo", "HAS_STATUS", "dead")
    }


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "In chapter 3 Odo died."),
        ("en", "Settled: Odo died. Lady Brisa believes that Fenn did it."),
        ("zh", "第三章，韩柏死了。"),
        ("zh", "定下来：韩柏死了。苏芷以为是冯远干的。"),
    ],
)
def test_what_happened_beside_a_plan_stays_ticked(lang: Lang, text: str) -> None:
    told = {row[:3] for row in table(CARDS[lang], text, lang=lang).ticked}
    assert told & {("Odo", "HAS_STATUS", "dead"), ("韩柏", "HAS_STATUS", "死")}


@pytest.mark.parametrize(
    ("lang", "text", "ticked"),
    [
        ("en", "Fenn dies in chapter 12.", False),
        ("en", "Settled: in chapter 12 Odo is in Millbrook.", False),
        ("en", "Fenn died in chapter 8.", True),
        ("en", "Fenn died in chapter 2.", True),
        ("en", "Fenn dies.", True),
        ("zh", "第十二章冯远死了。", False),
        ("zh", "第八章冯远死了。", True),
    ],
)
def test_what_is_told_of_a_chapter_behind_the_coming_one_is_a_plan(lang: Lang, text: str, ticked: bool) -> None:
    there = "Settled: in chapter 7 Odo moved to Ashford." if lang == "en" else "定下来：第七章韩柏来到落霞镇。"
    found = table(text, lang=lang, hub=hub(CARDS[lang], there, lang=lang))
    assert (bool(found.ticked), bool(found.unticked)) == (ticked, not ticked)
    assert ticked or all("7" in one.reason for one in found.drafts), "the reason names where the story stands"


def test_the_story_goes_on_with_the_chapters_that_are_told() -> None:
    there = hub(EN, "Settled: in chapter 7 Odo moved to Ashford.")
    told = table("In chapter 8 Fenn died. In chapter 9 Odo died.", hub=there)
    assert {row[3] for row in told.ticked} == {8, 9}


def test_a_reason_quotes_the_author_s_own_words() -> None:
    (draft,) = [one for one in table(EN, "Fenn's plan: Odo died.").drafts if not one.ticked][-1:]
    assert "Fenn's plan" in draft.reason


# -- a word, a colon, a text ------------------------------------------------------------------------------------------


def test_a_definition_is_ticked_of_a_known_thing_alone() -> None:
    assert table(EN, "Copper Horn: it sounds when somebody lies").settings == {"Copper Horn": True}
    assert table(EN, "Aftermath: everybody goes home and is sad").settings == {"Aftermath": False}
    assert table(EN, "Odo: never without his hat, they say").settings == {"Odo": False}


def test_the_contents_of_a_chapter_are_no_setting() -> None:
    assert not table(ZH, "第十二章：冯远死了。", lang="zh").settings
    assert table(ZH, "第十二章：冯远死了。", lang="zh").unticked == {("冯远", "HAS_STATUS", "死", 12)}
