"""The change from one prompt to the next, line by line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memorybank.ui.prompt_diff import changes, prompt_diff

LINES = st.lists(st.sampled_from(["goal", "memory one", "memory two", "", "state: open", "frame"]), max_size=30)


def test_new_and_gone_lines_stand_where_they_belong_and_long_stretches_are_skipped() -> None:
    before = "\n".join([*(f"line {n}" for n in range(12)), "it has 105 qubits", "end"])
    after = "\n".join([*(f"line {n}" for n in range(12)), "it has 107 qubits", "end", "more"])
    lines = prompt_diff(before, after)
    assert [line.kind for line in lines] == ["skipped", "same", "same", "gone", "new", "same", "new"]
    assert lines[0].count == 10
    gone, new = lines[3], lines[4]
    assert [piece.text for piece in gone.pieces if piece.differs] == ["105"]
    assert [piece.text for piece in new.pieces if piece.differs] == ["107"]
    assert changes(lines) == (2, 1)


def test_the_same_prompt_twice_has_no_change() -> None:
    assert changes(prompt_diff("a\nb", "a\nb")) == (0, 0)
    assert [line.kind for line in prompt_diff("x", "x")] == ["same"]


@given(LINES, LINES)
def test_both_prompts_can_be_read_from_the_lines(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before), "\n".join(after)
    lines = prompt_diff(old, new)
    skipped = sum(line.count for line in lines if line.kind == "skipped")
    of_new = [line.text for line in lines if line.kind in ("same", "new")]
    of_old = [line.text for line in lines if line.kind in ("same", "gone")]
    assert len(of_new) + skipped == len(new.split("\n"))
    assert len(of_old) + skipped == len(old.split("\n"))
    if not skipped:
        assert of_new == new.split("\n")
        assert of_old == old.split("\n")
