"""Which numbers at the heads of lines are a list of options, and which are prose."""

from __future__ import annotations

import pytest

from memorybank_studio.reading.markers import _options, author_texts
from memorybank_studio.types import Turn


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


@pytest.mark.parametrize("words", ["I take it.", "I'll take that. Lin goes on."])
def test_what_is_taken_of_one_offer_is_the_offer_and_not_the_sentence_before_it(words: str) -> None:
    offer = "Made of proposals 1, 3. Take it, or ask again.\n\n1. (0.93) Lin stays by the mill."
    turns = [
        Turn(number=1, role="assistant", text=offer, at=0.0),
        Turn(number=2, role="author", text=words, at=0.0),
    ]
    assert [passage.text for passage in author_texts(turns) if passage.chosen] == ["(0.93) Lin stays by the mill."]
