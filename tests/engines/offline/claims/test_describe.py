"""How a contradiction is told: one sentence, with the subject as it stands within one."""

from __future__ import annotations

import pytest

from memorybank.engines.offline.claims import contradictions
from memorybank.engines.offline.claims.describe import differing, opposed


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        (
            "The bell weighs 500 kg.",
            "The bell weighs 800 kg.",
            "“500 kg” against “800 kg” for the weight of the bell",
        ),
        (
            "The height of the tower is 50 m.",
            "The height of the tower is 60 m.",
            "“50 m” against “60 m” for the height of the tower",
        ),
        (
            "导游说白鹿书院建于1802年。",
            "白鹿书院建于1755年。",
            "“白鹿书院”的建造的日期：一方为“1802年”，另一方为“1755年”",
        ),
        (
            "小说家故居建于1802年。",
            "小说家故居建于1755年。",
            "“小说家故居”的建造的日期：一方为“1802年”，另一方为“1755年”",
        ),
        (
            "原型机“九章”于2020年8月发布。",
            "原型机“九章”于2020年12月发布。",
            "“原型机‘九章’”的发布的日期：一方为“2020年8月”，另一方为“2020年12月”",
        ),
    ],
)
def test_the_reason_reads_as_a_sentence(left: str, right: str, reason: str) -> None:
    assert [found.reason for found in contradictions(left, right)] == [reason]


def test_what_is_not_known_is_left_out() -> None:
    assert differing("a", "b", "", "", chinese=False) == "“a” against “b”"
    assert differing("甲", "乙", "首都", "", chinese=True) == "首都：一方为“甲”，另一方为“乙”"
    assert differing("甲", "乙", "重量", "这口钟的重量", chinese=True) == "“这口钟”的重量：一方为“甲”，另一方为“乙”"
    assert (
        opposed("it “is”", "it is not", "A mill", chinese=False)
        == "one says “it ‘is’”, the other “it is not”, of a mill"
    )
