"""Which numbers at the heads of lines are a list of options, and which are prose."""

from __future__ import annotations

import pytest

from memorybank.narrative.reading.acceptance import _options


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("1. Lin stays.\n2. Lin goes.", {"1": "Lin stays.", "2": "Lin goes."}),
        ("Two ways.\n方案一：留下。\n方案二：离开。", {"1": "留下。", "2": "离开。"}),
        ("A) stay\nB) go\nC) wait", {"A": "stay", "B": "go", "C": "wait"}),
        ("He served in the\n3. Bataillon until spring.\n4. Kompanie came after.", {}),
        ("3. Lin stays.\n4. Lin goes.", {}),
        ("1. Lin stays.", {}),
        ("1. Lin stays.\n3. Foot marches.\n2. Lin goes.", {"1": "Lin stays.\n3. Foot marches.", "2": "Lin goes."}),
        ("I see 1. and 2. in the middle of a line.", {}),
    ],
)
def test_only_a_list_that_counts_from_its_beginning_is_a_list_of_options(text: str, options: dict[str, str]) -> None:
    assert _options(text) == options
