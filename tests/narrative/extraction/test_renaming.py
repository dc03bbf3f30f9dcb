"""Who is renamed is the one on record, by another name; nobody new, and nobody else."""

from __future__ import annotations

import pytest

from memorybank.narrative.hub.in_memory import FactsInMemory
from memorybank.types import Lang
from tests.narrative.extraction.told import hub, table

EN = "Character: Mara\nCharacter: Tomas\nItem: Moon Lantern\nPlace: The Gull inn\nPlace: Northgate"
ZH = "人物：林霜\n人物：饶青\n物品：照夜剑\n地点：鸥客栈\n地点：北门"


def on_record(lang: Lang) -> FactsInMemory:
    return hub({"en": EN, "zh": ZH}[lang], lang=lang)


@pytest.mark.parametrize(
    ("lang", "line", "after"),
    [
        ("en", "Settled: Mara is now called Vera.", "Settled: Vera hates Tomas."),
        ("en", "Settled: Mara is now known as Vera in Northgate.", "Settled: Vera hates Tomas."),
        ("en", "Settled: Mara was renamed Vera.", "Settled: Vera hates Tomas."),
        ("en", "Settled: Mara's new name is Vera.", "Settled: Vera hates Tomas."),
        ("en", "Settled: Mara took the name Vera.", "Settled: Vera hates Tomas."),
        ("en", "Settled: In chapter 3 Mara changed her name to Vera.", "Settled: Vera hates Tomas."),
        ("en", "Settled: Mara changed her name from Lina to Vera.", "Settled: Vera hates Tomas."),
        ("en", "Settled: Mara is known as Vera to the guards.", "Settled: Vera hates Tomas."),
        ("en", "Settled: Mara calls herself Vera.", "Settled: Vera hates Tomas."),
        ("en", "Mara changed her name to Vera.", "Vera hated Tomas."),
        ("en", "Settled: Vera, formerly Mara, lives in Northgate.", "Settled: Vera hates Tomas."),
        ("en", "Character: Vera (formerly Mara), a smith", "Settled: Vera hates Tomas."),
        ("en", "Character: Vera, formerly Mara, a smith", "Settled: Vera hates Tomas."),
        ("en", "Character: Mara (now called Vera)", "Settled: Vera hates Tomas."),
        ("zh", "定下来：林霜改名叫文澜。", "定下来：文澜恨饶青。"),
        ("zh", "定下来：林霜改名为文澜。", "定下来：文澜恨饶青。"),
        ("zh", "定下来：第三章林霜改名叫“文澜”，离开北门。", "定下来：文澜恨饶青。"),
        ("zh", "定下来：林霜如今叫文澜。", "定下来：文澜恨饶青。"),
        ("zh", "定下来：文澜本名林霜。", "定下来：文澜恨饶青。"),
        ("zh", "定下来：林霜化名文澜。", "定下来：文澜恨饶青。"),
        ("zh", "林霜改名叫文澜。", "文澜恨饶青。"),
        ("zh", "人物：文澜（原名林霜），铁匠", "定下来：文澜恨饶青。"),
        ("zh", "人物：文澜，原名林霜，铁匠", "定下来：文澜恨饶青。"),
        ("zh", "人物：林霜（后改名文澜）", "定下来：文澜恨饶青。"),
    ],
)
def test_a_new_name_is_an_alias_of_the_one_on_record(lang: Lang, line: str, after: str) -> None:
    old, new, other = ("Mara", "Vera", "Tomas") if lang == "en" else ("林霜", "文澜", "饶青")
    found = table(f"{line}\n{after}", lang=lang, hub=on_record(lang), task="t2")
    assert found.entity(old).aliases == (new,)
    assert new not in found.entities
    assert (old, "HATES", other) in {row[:3] for row in found.ticked}


@pytest.mark.parametrize(
    ("lang", "line", "after", "old", "new", "row"),
    [
        (
            "en",
            "Settled: The Gull inn is now called the Heron.",
            "Settled: Tomas travelled to the Heron.",
            "The Gull inn",
            "the Heron",
            ("Tomas", "LOCATED_IN", "The Gull inn", 0),
        ),
        (
            "en",
            "Settled: Tomas renamed the Moon Lantern the Sun Lantern.",
            "Settled: Mara owns the Sun Lantern.",
            "Moon Lantern",
            "the Sun Lantern",
            ("Mara", "OWNS", "Moon Lantern", 0),
        ),
        (
            "en",
            "Item: Sun Lantern, formerly the Moon Lantern",
            "Settled: Mara owns the Sun Lantern.",
            "Moon Lantern",
            "Sun Lantern",
            ("Mara", "OWNS", "Moon Lantern", 0),
        ),
        (
            "zh",
            "定下来：鸥客栈改名为鹭客栈。",
            "定下来：饶青来到鹭客栈。",
            "鸥客栈",
            "鹭客栈",
            ("饶青", "LOCATED_IN", "鸥客栈", 0),
        ),
        (
            "zh",
            "定下来：照夜剑改名叫破晓剑。",
            "定下来：林霜得到破晓剑。",
            "照夜剑",
            "破晓剑",
            ("林霜", "OWNS", "照夜剑", 0),
        ),
    ],
)
def test_places_and_things_are_renamed_too(
    lang: Lang, line: str, after: str, old: str, new: str, row: tuple[str, str, str, int]
) -> None:
    found = table(f"{line}\n{after}", lang=lang, hub=on_record(lang), task="t2")
    assert found.entity(old).aliases == (new,)
    assert found.entities == {old}
    assert found.ticked == {row}


