"""What is intended in the manner of old vernacular novels and of modern talk is never ticked; what has happened is."""

from __future__ import annotations

import pytest

from memorybank.narrative.hub.in_memory import FactsInMemory
from memorybank.types import Lang
from tests.narrative.extraction.told import hub, table

ZH = """人物：卢敬之
人物：孙月娘
人物：孟老爹
人物：贺铁山
人物：苏小满
物品：碧玉簪
物品：青锋剑
地点：清河渡
地点：落雁寺
势力：铁衣帮
能力：八卦刀法"""
EN = """Character: Aldous Penn
Character: Greta
Character: Milo
Character: Tessaly
Item: Brass Key
Item: Red Ledger
Place: Harrow Hill
Place: Dunmore
Faction: Lamp Society"""


@pytest.fixture(scope="module")
def stories() -> dict[Lang, FactsInMemory]:
    return {"zh": hub(ZH, lang="zh"), "en": hub(EN)}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("zh", "贺铁山心下思量，待今夜三更时分杀了卢敬之，方泄此恨。"),
        ("zh", "卢敬之便要将碧玉簪赠与孙月娘，只是一时不得其便。"),
        ("zh", "孙月娘意欲嫁与贺铁山，只恐孟老爹不依。"),
        ("zh", "贺铁山恨不得一刀杀了苏小满。"),
        ("zh", "卢敬之寻思，不如把青锋剑交与贺铁山，换得孙月娘回来。"),
        ("zh", "孙月娘只等卢敬之睡了，就偷了青锋剑逃往清河渡。"),
        ("zh", "孟老爹正待将碧玉簪付与苏小满，不想门外锣声大作。"),
        ("zh", "贺铁山快要死了。"),
        ("zh", "孟老爹要收苏小满为徒。"),
        ("zh", "那贺铁山正要献与孟老爹碧玉簪。"),
        ("zh", "我脑子里孟老爹是死在落雁寺的。"),
        ("en", "In my head Greta dies at Dunmore."),
        ("en", "Greta means to give the Brass Key to Milo as soon as the snow melts."),
        ("en", "They had agreed that Greta should lead the Lamp Society."),
        ("en", "Let's have Milo steal the Red Ledger."),
    ],
)
def test_an_intention_is_not_ticked(stories: dict[Lang, FactsInMemory], lang: Lang, text: str) -> None:
    assert not table(text, lang=lang, hub=stories[lang]).ticked


@pytest.mark.parametrize(
    ("lang", "text", "row"),
    [
        ("zh", "却说卢敬之当下将碧玉簪赠与孙月娘，孙月娘含羞收了。", ("孙月娘", "OWNS", "碧玉簪", 0)),
        ("zh", "孟老爹一病不起，延至三更，呜呼哀哉了。", ("孟老爹", "HAS_STATUS", "死", 0)),
        ("zh", "孙月娘自此嫁与贺铁山为妻。", ("孙月娘", "MARRIED_TO", "贺铁山", 0)),
        ("zh", "卢敬之一路饥餐渴饮，不一日到了清河渡。", ("卢敬之", "LOCATED_IN", "清河渡", 0)),
        ("zh", "那贺铁山夺了青锋剑，扬长而去。", ("贺铁山", "OWNS", "青锋剑", 0)),
        ("zh", "苏小满拜孟老爹为师，学成了八卦刀法。", ("孟老爹", "MASTER_OF", "苏小满", 0)),
        ("zh", "孟老爹遂收卢敬之为徒。", ("孟老爹", "MASTER_OF", "卢敬之", 0)),
        ("zh", "青锋剑落在了卢敬之手里。", ("卢敬之", "OWNS", "青锋剑", 0)),
        ("zh", "孙月娘原来是孟老爹的女儿。", ("孙月娘", "CHILD_OF", "孟老爹", 0)),
        ("zh", "孙月娘因此恨上了贺铁山。", ("孙月娘", "HATES", "贺铁山", 0)),
        ("en", "Tessaly turned out to be Greta's sister.", ("Tessaly", "SIBLING_OF", "Greta", 0)),
        ("en", "Greta had married Milo in secret.", ("Greta", "MARRIED_TO", "Milo", 0)),
        ("en", "Aldous Penn was poisoned to death at Dunmore.", ("Aldous Penn", "HAS_STATUS", "dead", 0)),
    ],
)
def test_what_has_happened_is(
    stories: dict[Lang, FactsInMemory], lang: Lang, text: str, row: tuple[str, str, str, int]
) -> None:
    assert row in table(text, lang=lang, hub=stories[lang]).ticked


@pytest.mark.parametrize(
    "text",
    ["卢敬之不曾嫁与贺铁山。", "孙月娘没有嫁给贺铁山。", "卢敬之不肯把碧玉簪赠与孙月娘。", "孙月娘不愿拜孟老爹为师。"],
)
def test_what_was_not_so_is_no_row(stories: dict[Lang, FactsInMemory], text: str) -> None:
    assert not table(text, lang="zh", hub=stories["zh"]).ticked
