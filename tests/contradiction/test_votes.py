"""Which value a source counts for: it speaks only where its own sentence names what is disputed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memorybank.contradiction.ruling import Ruling
from memorybank.contradiction.votes import SourcePassage
from memorybank.memory.types import ConflictStatus, Contradiction
from tests.contradiction.parsed import contradictions, ruled, stance

ELLISON = "Harbour Lights was directed by Mara Ellison."
VANCE = "Harbour Lights was directed by Peter Vance."
THIRD = "After a long search for a crew, Mara Ellison directed Harbour Lights."

QUIET = "Tom Reade grew up on an island and likes to sail. 赵青年轻时爱好登山。"

HAI = "天河大桥由华东设计院设计。"
WEN = "天河大桥由铁道设计院设计。"
THIRD_ZH = "华东设计院设计了天河大桥，工期三年。"


def ruling(found: Sequence[Contradiction], left: str, right: str, *others: str) -> Ruling:
    parties = [
        SourcePassage(source="left", text=left, party="left"),
        SourcePassage(source="right", text=right, party="right"),
    ]
    return ruled(found, [*parties, *(SourcePassage(source=f"{at}", text=text) for at, text in enumerate(others))])


@pytest.mark.parametrize(
    ("left", "right", "third", "silent"),
    [
        (ELLISON, VANCE, THIRD, "Peter Vance grew up on an island. It was directed by Peter Vance, a poster says."),
        (ELLISON, VANCE, THIRD, "Peter Vance spoke of Harbour Lights at length."),
        (ELLISON, VANCE, THIRD, "Harbour Street was directed by Peter Vance."),
        (HAI, WEN, THIRD_ZH, "铁道设计院历史悠久。"),
        (HAI, WEN, THIRD_ZH, "铁道设计院谈天河大桥，说了很久。"),
        (HAI, WEN, THIRD_ZH, "地河大桥由铁道设计院设计。"),
    ],
    ids=["no name", "no attribute", "another thing", "no name zh", "no attribute zh", "another thing zh"],
)
def test_only_a_sentence_that_names_what_is_disputed_speaks(left: str, right: str, third: str, silent: str) -> None:
    found = contradictions(left, right)
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


def test_a_pronoun_speaks_for_what_the_sentence_before_it_names() -> None:
    (found,) = contradictions(*THREE[0][:2])
    assert stance("The Almer weir is old. It was built in 1871.", found).supports == "left"
    assert stance("The Alder weir is old. It was built in 1871.", found).supports == "neither"
    assert stance("The Almer weir is old. It was built in 1879.", found).supports == "other"


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
            "Harbour Lights was released on March 3, 2017.",
            "Harbour Lights was released on May 9, 2017.",
            "Harbour Lights was released in 2017 after a long delay.",
            "Harbour Lights was released on May 9, 2017 after a long delay.",
        ),
        (
            "《海港之光》于2017年3月3日上映。",
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
