import pytest

from memorybank.language.text import NEGATION_RE


@pytest.mark.parametrize(
    "text",
    [
        "It is not open.",
        "He didn't go.",
        "Nobody came.",
        "She cannot swim.",
        "Hardly a day",
        "没有桥",
        "尚未开放",
        "非会员",
        "请勿入内",
    ],
)
def test_a_denial_is_seen(text: str) -> None:
    assert NEGATION_RE.search(text)


@pytest.mark.parametrize(
    "text", ["a knot", "the canteen", "nonetheless", "莫斯科的桥", "非洲", "未来", "无锡", "不仅如此", "非常好"]
)
def test_a_part_of_another_word_denies_nothing(text: str) -> None:
    assert not NEGATION_RE.search(text)
