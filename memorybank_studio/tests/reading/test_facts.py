"""Facts that are settled in the form's own words, and all that is not read."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.tests.reading.extracting import EN, ZH, Row, hub, table

CARDS: dict[Lang, str] = {"en": EN + "\nAbility: stone-singing", "zh": ZH + "\n能力：燃灯术"}


@pytest.mark.parametrize(
    ("lang", "text", "row"),
    [
        ("en", "Settled: Odo owns the Copper Horn.", ("Odo", "OWNS", "Copper Horn", 0)),
        ("en", "Settled: The Copper Horn belongs to Odo.", ("Copper Horn", "OWNED_BY", "Odo", 0)),
        ("en", "Settled: Odo belongs to the Salt League.", ("Odo", "MEMBER_OF", "Salt League", 0)),
        ("en", "Settled: In chapter 4, Odo is in Ashford.", ("Odo", "LOCATED_IN", "Ashford", 4)),
        ("en", "Settled (chapter 4): Lady Brisa hates Fenn", ("Lady Brisa", "HATES", "Fenn", 4)),
        ("en", "Decided: Odo commands stone-singing.", ("Odo", "HAS_ABILITY", "stone-singing", 0)),
        ("zh", "事实：韩柏拥有赤铜铃。", ("韩柏", "OWNS", "赤铜铃", 0)),
        ("zh", "定下来：第八章，冯远杀死韩柏。", ("冯远", "KILLED", "韩柏", 8)),
        ("zh", "事实：韩柏会燃灯术", ("韩柏", "HAS_ABILITY", "燃灯术", 0)),
    ],
)
def test_two_names_on_record_and_a_relation_are_a_fact(lang: Lang, text: str, row: Row) -> None:
    told = table(text, lang=lang, hub=hub(CARDS[lang], lang=lang))
    assert (told.ticked, told.unticked) == ({row}, set())


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Odo owns the Copper Horn."),
        ("en", "Settled: Odo never owns the Copper Horn."),
        ("en", "Settled: Perhaps Odo owns the Copper Horn."),
        ("en", "Settled: Odo owns the Copper Horn and the Black Ledger."),
        ("en", "Settled: Odo owns Ashford."),
        ("en", "Settled: Odo owns the Golden Horn."),
        ("en", "Settled: Odo knows Odo."),
        ("en", "Settled: Odo's brother owns the Copper Horn."),
        ("en", "Odo died. Lady Brisa killed Fenn in chapter 3."),
        ("zh", "韩柏拥有赤铜铃。"),
        ("zh", "事实：韩柏不拥有赤铜铃。"),
        ("zh", "事实：如果韩柏拥有赤铜铃。"),
        ("zh", "事实：张韩柏拥有赤铜铃。"),
        ("zh", "韩柏杀死了冯远。"),
    ],
)
def test_all_else_is_not_read(lang: Lang, text: str) -> None:
    assert not table(text, lang=lang, hub=hub(CARDS[lang], lang=lang)).drafts


def test_what_is_told_of_a_chapter_that_the_story_has_not_reached_is_not_ticked() -> None:
    facts = hub(EN + "\nSettled: In chapter 4 Odo owns the Copper Horn.")
    told = table("Settled: In chapter 9 Fenn owns the Copper Horn.", hub=facts)
    assert (told.ticked, told.unticked) == (set(), {("Fenn", "OWNS", "Copper Horn", 9)})
    assert [one.ticked for one in table("Settled: In chapter 5 Fenn owns the Copper Horn.", hub=facts).drafts] == [True]


def test_what_stands_in_brackets_is_another_name_where_it_says_so_and_else_a_note() -> None:
    card = table("Character: Vera (formerly Mara, a.k.a. the Fox), a smith").entity("Vera")
    assert (card.aliases, card.note) == (("Mara", "the Fox"), "a smith")
    card = table("人物：林霜（十七岁，女）：剑客", lang="zh").entity("林霜")
    assert (card.aliases, card.note) == ((), "十七岁，女；剑客")
