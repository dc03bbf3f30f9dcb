from __future__ import annotations

import pytest

from memorybank.engines.offline.attribution import without_attribution

MILL = "The mill was built in 1931."


@pytest.mark.parametrize(
    "sentence",
    [
        "A guide says the mill was built in 1931.",
        "A guide says that the mill was built in 1931.",
        "According to the guide, the mill was built in 1931.",
        "The mill was built in 1931, according to a guide.",
        "The mill was built in 1931, the miller told us.",
        "The mill, a guide says, was built in 1931.",
        '"The mill was built in 1931," said the guide.',
        'The guide said: "The mill was built in 1931."',
        "Visitors were told that the mill was built in 1931.",
        "Per the guide, the mill was built in 1931.",
        "In an old guide, the mill was built in 1931.",
        "As the guide tells it, the mill was built in 1931.",
        "From the guide we learn that the mill was built in 1931.",
        "The town guide: The mill was built in 1931.",
        "The mill was built in 1931 (source: town guide).",
    ],
)
def test_who_says_so_is_cut_out(sentence: str) -> None:
    assert without_attribution(sentence, "1931") == MILL


@pytest.mark.parametrize(
    ("sentence", "value", "expected"),
    [
        ("导游手册称，水磨坊建于1931年。", "1931年", "水磨坊建于1931年。"),
        ("导游说水磨坊建于1931年。", "1931年", "水磨坊建于1931年。"),
        ("据县志记载，水磨坊建于1931年。", "1931年", "水磨坊建于1931年。"),
        ("据说该塔高486米。", "486米", "该塔高486米。"),
        ("手册说：“水磨坊建于1931年。”", "1931年", "水磨坊建于1931年。"),
        ("手册的说法是水磨坊建于1931年。", "1931年", "水磨坊建于1931年。"),
        ("在手册里，水磨坊建于1931年。", "1931年", "水磨坊建于1931年。"),
        ("手册：水磨坊建于1931年。", "1931年", "水磨坊建于1931年。"),
        ("水磨坊建于1931年（据手册）。", "1931年", "水磨坊建于1931年。"),
    ],
)
def test_in_chinese(sentence: str, value: str, expected: str) -> None:
    assert without_attribution(sentence, value) == expected


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        (MILL, "1931"),
        ("The mill was built in 1931 and showed its wheel.", "1931"),
        ("The engineer claimed the prize of 1931 in London.", "1931"),
        ("He wrote 12 novels and was born in 1931.", "1931"),
        ("Google showed it in October 2024.", "October 2024"),
        ("The plant gives 98 MW.", "98"),
        ("小说《云溪》写于1931年。", "1931年"),
        ("这座塔俗称方塔，高90米。", "90米"),
        ("The mill dates to 1931.", "1931"),
        ("The guide has 1931 pages.", "1931"),
        ("他在图书馆看书，那年是1931年。", "1931年"),
    ],
)
def test_a_sentence_that_names_nobody_stays(sentence: str, value: str) -> None:
    assert without_attribution(sentence, value) == sentence


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The brochure gives 1931 as the year of the mill.", "1931"),
        ("The tower is said to be 90 m high.", "90"),
        ("A 1931 guide says the tower has 12 floors.", "12"),
        ("据2019年统计，人口为30万。", "30万"),
        ("The guide dates the mill to 1931.", "1931"),
        ("The guide has 1931 for the mill.", "1931"),
        ("The guide's date for the mill is 1931.", "1931"),
        ("手册把水磨坊的建成时间定为1931年。", "1931年"),
        ("手册给出的年份是1931年。", "1931年"),
    ],
)
def test_what_cannot_be_parted_goes(sentence: str, value: str) -> None:
    assert without_attribution(sentence, value) is None
