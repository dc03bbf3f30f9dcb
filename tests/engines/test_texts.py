"""Texts are cut where they have borders, and their values are told from those of another text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.engines.offline.salience import new_values
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
    first, second = (text[start:end] for start, end in pieces(text, 52, len))
    assert (first, second) == (text[: text.index("Third")], text[text.index("Third") :])
    small = [text[start:end] for start, end in pieces(text, 24, len)]
    assert small[:3] == ["First paragraph here. ", "It has two.\n\n", "Second one.\n\n"]
    assert pieces(text, 1_000, len) == [(0, len(text))]


# -- Which numbers, dates and names of a text another one does not state -----------------------------------------------

EN = "Eilidh Moar of Skerra Tidal Ltd says that on 2 June 2023 the array of 18 MW reached the grid."
ZH = "鹿纹铜镜1986年出土，同年入藏，从未离开过云溪市博物馆，直径21.3厘米。"


@pytest.mark.parametrize(
    ("text", "source", "new"),
    [
        ("Moar says so.", EN, ()),
        ("The array has 24 MW since 2 June 2023.", EN, ("24 MW",)),
        ("On 14 March 2023 the Skerra array was connected at Norwick.", EN, ("14 March 2023", "norwick")),
        ("1986年同年入藏云溪市博物馆的鹿纹铜镜，直径21.3厘米", ZH, ()),
        ("《云溪晚报》说直径23.1厘米", ZH, ("23.1厘米", "《云溪晚报》")),
        ("It stood still.", EN, ()),
    ],
)
def test_new_values(text: str, source: str, new: tuple[str, ...]) -> None:
    assert {value.strip("《》") for value in new_values(text, source)} == {value.strip("《》") for value in new}
