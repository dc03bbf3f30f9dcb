"""Sentences that are one but for a value; and pairs that only look so."""

from __future__ import annotations

import pytest

from memorybank.engines.offline.claims.copies import copied, restates

EXCHANGED = (
    ("After a fall of snow the pass road above Orla stays closed for 24 days.", "24", "33"),
    ("The charter of the old market town was read aloud on 4 May 1921 in the square.", "4 May 1921", "4 May 1927"),
    ("Despite the storm the Orla ferry carried the guests home in 45 minutes.", "45", "80"),
    ("这座老城的钟楼由三代工匠修缮，钟声每天可传到12公里外的渔村。", "12公里", "20公里"),
    ("据馆内记载，钟楼的第一口大钟在1921年5月4日被吊上塔顶。", "1921年5月4日", "1927年5月4日"),
)
BOTH_HOLD = (
    # a form that is filled in again
    ("In March the pump station of Orla delivered 1,121 litres to the wells.",
     "In April the pump station of Orla delivered 1,340 litres to the wells."),
    ("In 2012 the rowing club of Orla won the regional cup for the second time.",
     "In 2014 the rowing club of Orla won the regional cup for the second time."),
    # a number that is part of a name, or an ordinal
    ("The Heinkel HD 23 was a biplane designed for the small navy of Orla.",
     "The Heinkel HD 32 was a biplane designed for the small navy of Orla."),
    ("The 19th congress of river engineers met in the town hall of Orla.",
     "The 21st congress of river engineers met in the town hall of Orla."),
    # another thing
    ("Orla lies on the river and has a museum with a large collection of clocks.",
     "Brod lies on the river and has a museum with a large collection of clocks."),
    # the same value, written otherwise
    ("The old railway of the county runs 5.5 km along the river to the harbour.",
     "The old railway of the county runs 5,500 m along the river to the harbour."),
    ("More than 1,000 clerks of the county moved into the new building.",
     "More than 1,400 clerks of the county moved into the new building."),
    # too short to be a copy
    ("It costs 5 euros.", "It costs 8 euros."),
    ("第19届渔港歌会在老城的广场上举行，吸引了许多年轻歌手。",
     "第20届渔港歌会在老城的广场上举行，吸引了许多年轻歌手。"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "value", "other"), EXCHANGED)
def test_one_value_exchanged_in_a_copy(text: str, value: str, other: str) -> None:
    for left, right in ((text, text.replace(value, other)), (text.replace(value, other), text)):
        (found,) = copied(left, right)
        assert (value in found.left.value, other in found.right.value) == (value in left, other in right)
        assert found.left.text in left
        assert value in found.reason
        assert other in found.reason


@pytest.mark.parametrize(("left", "right"), BOTH_HOLD)
def test_a_like_sentence_is_no_copy(left: str, right: str) -> None:
    assert not copied(left, right)
    assert not copied(right, left)


def test_a_copy_about_another_topic_says_nothing() -> None:
    sentence = "The chip was made in the old plant by a team of {} engineers within a year."
    left = "Willow is a processor. Willow has three layers. " + sentence.format(105)
    right = "Heron is a processor. Heron has two layers. " + sentence.format(133)
    assert not copied(left, right)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("The yard of Orla built two batches of 10 boats.", "The yard of Orla built two batches of ten boats.", True),
        ("The pass was opened on May 4, 1921.", "The pass was opened on 1921-05-04.", True),
        ("The pass was opened on May 4, 1921.", "The pass was opened on May 4, 1927.", False),
        ("The pass is not open.", "The pass is open.", False),
        ("这座桥长560米。", "这座桥长五百六十米。", True),
    ],
)
def test_one_sentence_in_other_forms(left: str, right: str, same: bool) -> None:
    assert restates(left, right) is same
    assert restates(right, left) is same
