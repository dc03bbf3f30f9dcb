"""The table of a batch: searched, only columns that tell something, what became of conflicts in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.results import RoleTokens, TaskRow
from memorybank.batch.store import Line
from memorybank.ui.batch import COLUMNS, columns_of, fits, table_box


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


def test_a_line_says_what_became_of_its_conflicts_and_texts_are_texts() -> None:
    told = line("<b>x</b>", nodes=1, conflicts={"resolved": 3, "open": 1}, error_zh="<script>")
    drawn = str(table_box([told], COLUMNS, "zh", ticked=(), here="").data())
    assert "待核查 1 · 已解决 3" in drawn
    assert "<script>" in drawn, "text, which the page makes a text node of"
