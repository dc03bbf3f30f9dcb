"""What an author plans, supposes or lets somebody believe is never ticked as a fact."""

from __future__ import annotations

import pytest

from memorybank.types import Lang
from tests.narrative.extraction.told import EN, ZH, table

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
    ],
)
def test_a_plan_or_a_belief_is_shown_and_not_ticked(text: str) -> None:
    found = table(EN, text)
    assert not found.ticked
    assert {row[:3] for row in found.unticked} >= {("Odo", "HAS_STATUS", "dead")}


@pytest.mark.parametrize(
    "text",
    [
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
def test_a_chinese_plan_or_belief_is_shown_and_not_ticked(text: str) -> None:
    found = table(ZH, text, lang="zh")
    assert not found.ticked
    assert {row[:3] for row in found.unticked} >= {("冯远", "HAS_STATUS", "死")}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "In chapter 3 Odo died."),
        ("en", "Lady Brisa drew up a plan, and Odo died."),
        ("en", "Settled: Odo died. Lady Brisa believes that Fenn did it."),
        ("en", "Lady Brisa fears the river because Odo died."),
        ("zh", "第三章，韩柏死了。"),
        ("zh", "苏芷相信冯远，于是韩柏死了。"),
        ("zh", "苏芷害怕冯远，韩柏死了。"),
        ("zh", "定下来：韩柏死了。苏芷以为是冯远干的。"),
    ],
)
def test_what_happened_beside_a_plan_stays_ticked(lang: Lang, text: str) -> None:
    told = {row[:3] for row in table(CARDS[lang], text, lang=lang).ticked}
    assert told & {("Odo", "HAS_STATUS", "dead"), ("韩柏", "HAS_STATUS", "死")}


def test_a_reason_quotes_the_author_s_own_words() -> None:
    (draft,) = [one for one in table(EN, "Fenn's plan: Odo died.").drafts if not one.ticked][-1:]
    assert "Fenn's plan" in draft.reason


# -- a word, a colon, a text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "cards", "line", "name"),
    [
        ("en", "Character: Odo, a miller from Ashford\nCharacter: Fenn", "Odo: You killed Fenn.", "Odo"),
        ("zh", "人物：韩柏，落霞镇的铁匠\n人物：冯远", "韩柏：你杀了冯远。", "韩柏"),
    ],
)
def test_a_line_of_dialogue_is_no_card(lang: Lang, cards: str, line: str, name: str) -> None:
    later = table(cards, line, lang=lang)
    assert not later.ticked
    assert not later.settings.get(name, False)
    together = table(f"{cards}\n{line}", lang=lang)
    assert together.settings[name]  # what its card says stays what is proposed


def test_a_definition_is_ticked_of_a_known_thing_alone() -> None:
    assert table(EN, "Copper Horn: it sounds when somebody lies").settings == {"Copper Horn": True}
    assert table(EN, "Aftermath: everybody goes home and is sad").settings == {"Aftermath": False}
    assert table(EN, "Odo: never without his hat, they say").settings == {"Odo": False}


def test_the_contents_of_a_chapter_are_no_setting() -> None:
    assert not table(ZH, "第十二章：冯远死了。", lang="zh").settings
    assert table(ZH, "第十二章：冯远死了。", lang="zh").unticked == {("冯远", "HAS_STATUS", "死", 12)}


@pytest.mark.parametrize("text", ["定下来：冯远将死于第十二章。", "定下来：冯远也恨韩柏。"])
def test_a_name_and_the_word_after_it_are_nobody_new(text: str) -> None:
    assert table(ZH, text, lang="zh").entities <= {"死", "冯远", "韩柏"}


def test_an_unknown_name_before_a_word_of_the_future_ends_where_that_begins() -> None:
    assert "陆鸣" in table("定下来：陆鸣将死于第十二章。", lang="zh").entities
