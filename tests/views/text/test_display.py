"""Text from outside, cut for the screen: never wider than asked, never markup, never half a letter."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memorybank.views.text.display import ELLIPSIS, clip, columns, plain


@given(text=st.text(), width=st.integers(2, 60))
def test_a_clipped_line_is_one_line_and_fits(text: str, width: int) -> None:
    line = clip(text, width)
    assert sum(map(columns, line)) <= width
    assert not any(unicodedata.category(char) == "Cc" for char in line)
    assert len(line.splitlines()) <= 1
    if line.endswith(ELLIPSIS) and ELLIPSIS not in text:
        assert plain(text).strip() != ""


def test_clipping_prefers_the_end_of_a_word_and_keeps_accents() -> None:
    assert clip("error-corrected quantum computers", 24) == "error-corrected quantum…"
    assert clip("中文和 English 混排的一个很长的标题", 24) == "中文和 English 混排的一…"
    assert clip("e\u0301" * 40, 10) == "e\u0301" * 9 + ELLIPSIS
    assert clip("short", 24) == "short"
    assert clip("a\u200fb\u2066c\ud800", 24) == "abc"
