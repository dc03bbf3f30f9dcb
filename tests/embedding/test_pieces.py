from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding import hashed
from memorybank.embedding.pieces import clean, cut, pool


@given(st.text(alphabet="ab .,\n\t量子计算机1", max_size=400), st.integers(1, 20))
def test_pieces_fit_cover_the_text_and_end_at_word_borders(text: str, limit: int) -> None:
    pieces = cut(text, limit, hashed.count_tokens)
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(text.split())
    assert all(hashed.count_tokens(piece.text) <= limit for piece in pieces)
    assert all(piece.text.strip() and piece.tokens >= 1 for piece in pieces)


def test_a_word_longer_than_the_limit_is_cut_inside_and_nothing_is_lost() -> None:
    pieces = cut("short " + "x" * 1_000 + " end", 64, len)  # a tokenizer that sees one token a character
    assert "".join(piece.text for piece in pieces) == "short " + "x" * 1_000 + " end"
    assert max(len(piece.text) for piece in pieces) <= 64
    assert cut("any length", 0, len)[0].text == "any length"
    assert cut(" \n ", 64, len) == []


def test_the_mean_is_weighted_by_tokens() -> None:
    left, right = np.eye(2, dtype=np.float32)
    assert pool([left, right], [3, 1], 2) == pytest.approx(np.array([3, 1]) / np.sqrt(10))
    assert pool([left], [7], 2) is left
    assert not pool([], [], 2).any()


def test_clean_takes_out_what_no_tokenizer_accepts() -> None:
    assert clean("a\0b") == "a b"
    assert clean("a\ud800b").encode() == b"a?b"
    assert clean("量子 ok") == "量子 ok"
