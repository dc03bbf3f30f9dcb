"""The order of boxes: rows, columns, headings across columns, tables."""

import random

from hypothesis import given
from hypothesis import strategies as st

from memorybank.tools.reading_order import Box, reading_order


def box(text: str, left: float, top: float, width: float, height: float = 20) -> Box:
    return Box(left, top, left + width, top + height, text, 0.99)


def read(boxes: list[Box]) -> list[str]:
    random.Random(1).shuffle(boxes)
    return [" ".join(piece.text for piece in row) for row in reading_order(boxes)]


def test_a_label_is_read_row_by_row_even_when_it_is_tilted() -> None:
    boxes = [box("FAST", 50, 10, 80), box("radio telescope", 140, 14, 200), box("500 m", 50, 45, 60)]
    assert read(boxes) == ["FAST radio telescope", "500 m"]


def test_a_table_keeps_its_rows() -> None:
    boxes = [box(f"{row}{column}", 60 + 150 * column, 30 * row, 40) for row in range(6) for column in range(3)]
    assert read(boxes) == [f"{row}0 {row}1 {row}2" for row in range(6)]


def test_columns_are_read_one_after_the_other_below_their_heading() -> None:
    boxes = [box("heading over both", 40, 0, 420, 30)]
    boxes += [box(f"left {line}", 40, 40 + 24 * line, 200) for line in range(8)]
    boxes += [box(f"right {line}", 248, 47 + 24 * line, 200) for line in range(8)]
    boxes += [box("heading between", 40, 270, 420, 30)]
    boxes += [box(f"left {line}", 40, 310 + 24 * (line - 8), 200) for line in range(8, 12)]
    boxes += [box(f"right {line}", 248, 313 + 24 * (line - 8), 200) for line in range(8, 12)]
    assert read(boxes) == [
        "heading over both",
        *(f"left {line}" for line in range(8)),
        *(f"right {line}" for line in range(8)),
        "heading between",
        *(f"left {line}" for line in range(8, 12)),
        *(f"right {line}" for line in range(8, 12)),
    ]


@given(
    st.lists(st.tuples(*[st.integers(0, 300)] * 2, st.integers(1, 200), st.integers(1, 40)), max_size=30),
    st.integers(0, 9),
)
def test_every_box_is_read_once_and_always_in_the_same_order(places: list[tuple[int, ...]], seed: int) -> None:
    boxes = [Box(x, y, x + w, y + h, str(number), 1.0) for number, (x, y, w, h) in enumerate(places)]
    shuffled = list(boxes)
    random.Random(seed).shuffle(shuffled)
    order = reading_order(shuffled)
    assert order == reading_order(boxes)
    assert sorted(piece for row in order for piece in row) == sorted(boxes)
