"""The table of a batch: sorted, searched, only columns that tell something, bars that say in words what they show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.results import RoleTokens, TaskRow
from memorybank.batch.store import Line
from memorybank.ui.batch.table import COLUMNS, columns_of, fits, sort_lines, table_box
from memorybank.views.box import Box


def line(id_: str, state: str = "complete", system: Any = "bank", **row: Any) -> Line:
    known = TaskRow(id=id_, system=system, outcome="complete", **row) if row else None
    return Line(
        folder=Path("/b") / id_, id=id_, task=f"task {id_}", system=system, state=state, row=known, has_run=True
    )


LINES = [
    line("b", nodes=3, answer="640 metres", expected=True),
    line("a", "waiting"),
    line("c", "failed", nodes=9, error="no disk", expected=False),
]


@pytest.mark.parametrize(
    ("column", "descending", "ids"),
    [
        ("id", False, "abc"),
        ("id", True, "cba"),
        ("nodes", False, "bca"),
        ("nodes", True, "cba"),
        ("state", False, "acb"),
    ],
)
def test_what_has_no_value_stands_last_either_way(column: str, descending: bool, ids: str) -> None:
    assert "".join(each.id for each in sort_lines(LINES, column, descending=descending)) == ids


@pytest.mark.parametrize(
    ("words", "ids"),
    [("", "bac"), ("640", "b"), ("task disk", "c"), ("waiting", "a"), ("failed no", "c"), ("task none", "")],
)
def test_a_line_is_found_by_what_is_told_of_it(words: str, ids: str) -> None:
    assert "".join(each.id for each in LINES if fits(each, words.split(), "en")) == ids


def test_a_column_that_tells_nothing_is_left_out() -> None:
    assert not {"system", "cost", "tokens"} & set(columns_of(LINES))
    assert "expected" not in columns_of([line("a", nodes=1)])
    both = [*LINES, line("b", system="plain", cost=0.1, tokens={"planning": RoleTokens(output=1)})]
    assert set(columns_of(both)) == set(COLUMNS)


def inside(box: Box) -> Iterator[Box]:
    yield box
    for piece in box.inside:
        if isinstance(piece, Box):
            yield from inside(piece)


def test_bars_and_what_they_say() -> None:
    told = line(
        "<b>x</b>",
        nodes=1,
        conflicts={"resolved": 3, "open": 1},
        tokens={"planning": RoleTokens(input=600, cached=100, output=200)},
        answer="<script>alert(1)</script>",
    )
    table = table_box([told], tuple(COLUMNS), ("id", False), "zh", ticked=(), here="", largest=1600)
    bars = [each for each in inside(table) if each.look == "token-bar"]
    fates, tokens = ([(piece.look, piece.share) for piece in bar.inside if isinstance(piece, Box)] for bar in bars)
    assert fates == [("segment part-fate fate-conflict", 0.25), ("segment part-fate fate-done", 0.75)]
    assert bars[0].title == "待验证 1 · 已解决 3"
    assert tokens[-1] == ("segment part-none", 0.5), "half as long as the longest"
    assert "<script>" in str(table.data()), "text, which the page makes a text node of"
