"""What is worked out once, and when it is worked out again."""

from __future__ import annotations

from memorybank.ui.shell import memo


def test_a_value_is_built_once_and_the_newest_of_its_kind_are_kept() -> None:
    built: list[int] = []

    def value(number: int, *, most: int = 1) -> int:
        def build() -> int:
            built.append(number)
            return number * 10

        return memo.kept(("test-memo", number), build, most=most)

    assert [value(1), value(1), value(2), value(1)] == [10, 10, 20, 10]
    assert built == [1, 2, 1]
    assert [value(2, most=2), value(1, most=2), value(2, most=2)] == [20, 10, 20]
    assert built == [1, 2, 1, 2], "two are kept"
    memo.forget("test-memo")
    assert (value(2), built) == (20, [1, 2, 1, 2, 2])
    memo.forget("test-memo")
    memo.forget("test-memo")
