from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.engines.pieces import pieces


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
    assert [text[start:end] for start, end in pieces(text, 52, len)] == [
        "First paragraph here. It has two.\n\nSecond one.\n\n",
        "Third, with a very long tail that goes on and on.",
    ]
    assert [text[start:end] for start, end in pieces(text, 24, len)][:3] == [
        "First paragraph here. ",
        "It has two.\n\n",
        "Second one.\n\n",
    ]
    assert pieces(text, 1_000, len) == [(0, len(text))]
