"""What ends without being said to end; and what two are to each other."""

from __future__ import annotations

import pytest

from memorybank.types import Lang
from tests.narrative.extraction.told import EN, ZH, Row, hub, table

CARDS = {"en": EN, "zh": ZH}


@pytest.mark.parametrize(
    ("lang", "joined", "left"),
    [
        ("en", "Settled: Odo joined the Salt League in chapter 2.", "Settled: Odo left the Salt League in chapter 9."),
        ("zh", "定下来：韩柏第二章加入了听雨楼。", "定下来：韩柏第九章离开了听雨楼。"),
    ],
)
def test_who_left_is_a_member_no_longer(lang: Lang, joined: str, left: str) -> None:
    facts = hub(CARDS[lang], joined, lang=lang)
    member = table(left, lang=lang, hub=facts, task="t2").fact("MEMBER_OF")
    assert (member.since, member.until) == (2, 9)
    together = table(CARDS[lang], f"{joined}\n{left}", lang=lang).fact("MEMBER_OF")
    assert (together.since, together.until) == (2, 9)


def test_who_left_what_nobody_knew_them_in_left_it() -> None:
    assert table(EN, "Odo left the Salt League in chapter 9.").ticked == {("Odo", "LEFT", "Salt League", 9)}


@pytest.mark.parametrize(
    ("lang", "lost", "found"),
    [
        ("en", "Settled: the Copper Horn was lost in chapter 4.", "Settled: Odo found the Copper Horn in chapter 6."),
        ("zh", "定下来：赤铜铃第四章遗失了。", "定下来：韩柏第六章找到了赤铜铃。"),
    ],
)
def test_what_was_found_again_is_lost_no_longer(lang: Lang, lost: str, found: str) -> None:
    facts = hub(CARDS[lang], lost, lang=lang)
    states = {row for row in table(found, lang=lang, hub=facts, task="t2").ticked if row[1] == "HAS_STATUS"}
    item = "Copper Horn" if lang == "en" else "赤铜铃"
    assert states == {(item, "HAS_STATUS", "found" if lang == "en" else "已找回", 6)}


def test_what_was_never_lost_is_not_found() -> None:
    assert table(EN, "Settled: Odo found the Copper Horn in chapter 6.").ticked == {("Odo", "OWNS", "Copper Horn", 6)}


@pytest.mark.parametrize(
    ("lang", "text", "row"),
    [
        ("en", "Odo and Fenn are siblings.", ("Odo", "SIBLING_OF", "Fenn", 0)),
        ("en", "Odo married Lady Brisa in chapter 8.", ("Odo", "MARRIED_TO", "Lady Brisa", 8)),
        ("en", "Odo and Lady Brisa are husband and wife.", ("Odo", "MARRIED_TO", "Lady Brisa", 0)),
        ("zh", "韩柏和苏芷是兄妹。", ("韩柏", "SIBLING_OF", "苏芷", 0)),
        ("zh", "第八章，苏芷嫁给了冯远。", ("苏芷", "MARRIED_TO", "冯远", 8)),
    ],
)
def test_what_two_are_to_each_other_is_a_fact(lang: Lang, text: str, row: Row) -> None:
    assert table(CARDS[lang], text, lang=lang).ticked == {row}
