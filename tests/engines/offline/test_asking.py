"""What a question asks, and which statements answer it: the entity, the kind of value, and every other word."""

from __future__ import annotations

import pytest

from memorybank.contradiction.words import shown
from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.asking import question_of
from memorybank.engines.offline.quotable import Passage
from memorybank.engines.offline.quoting import quotes
from memorybank.engines.offline.stated import stated

LIGHT = (
    "Corran Light was first lit on 4 March 1871. Corran Light is 38 metres tall. Corran Light was designed by Morag "
    "Sinclair. Ardgour Beacon is 12 metres tall. Ardgour Beacon was built in 1902."
)
FINDS = "Kepler was launched in March 2009. Kepler found more than 2,600 planets. Kepler was retired in 2018."
LORNE = "Lorne Castle is 711 metres long from end to end. The gazette gives 193 metres; that is a misprint."
SHIP = "“青禾号”于2019年5月12日下水。“青禾号”长86米。“青禾号”由江海船厂建造。“白鹭号”长54米。“白鹭号”于2011年下水。"

CASES = [
    ("How tall is Corran Light", LIGHT, ["38 metres"]),
    ("when was it lit (Corran Light)", LIGHT, ["4 March 1871"]),
    ("who designed it (Corran Light)", LIGHT, ["Morag Sinclair"]),
    ("When was Corran Light built", LIGHT, []),
    ("How heavy is Corran Light", LIGHT, []),
    ("how many planets did it find (Kepler)", FINDS, ["more than 2,600 planets"]),
    ("When was Kepler launched", FINDS, ["March 2009"]),
    ("How many stars did Kepler find", FINDS, []),
    ("How many planets did Gaia find", FINDS, []),
    ("How large is the sunshield of Webb", "The sunshield of Webb is 21 by 14 metres large.", []),
    ("How long is Lorne Castle", LORNE, ["711 metres"]),
    ("“青禾号”有多长", SHIP, ["86米"]),
    ("什么时候下水 (青禾号)", SHIP, ["2019年5月12日"]),
    ("“白鹭号”有多长", SHIP, ["54米"]),
    ("“海燕号”有多长", SHIP, []),
    ("“青禾号”有多重", SHIP, []),
]


@pytest.mark.parametrize(("question", "text", "values"), CASES)
def test_only_a_statement_on_what_is_asked_answers(question: str, text: str, values: list[str]) -> None:
    found = stated(question_of(question), [Passage(source="n1: a.md", text=text)])
    assert [shown(one.claim) for one in found] == values
    assert all(shown(one.claim) in text for one in found)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who owns the Corran distillery?", LIGHT),
        ("How many planets did Gaia find?", FINDS),
        ("“海燕号”是什么时候下水的？", SHIP),
        ("长江大桥有多长？", SHIP),
    ],
)
def test_nothing_is_quoted_that_only_shares_words(question: str, text: str) -> None:
    assert quotes(question, [Passage(source="a.md", text=text)], HashedNgrams(), 4) == []
