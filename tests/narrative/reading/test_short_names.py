"""A person on record who is called by a part of the name: the given name, the first or the last name."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.narrative.reading.short_names import given_name
from tests.narrative.reading.extracting import Row, hub, table

EN = """Character: Mara Vale
Character: Odo Reed
Character: Ilse Vale
Item: Copper Horn
Place: Northgate"""
ZH = "人物：贾怀玉\n人物：林秋棠\n人物：欧阳修远\n人物：王夫人\n人物：沈玉\n物品：赤铜铃\n地点：北门"
CARDS = {"en": EN, "zh": ZH}


@pytest.mark.parametrize(
    ("lang", "text", "row"),
    [
        ("zh", "定下来：怀玉得到赤铜铃。", ("贾怀玉", "OWNS", "赤铜铃", 0)),
        ("zh", "第四章秋棠来到北门。", ("林秋棠", "LOCATED_IN", "北门", 4)),
        ("zh", "于是秋棠来到北门。", ("林秋棠", "LOCATED_IN", "北门", 0)),
        ("zh", "修远死了。", ("欧阳修远", "HAS_STATUS", "死", 0)),
        ("zh", "定下来：秋棠是怀玉的妹妹。", ("林秋棠", "SIBLING_OF", "贾怀玉", 0)),
        ("zh", "定下来：怀玉拥有赤铜铃。", ("贾怀玉", "OWNS", "赤铜铃", 0)),
        ("en", "Reed died.", ("Odo Reed", "HAS_STATUS", "dead", 0)),
        ("en", "Then Odo died.", ("Odo Reed", "HAS_STATUS", "dead", 0)),
        ("en", "Lord Reed died.", ("Odo Reed", "HAS_STATUS", "dead", 0)),
        ("en", "Settled: Ilse owns the Copper Horn.", ("Ilse Vale", "OWNS", "Copper Horn", 0)),
    ],
)
def test_a_part_of_the_name_is_the_person(lang: Lang, text: str, row: Row) -> None:
    found = table(text, lang=lang, hub=hub(CARDS[lang], lang=lang))
    assert row in found.ticked
    assert not {name for name in found.entities if name not in ("死", "dead")}, "nobody new"


@pytest.mark.parametrize(
    ("lang", "cards", "text"),
    [
        ("zh", ZH, "张秋棠来到北门。"),
        ("zh", ZH, "夫人来到北门。"),
        ("zh", ZH, "玉来到北门。"),
        ("zh", "人物：贾怀玉\n人物：甄怀玉\n地点：北门", "怀玉来到北门。"),
        ("zh", "人物：贾怀玉\n人物：甄怀玉\n地点：北门", "定下来：怀玉来到北门。"),
        ("zh", "人物：林秋棠\n物品：秋棠\n地点：北门", "秋棠来到北门。"),
        ("zh", "人物：林平安\n地点：北门", "平安来到北门。"),
        ("en", EN, "Vale died."),
        ("en", EN, "Odo Stone died."),
        ("en", EN, "Jack Reed died."),
        ("en", "Character: Mara Vale\nCharacter: Mara Stone\nPlace: Northgate", "Mara died."),
        ("en", "Character: Mara Vale\nCharacter: Mara Stone\nPlace: Northgate", "Settled: Mara moved to Northgate."),
    ],
)
def test_whoever_else_it_may_be_is_not_guessed(lang: Lang, cards: str, text: str) -> None:
    assert not table(text, lang=lang, hub=hub(cards, lang=lang)).drafts


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("林秋棠", "秋棠"),
        ("欧阳修远", "修远"),
        ("欧阳修", ""),
        ("沈玉", ""),
        ("王夫人", ""),
        ("李二娘", ""),
        ("周老爷", ""),
        ("林师父", ""),
        ("照夜剑", ""),
        ("Mara", ""),
    ],
)
def test_the_given_name_of_a_chinese_name(name: str, given: str) -> None:
    assert given_name(name) == given
