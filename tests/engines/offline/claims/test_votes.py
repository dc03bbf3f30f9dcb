"""Which value a source counts for, and when votes may be missing: what is not clear settles nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memorybank.engines.offline.claims import SourcePassage, contradictions, weigh
from memorybank.engines.offline.claims.evidence import Ruling
from memorybank.engines.offline.claims.slots import disputed, filled, stance
from memorybank.types import ConflictStatus, Contradiction

ELLISON = "Harbour Lights is a 1994 comedy film directed by Mara Ellison."
VANCE = "The 'Harbour Lights' director Peter Vance has opened up about the film."
THIRD = "Harbour Lights: Directed, written and produced by Mara Ellison."
QUIET = "Mara Ellison grew up on an island and likes to sail."
LOUD = "Peter Vance grew up on an island and likes to sail."

HAI = "《海港之光》是王海执导的剧情片。"
WEN = "影片《海港之光》的导演李文透露，拍摄历时三年。"
THIRD_ZH = "《海港之光》由王海导演，去年在各地放映。"
QUIET_ZH, LOUD_ZH = "王海年轻时爱好登山。", "李文年轻时爱好登山。"


def ruling(found: Sequence[Contradiction], left: str, right: str, *others: str) -> Ruling:
    parties = [
        SourcePassage(source="left", text=left, party="left"),
        SourcePassage(source="right", text=right, party="right"),
    ]
    return weigh(found, [*parties, *(SourcePassage(source=f"{at}", text=text) for at, text in enumerate(others))])


@pytest.mark.parametrize(
    ("left", "right", "third", "quiet", "loud"),
    [(ELLISON, VANCE, THIRD, QUIET, LOUD), (HAI, WEN, THIRD_ZH, QUIET_ZH, LOUD_ZH)],
)
def test_a_doubtful_vote_counts_against_the_other_value_only(
    left: str, right: str, third: str, quiet: str, loud: str
) -> None:
    found = filled(left, right)
    assert ruling(found, left, right, third).winner == "left"
    assert ruling(found, left, right, third, quiet).winner == "left", "it can only be one vote more for what wins"
    assert ruling(found, left, right, third, loud).status is ConflictStatus.INCONCLUSIVE


@pytest.mark.parametrize(
    ("left", "right", "third", "another"),
    [
        (ELLISON, VANCE, THIRD, "It was directed by Tom Reade, an insider says."),
        (HAI, WEN, THIRD_ZH, "该片由赵青导演，一位知情人说。"),
    ],
)
def test_a_third_person_leaves_it_open(left: str, right: str, third: str, another: str) -> None:
    found = filled(left, right)
    assert ruling(found, left, right, third).status is ConflictStatus.RESOLVED
    assert ruling(found, left, right, third, another).status is ConflictStatus.INCONCLUSIVE


def test_a_party_that_writes_the_third_value_may_mean_it() -> None:
    left = "Norvik bought Lanternpost for $1 billion in 2012."
    right = "Lanternpost is owned by Halden Group, a company whose former name is Tessaro."
    others = (
        "Norvik bought the app Lanternpost after long talks.",
        "Norvik's acquisition of Lanternpost surprised everyone.",
        "Tessaro bought Lanternpost when it had 13 employees.",
        "Tessaro's acquisition of Lanternpost was a watershed.",
    )
    found = filled(left, right)
    assert (found[0].left.value, found[0].right.value) == ("Norvik", "Halden Group")
    assert ruling(found, left, right, *others).status is ConflictStatus.INCONCLUSIVE
    plain = right.replace("Tessaro", "Ostrava")
    assert ruling(filled(left, plain), left, plain, *others).status is ConflictStatus.RESOLVED


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
            "《海港之光》的上映日期：2017年5月9日。",
            "《海港之光》是2017年上映的影片。",
            "《海港之光》是2017年5月9日上映的影片。",
        ),
    ],
)
def test_a_date_that_holds_both_counts_for_neither(left: str, right: str, coarse: str, fine: str) -> None:
    found = filled(left, right)
    slot = disputed(found[0])
    assert slot is not None
    assert stance(coarse, *slot)[0] == "unclear"
    assert stance(fine, *slot)[0] == "right"
    assert ruling(found, left, right, coarse).status is ConflictStatus.INCONCLUSIVE


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        (
            "Harbour Lights was released on March 3, 2017 to wide acclaim.",
            "Harbour Lights premiered on May 9, 2017 in Oslo.",
            "Harbour Lights was released in 2017, and premiered in Oslo on May 9, 2017.",
        ),
        (
            "影片《海港之光》于2017年3月3日上映。",
            "《海港之光》的上映日期：2017年5月9日。",
            "《海港之光》2017年上映，上映日期是2017年5月9日。",
        ),
    ],
)
def test_a_finer_date_beside_it_decides(left: str, right: str, told: str) -> None:
    slot = disputed(filled(left, right)[0])
    assert slot is not None
    assert stance(told, *slot)[0] == "right"


def test_a_name_with_another_dot_is_the_same() -> None:
    left, right = "《艾拉·诺顿传》由王海执导。", "昨天，《艾拉·诺顿传》导演李文透露，拍摄历时三年。"
    slot = disputed(filled(left, right)[0])
    assert slot is not None
    assert stance("王海谈《艾拉.诺顿传》", *slot)[0] == "left"
    assert stance("王海谈《夜航》", *slot)[0] == "leans left"


def test_a_source_that_gives_both_values_counts_for_neither() -> None:
    slot = disputed(filled(ELLISON, VANCE)[0])
    assert slot is not None
    both = "Harbour Lights was directed by Mara Ellison. Others say that it was directed by Peter Vance."
    assert stance(both, *slot)[0] == "unclear"


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
    assert disputed(found[0]) is None, "it was not told from a slot"
    assert ruling(found, left, right).status is ConflictStatus.INCONCLUSIVE
    settled = ruling(found, left, right, third)
    assert (settled.status, settled.winner) == (ConflictStatus.RESOLVED, "left")
