from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.engines.offline.sameness import sameness

TUNNEL = (
    "The Orla tunnel was built in 1932 by the engineer Marta Lind. It is 5,200 metres long and has 48 lamps. "
    "Many people use the Orla tunnel because the pass is closed in winter."
)
SATELLITE = "“长风”号卫星由青禾公司于2016年8月16日发射。它有48块电池，重620千克。因为电池很轻，卫星可以多带仪器。"
SAME = {
    "values written otherwise": (
        TUNNEL,
        "The Orla tunnel was constructed in 1932 by the engineer Marta Lind. It is 5.2 km long and has forty-eight "
        "lamps. Many persons use the Orla tunnel since the pass is closed in winter.",
    ),
    "a heading and more beside it": (TUNNEL, f"Pass roads. {TUNNEL} A bell at the gate warns of snow in 1999."),
    "a date and a number in Chinese": (
        SATELLITE,
        "据介绍，“长风”号卫星由青禾公司于2016-08-16发射。它有四十八块电池，重620千克。由于电池很轻，卫星能够多带仪器。",
    ),
}
APART = {
    "a sibling": (TUNNEL, TUNNEL.replace("Orla", "Orla II").replace("5,200", "7,280")),
    "the same with another number": (TUNNEL, TUNNEL.replace("48", "67")),
    "the same of another year": (TUNNEL, TUNNEL.replace("1932", "1957")),
    "the same of another name": (TUNNEL, TUNNEL.replace("Marta Lind", "Ole Berg")),
    "a Chinese sibling": (SATELLITE, SATELLITE.replace("长风", "长风二号").replace("48", "67")),
    "a Chinese sibling in name alone": (SATELLITE, SATELLITE.replace("长风", "长风二号")),
}


@pytest.mark.parametrize("case", SAME)
def test_copies_in_other_words_say_the_same(case: str) -> None:
    found = sameness(*SAME[case])
    assert found.holds
    assert found.differing == 0
    assert found.sentences == 3
    assert found.covered >= 2


@pytest.mark.parametrize("case", APART)
def test_near_misses_do_not(case: str) -> None:
    found = sameness(*APART[case])
    assert not found.holds
    assert found.differing >= 1
    assert found.covered == 3, "however alike they are"


def test_too_little_shows_nothing() -> None:
    assert not sameness("It rained all day long.", "It rained all day long.").holds
    assert not sameness("", TUNNEL).holds
    assert not sameness("One two.", "").holds
    other = "Lake Venna lies in the north of the county and is 31 metres deep. Its water comes from two glaciers."
    assert sameness(TUNNEL, other).covered == 0


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from([TUNNEL, SATELLITE, "A 1. B 2. C 3.", ""]))
def test_any_texts(text: str, other: str) -> None:
    found = sameness(text, other)
    assert 0 <= found.covered <= found.sentences
    assert found.differing <= found.covered
    assert sameness(text, text).differing == 0
