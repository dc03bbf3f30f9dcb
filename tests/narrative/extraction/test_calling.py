"""Other names of those on record."""

from __future__ import annotations

import pytest

from memorybank.types import Lang
from tests.narrative.extraction.told import hub, table


@pytest.mark.parametrize("name", ["Vera", "Stone", "Vera Stone", "the Owl", "Owl"])
def test_a_first_or_last_name_or_one_in_brackets_is_the_person_on_record(name: str) -> None:
    facts = hub("Character: Vera Stone (the Owl), a smith\nItem: Copper Horn")
    found = table(f"Settled: {name} owns the Copper Horn.", hub=facts, task="t2")
    assert found.ticked == {("Vera Stone", "OWNS", "Copper Horn", 0)}
    assert not found.entities


@pytest.mark.parametrize("other", ["Character: Vera Hill", "Item: Vera's Stone", "Place: Vera"])
def test_a_name_that_is_another_s_as_well_is_nobody_s(other: str) -> None:
    facts = hub(f"Character: Vera Stone\nItem: Copper Horn\n{other}")
    found = table("Settled: Vera hates the Copper Horn.", hub=facts, task="t2")
    assert not [row for row in found.ticked if row[0] == "Vera Stone"]


def test_a_newcomer_goes_by_a_first_name_too() -> None:
    found = table("Character: Odo\nSettled: Vera Hale lives in Ashford. Vera hates Odo.")
    assert "Vera" not in found.entities
    assert ("Vera Hale", "HATES", "Odo", 0) in found.ticked


def test_a_title_is_no_name() -> None:
    facts = hub("Character: Duke Orrin\nItem: Copper Horn")
    assert not table("Settled: the Duke owns the Copper Horn.", hub=facts, task="t2").ticked & {
        ("Duke Orrin", "OWNS", "Copper Horn", 0)
    }


@pytest.mark.parametrize(
    ("lang", "cards", "text", "alias", "row"),
    [
        (
            "en",
            "Character: Vera Stone\nCharacter: Odo",
            "Settled: Vera Stone is also called the Owl.\nSettled: the Owl hates Odo.",
            "the Owl",
            ("Vera Stone", "HATES", "Odo", 0),
        ),
        (
            "zh",
            "人物：韩柏\n人物：苏芷",
            "定下来：韩柏又名石郎。\n定下来：石郎恨苏芷。",
            "石郎",
            ("韩柏", "HATES", "苏芷", 0),
        ),
        (
            "zh",
            "人物：苏芷\n人物：韩柏",
            "定下来：韩柏，人称石郎。\n定下来：石郎恨苏芷。",
            "石郎",
            ("韩柏", "HATES", "苏芷", 0),
        ),
    ],
)
def test_who_is_called_otherwise_as_well_has_another_name(
    lang: Lang, cards: str, text: str, alias: str, row: tuple[str, str, str, int]
) -> None:
    facts = hub(cards, lang=lang)
    found = table(text, lang=lang, hub=facts, task="t2")
    assert found.entity(row[0]).aliases == (alias,)
    assert found.ticked == {row}
    assert alias not in found.entities


@pytest.mark.parametrize(
    ("card", "aliases"),
    [
        ("人物：韩柏（石郎），铁匠", ("石郎",)),
        ("人物：韩柏（铁匠）", ()),
        ("人物：韩柏（十七岁）", ()),
        ("人物：韩柏（女）", ()),
        ("Character: Vera Stone (17)", ()),
        ("Character: Vera Stone (a smith)", ()),
        ("Character: Vera Stone (the Owl, Vee)", ("the Owl", "Vee")),
    ],
)
def test_brackets_behind_a_name_hold_another_name_only_where_it_is_one(card: str, aliases: tuple[str, ...]) -> None:
    name = "韩柏" if "韩" in card else "Vera Stone"
    assert table(card, lang="zh" if "韩" in card else "en").entity(name).aliases == aliases


@pytest.mark.parametrize(
    "text", ["定下来：韩柏失去了一只眼睛。", "定下来：韩柏失去了父亲。", "定下来：韩柏得到了一匹马。"]
)
def test_what_has_no_name_is_no_new_thing(text: str) -> None:
    assert table("人物：韩柏", text, lang="zh").entities == set()


def test_a_lost_thing_with_the_noun_of_one_is_new() -> None:
    assert "赤霄剑" in table("人物：韩柏", "定下来：韩柏失去了赤霄剑。", lang="zh").entities


def test_the_number_of_a_chapter_is_nobody() -> None:
    assert table("Settled: Bram died in Chapter Twelve.").entities == {"Bram", "dead"}


@pytest.mark.parametrize(("text", "predicate"), [("定下來：苏芷恨韩柏。", "HATES"), ("決定：苏芷恨韩柏。", "HATES")])
def test_traditional_marks_are_marks(text: str, predicate: str) -> None:
    found = table("人物：苏芷\n人物：韩柏", text, lang="zh")
    assert {row[1] for row in found.ticked} == {predicate}
    assert not found.settings


def test_a_traditional_setting_is_one() -> None:
    assert table("設定：潮汐，一日三次", lang="zh").settings == {"潮汐": True}
