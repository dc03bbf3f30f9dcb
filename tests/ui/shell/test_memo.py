"""What is worked out once, and when it is worked out again."""

from __future__ import annotations

from typing import Any

from memorybank.runs.journal import Record
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


class Counting:
    """Knows what it was given."""

    def __init__(self) -> None:
        self.taken: list[Any] = []

    def take(self, record: Record[Any]) -> None:
        self.taken.append(record.event)


def test_a_reader_takes_only_what_is_new_and_begins_anew_where_the_past_is_another_one() -> None:
    records = [Record(seq=seq, at=0.0, event=f"e{seq}") for seq in range(1, 7)]

    def read_to(at: int, *, run_id: str = "run") -> Counting:
        reader = memo.read_on(run_id, records, at, Counting)
        assert reader.taken == [record.event for record in records[:at]]
        return reader

    first = read_to(2)
    assert read_to(2) is read_to(3) is read_to(5) is first, "nothing is taken twice"
    assert read_to(4) is not first, "the tab looks back"
    second = read_to(6)
    records[5:] = [Record(seq=6, at=0.0, event="another one")]
    third = read_to(6)
    assert third is not second, "a writer that took the run over has cut off what was not committed"
    assert read_to(6, run_id="another run") is not third
