"""What a question asks, and which statements answer it: the entity, the kind of value, and every other word."""

from __future__ import annotations

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.asking import question_of, stated
from memorybank.engines.offline.quotable import Passage
from memorybank.engines.offline.quoting import quotes
from memorybank.prompts.claim_words import shown

PARSE = HashedNgrams().parse
LIGHT = (
    "Corran Light was first lit on 4 March 1871. Corran Light is 38 metres tall. Corran Light was designed by Morag "
    "Sinclair. Ardgour Beacon is 12 metres tall. Ardgour Beacon was built in 1902."
)
FINDS = "Kepler was launched in March 2009. Kepler found more than 2,600 planets. Kepler was retired in 2018."
LORNE = "Lorne Castle is 711 metres long. The gazette gives 193 metres; that is a misprint."
SHIP = "“青禾号”于2019年5月12日下水。“青禾号”长86米。“青禾号”由江海船厂建造。“白鹭号”长54米。“白鹭号”于2011年下水。"
BRENN = (
    "The castle of Brenn was begun in 1240. The castle of Brenn has 4 towers. The abbey of Brenn was begun in 1098. "
    "The Tarrow Bridge is 412 metres long. The Little Tarrow Bridge is made of oak. Bus 9 runs every 20 minutes."
)
TALK = "Odile (2024-03-12 09:15): I went to the dentist yesterday.\nBram (2024-03-12): My dog is 3 years old."
TOWERS = "青岚塔高86米。青岚塔建于1921年。小青岚塔由周敏设计。远帆公司的CEO是张三。"

CASES = [
    ("When was the castle of Brenn begun", BRENN, ["1240"]),
    ("How many towers has the castle of Brenn", BRENN, ["4 towers"]),
    ("How many towers has the abbey of Brenn", BRENN, []),
    ("How long is the Tarrow Bridge", BRENN, ["412 metres"]),
    ("How long is the Little Tarrow Bridge", BRENN, []),
    ("How often does Bus 7 run", BRENN, []),
    ("When did Odile go to the dentist", TALK, []),
    ("青岚塔高多少米", TOWERS, ["86米"]),
    ("青岚塔建于哪一年", TOWERS, ["1921年"]),
    ("小青岚塔有多高", TOWERS, []),
    ("青岚塔由谁设计", TOWERS, []),
    ("谁设计了小青岚塔", TOWERS, ["周敏"]),
    ("远帆公司的CEO是谁", TOWERS, ["张三"]),
    ("How tall is Corran Light", LIGHT, ["38 metres"]),
    ("when was it first lit (Corran Light)", LIGHT, ["4 March 1871"]),
    ("who designed it (Corran Light)", LIGHT, ["Morag Sinclair"]),
    ("When was Corran Light built", LIGHT, []),
    ("how many planets did it find (Kepler)", FINDS, []),
    ("How many bolts has the hull of Brenn", "The hull of Brenn has about 900 bolts.", []),
    ("How many bolts has the hull of Brenn", "The hull of Brenn has 900 bolts.", ["900 bolts"]),
    ("How many stars did Kepler find", FINDS, []),
    ("How large is the sunshield of Webb", "The sunshield of Webb is 21 by 14 metres large.", []),
    ("How long is Lorne Castle", LORNE, ["711 metres"]),
    ("“青禾号”有多长", SHIP, ["86米"]),
    ("什么时候下水 (青禾号)", SHIP, ["2019年5月12日"]),
    ("“海燕号”有多长", SHIP, []),
]


@pytest.mark.parametrize(("question", "text", "values"), CASES)
def test_only_a_statement_on_what_is_asked_answers(question: str, text: str, values: list[str]) -> None:
    found = stated(question_of(question, PARSE), [Passage(source="n1: a.md", text=text)], PARSE)
    assert [shown(one.claim) for one in found] == values
    assert all(shown(one.claim) in text for one in found)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who owns the Corran distillery?", LIGHT),
        ("who paints it (Corran Light)", LIGHT),
        ("How many windows has the abbey of Brenn?", BRENN),
        ("How long is the Little Tarrow Bridge?", "The Tarrow Bridge is 412 metres long."),
        ("青岚塔由谁粉刷？", "小青岚塔由周敏设计。"),
        ("How many planets did Gaia find?", FINDS),
        ("“海燕号”是什么时候下水的？", SHIP),
        ("长江大桥有多长？", SHIP),
    ],
)
def test_nothing_is_quoted_that_only_shares_words(question: str, text: str) -> None:
    found = quotes(question_of(question, PARSE), [Passage(source="a.md", text=text)], HashedNgrams(), PARSE, 4)
    assert found == []
