"""Which value a source counts for: it speaks only where its own sentence names what is disputed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memorybank.contradiction import SourcePassage, contradictions, weigh
from memorybank.contradiction.ruling import Ruling
from memorybank.contradiction.stance import stance
from memorybank.memory.types import ConflictStatus, Contradiction
from tests.contradiction.readers import filled

ELLISON = "Harbour Lights is a 1994 comedy film directed by Mara Ellison."
VANCE = "The 'Harbour Lights' director Peter Vance has opened up about the film."
THIRD = "Harbour Lights: Directed, written and produced by Mara Ellison."

QUIET = "Tom Reade grew up on an island and likes to sail. 赵青年轻时爱好登山。"

HAI = "《海港之光》是王海执导的剧情片。"
WEN = "影片《海港之光》的导演李文透露，拍摄历时三年。"
THIRD_ZH = "《海港之光》由王海导演，去年在各地放映。"


def ruling(found: Sequence[Contradiction], left: str, right: str, *others: str) -> Ruling:
    parties = [
        SourcePassage(source="left", text=left, party="left"),
        SourcePassage(source="right", text=right, party="right"),
    ]
    return weigh(found, [*parties, *(SourcePassage(source=f"{at}", text=text) for at, text in enumerate(others))])


@pytest.mark.parametrize(
    ("left", "right", "third", "silent"),
    [
        (ELLISON, VANCE, THIRD, "Peter Vance grew up on an island. It was directed by Peter Vance, a poster says."),
        (ELLISON, VANCE, THIRD, "Peter Vance spoke of Harbour Lights at length."),
        (ELLISON, VANCE, THIRD, "Harbour Street was directed by Peter Vance."),
        (HAI, WEN, THIRD_ZH, "李文年轻时爱好登山。该片由李文导演，一位知情人说。"),
        (HAI, WEN, THIRD_ZH, "李文谈《海港之光》，说了很久。"),
        (HAI, WEN, THIRD_ZH, "《海港之夜》由李文导演。"),
    ],
    ids=["no name", "no attribute", "another thing", "no name zh", "no attribute zh", "another thing zh"],
)
def test_only_a_sentence_that_names_what_is_disputed_speaks(left: str, right: str, third: str, silent: str) -> None:
    found = filled(left, right)
    assert stance(silent, found[0]).supports == "neither"
    assert ruling(found, left, right).status is ConflictStatus.INCONCLUSIVE
    assert ruling(found, left, right, silent).status is ConflictStatus.INCONCLUSIVE
    assert ruling(found, left, right, third).winner == "left"
    assert ruling(found, left, right, third, silent).winner == "", "a vote may be missing: it has the other value"
    assert ruling(found, left, right, third, QUIET).winner == "left"


THREE = [
    (
        "The Almer weir was built in 1871.",
        "The Almer weir was built in 1884.",
        "The Almer weir was built in 1879, of granite.",
        "According to its plaque the Almer weir was built in 1879.",
        "The Alder weir was built in 1879.",
        "1879",
    ),
    (
        "望潮亭建于1871年。",
        "望潮亭建于1884年。",
        "望潮亭建于1879年，用花岗石砌成。",
        "碑文上写着，望潮亭建于1879年。",
        "望海亭建于1879年。",
        "1879",
    ),
    (
        "Ines Caldwell designed the Quillan hall.",
        "The Quillan hall was designed by Tobias Renner.",
        "The Quillan hall was designed by Maud Sperling.",
        "Maud Sperling designed the Quillan hall.",
        "Maud Sperling designed the Quillan mill.",
        "Maud Sperling",
    ),
]


def test_a_pronoun_speaks_for_what_the_sentence_before_it_names_but_for_no_third_value() -> None:
    (found,) = contradictions(*THREE[0][:2])
    assert stance("The Almer weir is old. It was built in 1871.", found).supports == "left"
    assert stance("The Alder weir is old. It was built in 1871.", found).supports == "neither"
    assert stance("The Almer weir is old. It was built in 1879.", found).supports == "neither"


@pytest.mark.parametrize(("left", "right", "one", "other", "elsewhere", "value"), THREE)
def test_a_third_value_needs_two_sources_that_name_what_is_disputed(
    left: str, right: str, one: str, other: str, elsewhere: str, value: str
) -> None:
    found = contradictions(left, right)
    assert found
    settled = ruling(found, left, right, one, other)
    assert settled.status is ConflictStatus.BOTH_WRONG
    assert value in settled.value
    assert ruling(found, left, right, one).status is ConflictStatus.INCONCLUSIVE
    assert ruling(found, left, right, one, elsewhere).status is ConflictStatus.INCONCLUSIVE


@pytest.mark.parametrize(
    ("left", "right", "coarse", "fine"),
    [
        (
            "Harbour Lights was released on March 3, 2017 to wide acclaim.",
            "Harbour Lights premiered on May 9, 2017 in Oslo.",
            "Harbour Lights was released in 2017 after a long delay.",
            "Harbour Lights was released on May 9, 2017 after a long delay.",
        ),
        (
            "影片《海港之光》于2017年3月3日上映。",
            "《海港之光》于2017年5月9日上映。",
            "《海港之光》于2017年上映。",
            "《海港之光》于2017年5月9日上映，票房很好。",
        ),
    ],
)
def test_a_date_that_holds_both_counts_for_neither(left: str, right: str, coarse: str, fine: str) -> None:
    found = contradictions(left, right)
    assert stance(coarse, found[0]).supports == "neither"
    assert stance(fine, found[0]).supports == "right"
    assert ruling(found, left, right, coarse).status is ConflictStatus.INCONCLUSIVE


def test_a_finer_date_beside_it_decides() -> None:
    left = "Harbour Lights was released on March 3, 2017 to wide acclaim."
    (found, *_) = contradictions(left, "Harbour Lights premiered on May 9, 2017 in Oslo.")
    told = "Harbour Lights was released in 2017, and premiered in Oslo on May 9, 2017."
    assert stance(told, found).supports == "right"


def test_a_name_with_another_dot_is_the_same() -> None:
    left, right = "《艾拉·诺顿传》由王海执导。", "昨天，《艾拉·诺顿传》导演李文透露，拍摄历时三年。"
    (found, *_) = filled(left, right)
    assert stance("王海是《艾拉.诺顿传》的导演。", found).supports == "left"
    assert stance("王海是《夜航》的导演。", found).supports == "neither"


def test_a_source_that_gives_both_values_counts_for_neither() -> None:
    both = "Harbour Lights was directed by Mara Ellison. Others say that Harbour Lights was directed by Peter Vance."
    assert stance(both, filled(ELLISON, VANCE)[0]).supports == "neither"


@pytest.mark.parametrize(
    ("left", "right", "third"),
    [
        (
            "The CEO of Nordwind is Ana Kovac.",
            "Mia Torres is the CEO of Nordwind.",
            "Ana Kovac has been named CEO of Nordwind.",
        ),
        ("阿兰达是诺里亚的首都。", "诺里亚的首都是贝卡尔。", "5月9日，他抵达诺里亚首都阿兰达，开始访问。"),
    ],
)
def test_loose_prose_has_a_vote_on_parsed_claims(left: str, right: str, third: str) -> None:
    found = contradictions(left, right)
    assert found
    assert found[0].found_by == "claims"
    assert ruling(found, left, right).status is ConflictStatus.INCONCLUSIVE
    settled = ruling(found, left, right, third)
    assert (settled.status, settled.winner) == (ConflictStatus.RESOLVED, "left")
