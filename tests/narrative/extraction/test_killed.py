"""A violent death is a death, however it is told: passive or active, with or without a place, a time, or a name of who
did it. Whoever did it lives on."""

from __future__ import annotations

import pytest

from memorybank.types import Lang
from tests.narrative.extraction.told import EN, ZH, table

CARDS = {"en": EN, "zh": ZH}
VALUE = {"en": "dead", "zh": "死"}


def dead(lang: Lang, text: str) -> set[str]:
    found = table(CARDS[lang], text, lang=lang)
    return {row[0] for row in found.ticked if row[1:3] == ("HAS_STATUS", VALUE[lang])}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Odo was killed at Ashford."),
        ("en", "Odo had been killed at Ashford before dawn."),
        ("en", "Odo was killed in chapter 4 at Ashford."),
        ("en", "Odo got killed in a brawl."),
        ("en", "Odo was beheaded at Ashford."),
        ("en", "Odo was stabbed to death in the night."),
        ("en", "Odo was put to death in Ashford."),
        ("en", "Odo, killed at Ashford, was buried by the river."),
        ("en", "Odo, the old smith of Ashford, was killed."),
        ("en", "Odo was slain that night by Fenn."),
        ("en", "Odo was beaten to death by Fenn at Ashford."),
        ("en", "Bandits killed Odo at Ashford."),
        ("en", "Someone murdered Odo."),
        ("en", "Odo lost his life at Ashford."),
        ("en", "Odo was stabbed by Fenn and died."),
        ("en", "Odo was stabbed in Ashford by Fenn and later died of it."),
        ("en", "Fenn poisoned Odo and he died."),
        ("zh", "韩柏中毒身亡。"),
        ("zh", "韩柏在落霞镇被杀。"),
        ("zh", "韩柏当夜在落霞镇被人杀死。"),
        ("zh", "韩柏被杀于落霞镇。"),
        ("zh", "韩柏遇刺身亡。"),
        ("zh", "冯远把韩柏杀了。"),
        ("zh", "冯远将韩柏杀死在落霞镇。"),
        ("zh", "韩柏被毒死了。"),
        ("zh", "韩柏在落霞镇被斩首。"),
        ("zh", "山贼杀了韩柏。"),
        ("zh", "有人在落霞镇杀害了韩柏。"),
        ("zh", "韩柏惨死落霞镇。"),
    ],
)
def test_who_was_killed_is_dead_and_nobody_else(lang: Lang, text: str) -> None:
    assert dead(lang, text) == {"Odo" if lang == "en" else "韩柏"}


