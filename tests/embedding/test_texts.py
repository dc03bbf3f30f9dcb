"""Texts on their way to a model: cut into pieces, counted, put into batches; and those that need no model, hashed."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding import hashed
from memorybank.embedding.batches import BATCH, BatchQueue, Item, Memo, Row, key_of
from memorybank.embedding.encoders import Kind
from memorybank.embedding.models import E5_SMALL, HASHED, MINILM, ModelSpec
from memorybank.embedding.pieces import clean, counter, cut, pool
from tests.tables import tables

TABLES = tables(__file__)


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


# -- counting ----------------------------------------------------------------------------------------------------------

PARAGRAPH = "The tokenizer splits uncommonly long words only. 分词器会把生僻词拆开，常用词保持完整。\n"


@pytest.mark.parametrize("spec", [MINILM, E5_SMALL, HASHED], ids=lambda spec: spec.name)
def test_counts_add_up_over_white_space_and_have_no_limit(spec: ModelSpec) -> None:
    count = counter(spec)
    one = count(PARAGRAPH)
    assert 20 <= one <= 60
    assert count("") == count("  \n ") == 0
    assert count(PARAGRAPH * 1_500) == 1_500 * one  # over several chunks
    assert count("word") == 1
    assert count("\ufdfa" * 5_000) >= (5_000 if spec is E5_SMALL else 1)  # of eighteen code points: no buffer overflows


# -- batches -----------------------------------------------------------------------------------------------------------


def _items(name: str, number: int, kind: Kind = "document") -> list[Item]:
    return [
        Item(key=key_of(f"{name}{at}", kind), text=f"{name}{at}", kind=kind, tokens=(at * 7) % 50)
        for at in range(number)
    ]


def test_a_short_request_waits_for_one_batch_of_a_long_one() -> None:
    queue = BatchQueue()
    queue.put(_items("long", 1_000))
    queue.put(_items("short", 2))
    first, second = queue.take(), queue.take()
    assert len(first) == BATCH
    assert {item.text for item in first} <= {f"long{at}" for at in range(1_000)}
    assert [item.text for item in second[:2]] == ["short0", "short1"]
    assert len(second) == BATCH  # filled up from the long one
    lengths = [item.tokens for item in first]
    assert lengths == sorted(lengths)


def test_a_batch_of_long_texts_holds_fewer() -> None:
    queue = BatchQueue()
    queue.put(Item(key=key_of(str(at), "document"), text=str(at), kind="document", tokens=254) for at in range(20))
    queue.put(_items("short", 2))
    assert len(queue.take()) == 9  # the one that reaches 2,048 tokens is in it
    assert [item.text for item in queue.take()[:2]] == ["short0", "short1"]


@given(st.lists(st.tuples(st.integers(0, 90), st.sampled_from(["document", "query"])), max_size=8))
def test_everything_is_taken_once_in_batches_of_one_kind(requests: list[tuple[int, Kind]]) -> None:
    queue = BatchQueue()
    put: list[Item] = []
    for at, (number, kind) in enumerate(requests):
        items = _items(f"request {at} ", number, kind)
        queue.put(items)
        put += items
    taken: list[Item] = []
    while queue:
        batch = queue.take()
        assert 0 < len(batch) <= BATCH
        assert len({item.kind for item in batch}) == 1
        taken += batch
    assert len(taken) == len(put)
    assert {id(item) for item in taken} == {id(item) for item in put}


def test_the_memo_forgets_the_least_recently_used_and_tells_kinds_apart() -> None:
    memo = Memo[Row](size=2)
    keys = [key_of(text, "document") for text in ("a", "b", "c")]
    for key in keys[:2]:
        memo.put(key, np.ones(3, dtype=np.float32))
    assert memo.get(keys[0]) is not None
    memo.put(keys[2], np.ones(3, dtype=np.float32))
    assert [memo.get(key) is not None for key in keys] == [True, False, True]
    assert key_of("a", "query") not in (keys[0], key_of("b", "query"))


# -- hashed ------------------------------------------------------------------------------------------------------------

TEXTS = TABLES["texts"]


def test_wording_brings_texts_together_in_both_languages() -> None:
    rows = hashed.embed(TEXTS)
    cosines = rows @ rows.T
    assert rows.dtype == np.float32
    assert rows.shape == (7, hashed.DIM)
    assert np.allclose(np.diag(cosines)[:6], 1.0, atol=1e-6)
    assert not rows[6].any()
    assert cosines[0, 1] > 0.5 > 0.2 > cosines[0, 2]
    assert cosines[3, 4] > 0.4 > 0.2 > cosines[3, 5]
    assert hashed.HashedNgrams().count_tokens(TEXTS[0]) == 7
    assert hashed.HashedNgrams().count_tokens(TEXTS[3]) == 11


def test_the_same_in_every_process_whatever_the_hash_seed() -> None:
    code = (
        "import sys; from memorybank.embedding.hashed import embed; sys.stdout.buffer.write(embed(sys.argv[1:]).data)"
    )
    for seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        made = subprocess.run([sys.executable, "-c", code, *TEXTS], env=environment, check=True, capture_output=True)
        assert made.stdout == hashed.embed(TEXTS).tobytes()


@given(st.lists(st.text(max_size=60), max_size=5))
def test_rows_are_unit_or_zero_and_do_not_depend_on_their_neighbours(texts: list[str]) -> None:
    rows = hashed.embed(texts)
    norms = np.linalg.norm(rows.astype(np.float64), axis=1)
    assert all(norm == 0 or abs(norm - 1) < 1e-6 for norm in norms)
    assert all(np.array_equal(row, hashed.embed([text])[0]) for row, text in zip(rows, texts, strict=True))
