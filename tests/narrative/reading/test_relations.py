"""Which relations a sentence gives: every one where the author's label stands before it, few in plain prose."""

from __future__ import annotations

import pytest

from memorybank.narrative.reading.mentions import Named, Names
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import read
from memorybank.narrative.reading.statements import statements
from memorybank.narrative.types import EntityKind, entity_key
from tests.narrative.reading.extracting import EN, ZH, hub, table

CARDS = {"en": EN + "\nAbility: stone-singing", "zh": ZH + "\n能力：燃灯术"}
LABEL = {"en": "Settled: ", "zh": "定下来："}
LABELLED = [
    ("en", "Odo owns the Copper Horn.", "Odo OWNS Copper Horn"),
    ("en", "Odo stole the Copper Horn.", "Odo OWNS Copper Horn"),
    ("en", "Odo gave the Copper Horn to Fenn.", "Fenn OWNS Copper Horn"),
    ("en", "Odo moved to Ashford.", "Odo LOCATED_IN Ashford"),
    ("en", "Fenn is in Millbrook.", "Fenn LOCATED_IN Millbrook"),
    ("en", "Fenn was born in Ashford.", "Fenn BORN_IN Ashford"),
    ("en", "Odo joined the Salt League.", "Odo MEMBER_OF Salt League"),
    ("en", "Fenn is the head of the Salt League.", "Fenn LEADS Salt League"),
    ("en", "Odo is Fenn's brother.", "Odo SIBLING_OF Fenn"),
    ("en", "Odo married Lady Brisa.", "Odo MARRIED_TO Lady Brisa"),
    ("en", "Fenn is Odo's apprentice.", "Odo MASTER_OF Fenn"),
    ("en", "Fenn hates Odo.", "Fenn HATES Odo"),
    ("en", "Lady Brisa loves Odo.", "Lady Brisa LOVES Odo"),
    ("en", "Odo mastered stone-singing.", "Odo HAS_ABILITY stone-singing"),
    ("en", "Odo is nineteen years old.", "Odo AGE 19"),
    ("en", "Odo lost the Copper Horn.", "Copper Horn HAS_STATUS lost"),
    ("en", "The Copper Horn was found in Ashford.", "Copper Horn FOUND_IN Ashford"),
    ("en", "Odo found the Copper Horn in Ashford.", "Copper Horn FOUND_IN Ashford"),
    ("zh", "赤铜铃是在枫林渡找到的。", "赤铜铃 FOUND_IN 枫林渡"),
    ("zh", "韩柏在枫林渡捡到了赤铜铃。", "赤铜铃 FOUND_IN 枫林渡"),
    ("zh", "赤铜铃发现于枫林渡。", "赤铜铃 FOUND_IN 枫林渡"),
    ("zh", "韩柏拥有赤铜铃。", "韩柏 OWNS 赤铜铃"),
    ("zh", "韩柏把赤铜铃交给了苏芷。", "苏芷 OWNS 赤铜铃"),
    ("zh", "赤铜铃被冯远夺走了。", "冯远 OWNS 赤铜铃"),
    ("zh", "苏芷住在枫林渡。", "苏芷 LOCATED_IN 枫林渡"),
    ("zh", "冯远是韩柏的师父。", "冯远 MASTER_OF 韩柏"),
    ("zh", "韩柏和苏芷是兄妹。", "韩柏 SIBLING_OF 苏芷"),
    ("zh", "苏芷嫁给了冯远。", "苏芷 MARRIED_TO 冯远"),
    ("zh", "韩柏痛恨冯远。", "韩柏 HATES 冯远"),
    ("zh", "韩柏精通燃灯术。", "韩柏 HAS_ABILITY 燃灯术"),
]
PROSE = [
    ("en", "Odo died that night.", "Odo HAS_STATUS dead"),
    ("en", "Lady Brisa killed Odo.", "Lady Brisa KILLED Odo"),
    ("en", "Odo was murdered in Ashford.", "Odo HAS_STATUS dead"),
    ("en", "Odo was killed in the night by Fenn.", "Fenn KILLED Odo"),
    ("zh", "冯远病逝了。", "冯远 HAS_STATUS 死"),
    ("zh", "韩柏杀死了冯远。", "韩柏 KILLED 冯远"),
    ("zh", "冯远被韩柏杀死了。", "韩柏 KILLED 冯远"),
    ("zh", "赤铜铃不知所踪。", "赤铜铃 HAS_STATUS 遗失"),
    ("zh", "韩柏来到落霞镇。", "韩柏 LOCATED_IN 落霞镇"),
    ("zh", "韩柏出生在枫林渡。", "韩柏 BORN_IN 枫林渡"),
    ("zh", "苏芷加入了听雨楼。", "苏芷 MEMBER_OF 听雨楼"),
    ("zh", "听雨楼楼主冯远没有说话。", "冯远 LEADS 听雨楼"),
    ("zh", "苏芷今年十七岁。", "苏芷 AGE 17"),
]


def rows(lang: str, text: str) -> set[str]:
    told = table(text, lang=lang, hub=hub(CARDS[lang], lang=lang))  # type: ignore[arg-type]
    return {" ".join(row[:3]) for row in told.ticked}


@pytest.mark.parametrize(("lang", "text", "row"), LABELLED)
def test_a_label_reads_every_relation_and_plain_prose_does_not(lang: str, text: str, row: str) -> None:
    assert row in rows(lang, LABEL[lang] + text)
    assert not rows(lang, text), "in prose these are not found often, or not rightly, enough"


@pytest.mark.parametrize(("lang", "text", "row"), PROSE)
def test_what_plain_prose_gives(lang: str, text: str, row: str) -> None:
    assert row in rows(lang, text)
    assert row in rows(lang, LABEL[lang] + text)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Odo never died."),
        ("en", "Odo wanted to kill Fenn."),
        ("en", "“Odo died,” said Fenn."),
        ("en", "Odo's horse died."),
        ("zh", "韩柏没有死。"),
        ("zh", "韩柏打算杀死冯远。"),
        ("zh", "苏芷道：“韩柏死了。”"),
        ("zh", "如果韩柏死了，苏芷就会走。"),
        ("zh", "韩柏的父亲死了。"),
    ],
)
def test_what_is_denied_intended_said_or_of_others_gives_no_ticked_row(lang: str, text: str) -> None:
    assert not rows(lang, text)


def test_who_kills_does_not_die() -> None:
    assert "韩柏 HAS_STATUS 死" not in rows("zh", "韩柏杀死了冯远。")
    assert "Fenn HAS_STATUS dead" not in rows("en", "Fenn killed Odo.")


def test_a_pronoun_stands_for_one_person_or_for_nobody() -> None:
    assert "Odo HAS_STATUS dead" in rows("en", "Odo fell from the wall. He died that night.")
    assert not rows("en", "Odo met Fenn. He died that night.")


NAMES = Names([Named(entity_key(EntityKind.CHARACTER, name), EntityKind.CHARACTER, name) for name in ("林霜", "顾青")])


@pytest.mark.parametrize(
    "text", ["林霜\ue000\ue801杀死了顾青。", "林霜" * 2_000 + "杀死顾青。", "(?P<s>林霜)杀死[顾青]{2}。", ""]
)
def test_author_text_is_never_part_of_a_pattern(text: str) -> None:
    for one in statements(read(text, "zh"), NAMES):
        assert 0 <= one.start < one.end <= len(text)
    assert [one.modality for one in statements(read("林霜打算杀死顾青。", "zh"), NAMES)] == [Modality.INTENDED]