def test_a_later_task_tells_of_the_bearer_by_the_new_name() -> None:
    facts = hub("Character: Mara\nCharacter: Tomas\nSettled: Mara is now called Vera.")
    found = table("Settled: Vera is now called Lina.\nSettled: Lina hates Tomas.", hub=facts, task="t2")
    assert found.entity("Mara").aliases == ("Lina",)
    assert found.ticked == {("Mara", "HATES", "Tomas", 0)}


@pytest.mark.parametrize(
    ("lang", "line", "old", "new"),
    [
        ("en", "Settled: Odo is now called Vera.\nSettled: Vera hates Tomas.", "Odo", "Vera"),
        ("zh", "定下来：石磊改名叫文澜。\n定下来：文澜恨饶青。", "石磊", "文澜"),
        ("en", "Character: Vera (formerly Odo)\nSettled: Odo hates Tomas.", "Vera", "Odo"),
        ("zh", "人物：文澜（原名石磊）\n定下来：石磊恨饶青。", "文澜", "石磊"),
    ],
)
def test_a_newcomer_with_two_names_is_one(lang: Lang, line: str, old: str, new: str) -> None:
    found = table(line, lang=lang, hub=on_record(lang), task="t2")
    assert found.entities == {old}
    assert found.entity(old).aliases == (new,)
    assert {row[:2] for row in found.ticked} == {(old, "HATES")}


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "Settled: Mara named her dog Vera."),
        ("en", "Settled: Mara called Vera."),
        ("en", "Settled: Mara is now called to court."),
        ("en", "Settled: Mara is now called Captain."),
        ("en", "Settled: Mara chose the name Vera for her daughter."),
        ("en", "Settled: Mara is now called the Queen of Northgate."),
        ("en", "Settled: Mara did not change her name to Vera."),
        ("en", "Settled: Mara's sister took the name Vera."),
        ("en", "Is Mara now called Vera?"),
        ("zh", "定下来：林霜叫文澜过来。"),
        ("zh", "定下来：林霜如今叫人过来。"),
        ("zh", "定下来：林霜如今叫苦连天。"),
        ("zh", "定下来：林霜没有改名叫文澜。"),
        ("zh", "定下来：林霜的弟弟改名叫文澜。"),
        ("zh", "定下来：林霜给女儿改名叫文澜。"),
        ("zh", "林霜改名叫文澜了吗？"),
    ],
)
def test_who_only_calls_or_names_another_has_no_new_name(lang: Lang, line: str) -> None:
    found = table(line, lang=lang, hub=on_record(lang), task="t2")
    assert not found.entities & {"Mara", "林霜"}


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "Settled: Mara will change her name to Vera."),
        ("en", "Settled: Mara wanted to change her name to Vera."),
        ("en", "If Mara changed her name to Vera, Tomas would weep."),
        ("zh", "定下来：林霜将改名叫文澜。"),
        ("zh", "定下来：林霜想改名叫文澜。"),
        ("zh", "如果林霜改名叫文澜，饶青会难过。"),
    ],
)
def test_a_plan_of_a_new_name_is_not_ticked_and_brings_in_nobody(lang: Lang, line: str) -> None:
    found = table(line, lang=lang, hub=on_record(lang), task="t2")
    assert found.entities == {"Mara" if lang == "en" else "林霜"}
    assert not any(one.ticked for one in found.drafts)


@pytest.mark.parametrize(
    ("lang", "line", "told"),
    [
        ("en", "Settled: Mara is now called Tomas.", "“Tomas” is the name of another one"),
        ("en", "Settled: Mara took the name Northgate.", "“Northgate” is the name of another one"),
        ("en", "Character: Tomas (formerly Mara)", "“Tomas” is the name of another one"),
        ("zh", "定下来：林霜改名叫饶青。", "“饶青”已是另一个名下的名字"),
        ("zh", "人物：饶青（原名林霜）", "“饶青”已是另一个名下的名字"),
    ],
)
def test_a_name_that_another_one_has_is_told_and_not_ticked(lang: Lang, line: str, told: str) -> None:
    found = table(line, lang=lang, hub=on_record(lang), task="t2")
    row = next(one for one in found.drafts if one.item == found.entity("Mara" if lang == "en" else "林霜"))
    assert not row.ticked
    assert row.reason.startswith(told)
    others = [one.item for one in found.drafts if one.ticked]
    assert all(not getattr(item, "aliases", ()) for item in others)


def test_a_plan_leaves_the_card_of_the_same_table_ticked() -> None:
    found = table("Character: Odo\nSettled: Odo will be renamed Vera.")
    assert [(one.ticked, getattr(one.item, "aliases", None)) for one in found.drafts] == [(True, ())]
