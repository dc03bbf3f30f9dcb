"""Two texts line by line: nothing is lost, and what is shown as a change is one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memorybank.views.text import line_diff as module
from memorybank.views.text.line_diff import LinePair, Skipped, changes, folded, line_diff

LINES = st.lists(st.sampled_from(["one", "two", "two and a half", "三百", "", "<task>", "x" * 50]), max_size=12)


@given(LINES, LINES)
def test_each_side_is_its_text_and_same_means_same(left: list[str], right: list[str]) -> None:
    rows = line_diff("\n".join(left), "\n".join(right))
    assert [row.left_text for row in rows if row.change != "added"] == "\n".join(left).splitlines()
    assert [row.right_text for row in rows if row.change != "removed"] == "\n".join(right).splitlines()
    for row in rows:
        assert (row.left == row.right) == (row.change == "same")
        assert bool(row.left) == (row.change != "added")
        assert bool(row.right) == (row.change != "removed")
    assert all(row.change == "same" for row in line_diff("\n".join(left), "\n".join(left)))


def test_a_rewritten_line_is_one_row_with_the_words_that_differ_marked() -> None:
    before = "Goal: the mirror\n[n3] Willow has 105 qubits.\nEnd"
    after = "Goal: the mirror\n[n3] Willow has 98 qubits.\nA line that nobody knew\nEnd"
    same, changed, added, end = line_diff(before, after)
    assert [row.change for row in (same, changed, added, end)] == ["same", "changed", "added", "same"]
    assert [mark.text for mark in changed.left if mark.differs] == ["105"]
    assert [mark.text for mark in changed.right if mark.differs] == ["98"]
    assert added.right_text == "A line that nobody knew"


def test_lines_that_have_nothing_in_common_are_not_paired() -> None:
    rows = line_diff("The ferry left in May", "九章有 255 个光子")
    assert [row.change for row in rows] == ["removed", "added"]


def test_new_and_gone_lines_are_counted_and_long_stretches_folded() -> None:
    before = "\n".join([*(f"line {n}" for n in range(12)), "it has 105 qubits", "end"])
    after = "\n".join([*(f"line {n}" for n in range(12)), "it has 107 qubits", "end", "more"])
    rows = line_diff(before, after)
    assert changes(rows) == (2, 1)
    shown = folded(rows)
    assert [getattr(row, "change", "skipped") for row in shown] == [
        "skipped", "same", "same", "changed", "same", "added",
    ]  # fmt: skip
    assert shown[0] == Skipped(10)
    assert changes(line_diff(before, before)) == (0, 0)
    (only,) = folded(line_diff("x", "x"))
    assert isinstance(only, LinePair), "one line is shown, for saying that it is left out takes its room"


def test_what_is_the_same_is_folded_and_counted() -> None:
    text = [f"line {n}" for n in range(40)]
    rows = line_diff("\n".join(text), "\n".join([*text[:20], "something quite different", *text[21:]]))
    shown = folded(rows, around=2)
    assert isinstance(shown[0], Skipped)
    assert isinstance(shown[-1], Skipped)
    skipped = sum(row.count for row in shown if isinstance(row, Skipped))
    assert skipped + sum(isinstance(row, LinePair) for row in shown) == len(rows)
    assert len(shown) < 10
    assert folded(line_diff("a\nb", "a\nb")) == (Skipped(2),)
    assert folded(()) == ()


def test_a_very_long_text_is_compared_all_the_same(monkeypatch: object) -> None:
    head, tail = ["same"] * 3, ["end"] * 2
    one = [*head, *(f"left {n}" for n in range(module.MOST_LINES)), *tail]
    two = [*head, *(f"right {n}" for n in range(module.MOST_LINES)), *tail]
    rows = line_diff("\n".join(one), "\n".join(two))
    assert [row.left_text for row in rows if row.change != "added"] == one
    assert [row.right_text for row in rows if row.change != "removed"] == two
    assert sum(row.change == "same" for row in rows) == 5
