"""Texts for the screen: marks of a difference, cut and plain lines, numbers as people read them."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memorybank.language.text import fold_space
from memorybank.views.text import display
from tests.tables import tables

TABLES = tables(__file__)


def differing(marks: list[display.Mark]) -> list[str]:
    return [mark.text for mark in marks if mark.differs]


def test_the_words_that_contradict_are_marked() -> None:
    left, right = display.mark_difference(
        "IBM presented Condor in December 2023 with 1,121 qubits.",
        "IBM presented Condor in November 2022 with 1,312 qubits.",
    )
    assert differing(left) == ["December 2023", "1,121"]
    assert differing(right) == ["November 2022", "1,312"]

    left, right = display.mark_difference("祖冲之三号于2025年在合肥发布。", "祖冲之三号于2024年在上海发布。")
    assert differing(left) == ["2025", "合肥"]
    assert differing(right) == ["2024", "上海"]

    left, right = display.mark_difference("The chip is cooled.", "The chip is not cooled.")
    assert (differing(left), [text.strip() for text in differing(right)]) == ([], ["not"])
    assert differing(display.mark_difference("Same words", "same WORDS")[0]) == []
    assert display.mark_difference("", "new") == ([], [display.Mark("new", True)])


@given(left=st.text(max_size=60), right=st.text(max_size=60))
def test_no_character_is_lost(left: str, right: str) -> None:
    for text, marks in zip((left, right), display.mark_difference(left, right), strict=True):
        assert "".join(mark.text for mark in marks) == text
        assert all(mark.text for mark in marks)
        assert all(one.differs != other.differs for one, other in pairwise(marks))
    assert differing(display.mark_difference(left, left)[0]) == []


def test_long_texts_are_marked_coarsely() -> None:
    left, right = display.mark_difference("head " + "a b c " * 20_000 + "tail", "head " + "c b a " * 20_000 + "tail")
    assert (left[0].text.split()[0], left[0].differs, left[-1].text.split()[-1]) == ("head", False, "tail")
    assert len(left) == len(right) == 3


@given(text=st.text(), width=st.integers(2, 60))
def test_a_clipped_line_is_one_line_and_fits(text: str, width: int) -> None:
    line = display.clip(text, width)
    assert sum(map(display.columns, line)) <= width
    assert not any(unicodedata.category(char) == "Cc" for char in line)
    assert len(line.splitlines()) <= 1
    if line.endswith(display.ELLIPSIS) and display.ELLIPSIS not in text:
        assert display.plain(text).strip() != ""


def test_clipping_prefers_the_end_of_a_word_and_keeps_accents() -> None:
    assert display.clip("error-corrected quantum computers", 24) == "error-corrected quantum…"
    assert display.clip("中文和 English 混排的一个很长的标题", 24) == "中文和 English 混排的一…"
    assert display.clip("e\u0301" * 40, 10) == "e\u0301" * 9 + display.ELLIPSIS
    assert display.clip("short", 24) == "short"
    assert display.clip("a\u200fb\u2066c\ud800", 24) == "abc"


@pytest.mark.parametrize("text", TABLES["a_label_of_a_widget_is_the_text_and_nothing_markdown_makes_of_it"])
def test_a_label_of_a_widget_is_the_text_and_nothing_markdown_makes_of_it(text: str) -> None:
    (block,) = (
        token for token in MarkdownIt("gfm-like", {"linkify": False}).parse(display.unmarked(text)) if token.children
    )
    assert {token.type for token in block.children or ()} <= {"text", "text_special"}
    shown = "".join(token.content for token in block.children or ())
    assert shown.replace("\u2060", "") == fold_space(display.plain(text))
    assert not re.search(r"(?<!\\):[\w/]|(?<!\\)[$@]", display.unmarked(text)), "nor what Streamlit and GFM add"
    assert not re.search(r":[\w+-]+:|:material/|://|[<>~-][-=>]|www\.|\w@", shown, re.IGNORECASE), "behind Markdown"


@pytest.mark.parametrize(("size", "text"), TABLES["bytes"])
def test_bytes(size: int, text: str) -> None:
    assert display.format_bytes(size, "en") == text


@pytest.mark.parametrize(("seconds", "english", "chinese"), TABLES["durations"])
def test_durations(seconds: float, english: str, chinese: str) -> None:
    assert display.format_duration(seconds, "en") == english
    assert display.format_duration(seconds, "zh") == chinese


def test_tokens_and_times() -> None:
    assert [display.format_tokens(count, "en") for count in (1, 8000)] == ["1 token", "8,000 tokens"]
    assert display.format_tokens(8000, "zh") == "8,000 个词元"
    now = 1_000_000.0
    ago = (0, 59, 60, 7200, 86_400, 3 * 86_400)
    assert [display.relative_time(now - seconds, now, "en") for seconds in ago] == [
        "just now",
        "just now",
        "1 minute ago",
        "2 hours ago",
        "yesterday",
        "3 days ago",
    ]
    assert display.relative_time(now + 500, now, "zh") == "刚刚"
