"""Texts are cut where they have borders, and their values are told from those of another text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.engines.offline.salience import new_values
from memorybank.engines.pieces import pieces
from tests.tables import tables

TABLES = tables(__file__)


def _bytes(text: str) -> int:
    return len(text.encode())


@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet="ab 。，.\n|#`4字", max_size=300), limit=st.integers(1, 80))
def test_pieces_fit_and_joined_are_the_text(text: str, limit: int) -> None:
    found = pieces(text, limit, _bytes)
    assert "".join(text[start:end] for start, end in found) == text
    assert all(_bytes(text[start:end]) <= limit or end - start == 1 for start, end in found)
    assert all(end > start for start, end in found) or not text


def test_cuts_fall_where_the_text_has_borders() -> None:
    text = "First paragraph here. It has two.\n\nSecond one.\n\nThird, with a very long tail that goes on and on."
    first, second = (text[start:end] for start, end in pieces(text, 52, len))
    assert (first, second) == (text[: text.index("Third")], text[text.index("Third") :])
    small = [text[start:end] for start, end in pieces(text, 24, len)]
    assert small[:3] == ["First paragraph here. ", "It has two.\n\n", "Second one.\n\n"]
    assert pieces(text, 1_000, len) == [(0, len(text))]


# -- Which numbers, dates and names of a text another one does not state -----------------------------------------------


@pytest.mark.parametrize(("text", "source", "new"), TABLES["new_values"])
def test_new_values(text: str, source: str, new: tuple[str, ...]) -> None:
    assert {value.strip("《》") for value in new_values(text, source)} == {value.strip("《》") for value in new}