@pytest.mark.parametrize(
    ("lang", "text", "who"),
    [
        ("en", "Odo and Fenn were killed at Ashford.", {"Odo", "Fenn"}),
        ("zh", "韩柏和冯远在落霞镇被杀。", {"韩柏", "冯远"}),
    ],
)
def test_two_who_die_together_are_both_dead(lang: Lang, text: str, who: set[str]) -> None:
    assert dead(lang, text) == who


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Odo knew the king was killed."),
        ("en", "Odo saw that the horse died."),
        ("en", "Odo’s horse was killed at Ashford."),
        ("en", "Odo, whose brother was killed at Ashford, wept."),
        ("en", "Nobody killed Odo."),
        ("en", "Bandits almost killed Odo."),
        ("en", "If bandits killed Odo, Fenn would weep."),
        ("en", "Bandits killed Odo's brother."),
        ("en", "Odo was nearly killed at Ashford."),
        ("en", "Odo was hunted by Fenn."),
        ("en", "Odo lost his life's work."),
        ("zh", "韩柏被追杀。"),
        ("zh", "韩柏险些被杀。"),
        ("zh", "没有人杀了韩柏。"),
        ("zh", "山贼想杀了韩柏。"),
        ("zh", "韩柏的马被杀了。"),
        ("zh", "韩柏被杀得大败。"),
        ("zh", "山贼杀了韩柏的弟弟。"),
        ("zh", "韩柏将在落霞镇被杀。"),
        ("zh", "韩柏会在落霞镇被杀。"),
        ("zh", "韩柏之子被杀。"),
    ],
)
def test_no_death_is_ticked(lang: Lang, text: str) -> None:
    assert not dead(lang, text)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Odo stabbed Fenn to death."),
        ("en", "Odo shot Fenn dead in Ashford."),
        ("en", "Odo shot and killed Fenn."),
        ("en", "Odo fatally stabbed Fenn."),
        ("en", "Odo poisoned Fenn, who died at once."),
        ("en", "Fenn was fatally shot by Odo."),
        ("en", "Odo beat Fenn to death."),
        ("zh", "韩柏刺死冯远。"),
        ("zh", "韩柏砍死了冯远。"),
        ("zh", "韩柏射死冯远。"),
        ("zh", "韩柏刺杀了冯远。"),
        ("zh", "韩柏毒杀冯远。"),
        ("zh", "冯远被韩柏在落霞镇毒死了。"),
    ],
)
def test_a_blow_that_kills_says_so(lang: Lang, text: str) -> None:
    found = table(CARDS[lang], text, lang=lang)
    slayer, slain = ("Odo", "Fenn") if lang == "en" else ("韩柏", "冯远")
    assert dead(lang, text) == {slain}
    assert (slayer, "KILLED", slain, 0) in found.ticked


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Odo stabbed Fenn."),
        ("en", "Odo shot Fenn in Ashford."),
        ("en", "Odo poisoned Fenn."),
        ("en", "Odo shot at Fenn."),
        ("en", "Fenn was stabbed by Odo."),
        ("en", "Fenn was shot by Odo in Ashford."),
        ("en", "Odo stabbed Fenn's horse to death."),
        ("zh", "韩柏刺伤了冯远。"),
        ("zh", "韩柏砍伤冯远。"),
        ("zh", "韩柏刺了冯远一剑。"),
        ("zh", "韩柏斩了冯远一剑。"),
        ("zh", "韩柏刺杀冯远未遂。"),
        ("zh", "冯远被韩柏刺伤。"),
        ("zh", "冯远被韩柏追杀。"),
        ("zh", "冯远被韩柏抓在手里。"),
    ],
)
@pytest.mark.parametrize("mark", [True, False], ids=["settled", "told"])
def test_a_wound_alone_is_no_death(lang: Lang, text: str, *, mark: bool) -> None:
    settled = {"en": "Settled: ", "zh": "定下来："}[lang] if mark else ""
    found = table(CARDS[lang], settled + text, lang=lang)
    assert not {row for row in found.ticked | found.unticked if row[1] in ("KILLED", "HAS_STATUS")}


@pytest.mark.parametrize(
    ("lang", "text", "where"),
    [
        ("zh", "韩柏被冯远一剑刺死在落霞镇。", {"韩柏"}),
        ("zh", "韩柏被冯远在落霞镇杀死。", {"韩柏"}),
        ("zh", "韩柏遭冯远杀害，死在落霞镇。", {"韩柏"}),
        ("zh", "冯远将韩柏杀死在落霞镇。", {"韩柏"}),
        ("zh", "韩柏被冯远关在落霞镇。", {"韩柏"}),
        ("zh", "韩柏没有被冯远杀死在落霞镇。", set()),
        ("zh", "冯远在落霞镇一剑刺死韩柏。", {"冯远"}),
        ("zh", "韩柏被杀，冯远在落霞镇等候。", {"冯远"}),
        ("en", "Odo was killed by Fenn in Ashford.", set()),
        ("en", "Odo was killed in Ashford by Fenn.", {"Odo"}),
        ("en", "Odo was stabbed to death by Fenn, and Brisa waited in Ashford.", {"Lady Brisa"}),
    ],
)
def test_the_place_of_a_killing_is_that_of_the_one_killed_unless_the_killer_acts_there(
    lang: Lang, text: str, where: set[str]
) -> None:
    found = table(CARDS[lang], text, lang=lang)
    assert {row[0] for row in found.ticked if row[1] == "LOCATED_IN"} == where
