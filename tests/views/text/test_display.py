"""Text from outside, cut for the screen: never wider than asked, never markup, never half a letter."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memorybank.language.text import fold_space
from memorybank.views.text.display import ELLIPSIS, clip, columns, plain, unmarked


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


@pytest.mark.parametrize(
    "text",
    [
        "![i](http://evil.example/x.png)", "![i][1]\n\n[1]: http://evil.example", "[l](javascript:x)",
        "<http://evil.example>", "see http://evil.example", "www.evil.example", "me@evil.example",
        "**b** _i_ ~~s~~ `c` # h", "| a | b |\n|---|---|",
        ":red[x] :smile: :material/key: $a$", "<img src=http://evil.example>", "\\![i](http://evil.example)",
        "1. first", "![\u200f](HTTP://evil.example)", "\\[x](y)", "Ann & Bob: 3 < 4, 12:30 ![",
    ],
)  # fmt: skip
def test_a_label_of_a_widget_is_the_text_and_nothing_markdown_makes_of_it(text: str) -> None:
    (block,) = (token for token in MarkdownIt("gfm-like", {"linkify": False}).parse(unmarked(text)) if token.children)
    assert {token.type for token in block.children or ()} <= {"text", "text_special"}
    assert "".join(token.content for token in block.children or ()) == fold_space(plain(text))
    assert not re.search(r"(?<!\\):[\w/]|(?<!\\)[$@]|(?i:(?<=www)\.)", unmarked(text)), "nor what Streamlit and GFM add"
