"""Two claims side by side: what differs is marked by whole words, numbers and characters."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memorybank.views.text.diff import Mark, mark_difference


def differing(marks: list[Mark]) -> list[str]:
    return [mark.text for mark in marks if mark.differs]


def test_the_words_that_contradict_are_marked() -> None:
    left, right = mark_difference(
        "IBM presented Condor in December 2023 with 1,121 qubits.",
        "IBM presented Condor in November 2022 with 1,312 qubits.",
    )
    assert differing(left) == ["December 2023", "1,121"]
    assert differing(right) == ["November 2022", "1,312"]

    left, right = mark_difference("祖冲之三号于2025年在合肥发布。", "祖冲之三号于2024年在上海发布。")
    assert differing(left) == ["2025", "合肥"]
    assert differing(right) == ["2024", "上海"]

    left, right = mark_difference("The chip is cooled.", "The chip is not cooled.")
    assert (differing(left), [text.strip() for text in differing(right)]) == ([], ["not"])
    assert differing(mark_difference("Same words", "same WORDS")[0]) == []
    assert mark_difference("", "new") == ([], [Mark("new", True)])


@given(left=st.text(max_size=60), right=st.text(max_size=60))
def test_no_character_is_lost(left: str, right: str) -> None:
    for text, marks in zip((left, right), mark_difference(left, right), strict=True):
        assert "".join(mark.text for mark in marks) == text
        assert all(mark.text for mark in marks)
        assert all(one.differs != other.differs for one, other in pairwise(marks))
    assert differing(mark_difference(left, left)[0]) == []


def test_long_texts_are_marked_coarsely() -> None:
    left, right = mark_difference("head " + "a b c " * 20_000 + "tail", "head " + "c b a " * 20_000 + "tail")
    assert (left[0].text.split()[0], left[0].differs, left[-1].text.split()[-1]) == ("head", False, "tail")
    assert len(left) == len(right) == 3
