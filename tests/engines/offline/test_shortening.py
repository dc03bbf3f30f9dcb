from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.engines.offline.salience import keys
from memorybank.engines.offline.shortening import MOST_TAILS, forms

SHORTER = {
    "The bridge opened in 2000, which pleased the people of the coast.": "The bridge opened in 2000.",
    "The bridge, which many had longed for, was opened in 2000.": "The bridge was opened in 2000.",
    "The bridge (a fine one) cost 2.6 billion euros.": "The bridge cost 2.6 billion euros.",
    "The bridge -- a fine one -- cost 2.6 billion euros.": "The bridge cost 2.6 billion euros.",
    "IBM showed the chip in 2023, making the older one look small.": "IBM showed the chip in 2023.",
    "IBM showed the chip in 2023, and it pleased the guests.": "IBM showed the chip in 2023.",
    "The chip has 105 qubits; the older one was larger.": "The chip has 105 qubits.",
    "The chip was shown in 2023, because the fair was near.": "The chip was shown in 2023.",
    "大桥于2000年通车，沿岸的人们都很高兴。": "大桥于2000年通车。",
    "张永海是中国足球运动员，主要司职中后卫，曾经入选国家队。": "张永海是中国足球运动员。",
    "学校（初中部）位于新民路29号。": "学校位于新民路29号。",
}
WHOLE = (
    "Red, green, and blue are the colours of the flag.",
    "She bought apples, pears, and plums in 2001.",
    "The chip works, but only near absolute zero.",
    "The chip works, unless it is warm.",
    "It has three parts: the bow, the hull, and the stern of the ship.",
    "When it rains in the valley, which is rare, we stay.",
    'He said in 2001, "it is over, and it was good."',
    "Was it opened in 2000, which pleased them?",
    "In summer, working at night, they slept.",
    "因为冻土很厚，所以工程很难。",
    "他认为，这座桥很美。",
    "有实验表明，这种药有害。",
    "如果下雨，大桥就会关闭。",
    "1945年，他去世。",
    "包括北京，上海，广州。",
    "该碑是为纪念1932年6月24日，国内发生的政变。",
    "大桥建成通车了，但没有人高兴。",
)


@pytest.mark.parametrize(("sentence", "shortest"), SHORTER.items())
def test_what_carries_no_fact_may_go(sentence: str, shortest: str) -> None:
    found = forms(sentence)
    assert found[-1] == sentence
    assert found[0] == shortest


@pytest.mark.parametrize("sentence", WHOLE)
def test_what_another_part_needs_stays(sentence: str) -> None:
    assert forms(sentence) == (sentence,)


def test_clauses_go_from_the_end_on_and_keep_their_subject() -> None:
    sentence = "他1921年生于山东，是著名的数学家，1945年在上海参加了工作，后来成为教授。"
    found = forms(sentence)
    assert len(found) > 2
    assert found[0] == "他1921年生于山东。"
    assert all(form.startswith("他1921年生于山东") and form.endswith("。") for form in found)
    assert [len(form) for form in found] == sorted(len(form) for form in found)
    english = "The mill was built in 1820, which was late, and it burnt down in 1931."
    assert forms(english)[0] == "The mill was built in 1820."
    assert "1931" in forms(english)[-1]


def test_no_new_number_comes_from_what_is_left() -> None:
    for sentence in ("It cost 3 (a bargain) 5 years ago.", "价格是3（便宜）5元，很合算。"):
        for form in forms(sentence):
            assert keys(form) <= keys(sentence)


pieces = st.sampled_from(
    [
        *("The bridge", ", which is long", ", and it fell", ", in 2001", " (a fine one)", "; he left", ", but not"),
        *("大桥于2000年", "，是一座", "，因为", "（很美）", "，有3层", "。", ". ", "”", "“", "、", "：", "—", " -- "),
    ]
)


@settings(deadline=None)
@given(st.lists(pieces, max_size=14).map("".join), st.text(max_size=20))
def test_any_text(text: str, noise: str) -> None:
    sentence = (text + noise).strip()
    found = forms(sentence)
    assert found[-1] == sentence
    assert len(found) <= MOST_TAILS + 2
    assert len(set(found)) == len(found)
    for form in found:
        assert keys(form) <= keys(sentence)
        left = iter(re.sub(r"\s", "", sentence))
        assert all(char in left for char in re.sub(r"\s", "", form)), "the sentence's own characters, in order"
