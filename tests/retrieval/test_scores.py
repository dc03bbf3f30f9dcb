"""Scores of words, of vectors and of both; the oracle of words is `rank_bm25` over the live documents, by row."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import ArrayLike
from rank_bm25 import BM25Okapi, BM25Plus

from memorybank.errors import InputError
from memorybank.language.tokens import tokenize
from memorybank.retrieval import vector
from memorybank.retrieval.hybrid import contenders, rounded
from memorybank.retrieval.keyword import KeywordIndex
from memorybank.retrieval.vector import VectorIndex, decode


def check(index: KeywordIndex, live: dict[int, list[str]], query: list[str], *, positive: bool = False) -> None:
    scores = index.scores(query)
    rows = sorted(live)
    removed = np.setdiff1d(np.arange(index.rows), rows)
    assert scores.shape == (index.rows,)
    assert len(index) == len(live)
    assert not scores[removed].any()
    if any(live.values()):
        documents = [live[row] for row in rows]
        oracle = BM25Plus(documents, delta=0) if positive else BM25Okapi(documents)
        expected = oracle.get_scores(query)
        np.testing.assert_allclose(scores[rows], expected, rtol=0, atol=1e-9)
    else:  # rank_bm25 divides by zero here
        assert not scores.any()


@pytest.mark.parametrize("positive", [False, True])
def test_equals_rank_bm25_on_texts_of_two_languages(positive: bool) -> None:
    texts = [
        "IBM's Condor has 1,121 qubits. Condor was announced on 2023-12-04.",
        "IBM 的 Condor 处理器有 1121 个量子比特。",
        "谷歌的 Willow 处理器有 105 个量子比特，量子纠错取得突破。",
        "Google's Willow has 105 qubits; error correction improved with more qubits.",
        "",
        "Error correction needs many physical qubits a logical qubit.",
    ]
    index, live = KeywordIndex(positive_idf=positive), dict[int, list[str]]()
    for text in texts:
        live[index.append(tokenize(text))] = tokenize(text)
    for query in (
        "how many qubits has Condor",
        "量子比特有多少",
        "Willow 量子纠错 qubits qubits",
        "something else entirely",
    ):
        check(index, live, tokenize(query), positive=positive)
    index.remove(3)
    del live[3]
    check(index, live, tokenize("Willow qubits 105"), positive=positive)
    assert index.compact().tolist() == sorted(live)
    check(index, dict(enumerate(live.values())), tokenize("Willow qubits 105"), positive=positive)


def test_empty() -> None:
    index = KeywordIndex()
    assert index.scores(["a"]).shape == (0,)
    assert index.compact().tolist() == []
    row = index.append(["a"])
    index.remove(row)
    assert index.scores(["a"]).tolist() == [0]
    for wrong in (row, 7, -1):
        with pytest.raises(IndexError, match=f"no document in row {wrong}"):
            index.remove(wrong)


# -- vector ------------------------------------------------------------------------------------------------------------

RANDOM = np.random.default_rng(7)


def filled(rows: Iterable[ArrayLike]) -> VectorIndex:
    index = VectorIndex()
    for row in rows:
        index.append(row)
    return index


def test_cosines_of_stored_bytes() -> None:
    rows = RANDOM.standard_normal((600, 48)).astype(np.float32)
    rows[17] = 0
    index = filled([decode(row.astype("<f2").tobytes()) for row in rows])
    query = RANDOM.standard_normal(48)
    unit = index.unit(query)
    lengths = np.linalg.norm(rows, axis=1)
    lengths[17] = 1
    assert index.rows == 600
    cosines, exact = index.cosines(unit), index.exact_cosines(unit, np.arange(600))
    np.testing.assert_allclose(exact, rows @ query / lengths / np.linalg.norm(query), atol=2e-3)  # float16
    np.testing.assert_allclose(cosines, exact, rtol=0, atol=index.error_bound)
    assert exact[17] == cosines[17] == 0
    assert index.exact_cosines(index.unit(rows[3]), np.array([3]))[0] == pytest.approx(1, abs=1e-3)


def test_exact_cosines_do_not_depend_on_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = RANDOM.standard_normal((50, 33)).astype(np.float32)
    forward, backward = filled(rows), filled(rows[::-1])
    unit = forward.unit(RANDOM.standard_normal(33))
    exact = forward.exact_cosines(unit, np.arange(50))
    assert backward.exact_cosines(unit, np.arange(50))[::-1].tolist() == exact.tolist()
    assert [forward.exact_cosines(unit, np.array([row]))[0] for row in range(50)] == exact.tolist()
    monkeypatch.setattr(vector, "_BLOCK", 7)
    assert forward.exact_cosines(unit, np.arange(50)).tolist() == exact.tolist()


@pytest.mark.parametrize(("rows", "dim"), [(1, 3), (40, 16), (256, 384), (300, 384), (513, 1_000), (5, 10_000)])
def test_threaded_and_unthreaded_products_agree(rows: int, dim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    index = filled(RANDOM.standard_normal((rows, dim)))
    unit = index.unit(RANDOM.standard_normal(dim))
    exact = index.exact_cosines(unit, np.arange(rows))
    np.testing.assert_allclose(index.cosines(unit), exact, rtol=0, atol=index.error_bound)
    monkeypatch.setattr(vector, "_WORTH_THREADS", 0)
    monkeypatch.setattr(vector, "_WAITED", 0.0)  # so the first waits, and the next two are made on this thread
    monkeypatch.setattr(vector, "_PAUSE", 2)
    for _ in range(4):
        np.testing.assert_allclose(index.cosines(unit), exact, rtol=0, atol=index.error_bound)
    monkeypatch.setattr(vector, "_ALWAYS_THREADS", 0)
    np.testing.assert_allclose(index.cosines(unit), exact, rtol=0, atol=index.error_bound)


def test_no_vector_at_all() -> None:
    index = VectorIndex()
    assert index.cosines(index.unit(np.ones(3))).tolist() == []
    index.append(decode(b""))
    assert index.cosines(index.unit(np.ones(3))).tolist() == [0]
    index.append([3.0, 4.0])
    index.append(decode(b""))
    assert index.dim == 2
    np.testing.assert_allclose(index.cosines(index.unit([1, 0])), [0, 0.6, 0], atol=1e-6)
    for nothing in ([], [0, 0]):
        unit = index.unit(nothing)
        assert index.cosines(unit).tolist() == index.exact_cosines(unit, np.arange(3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        pytest.param([1.0, 2.0, 3.0], "shape \\(3,\\) does not fit this index of 2 dimensions", id="dimensions"),
        pytest.param([[1.0, 2.0]], "shape \\(1, 2\\)", id="a matrix"),
        pytest.param([np.nan, 1.0], "not finite", id="nan"),
        pytest.param([np.inf, 1.0], "not finite", id="infinity"),
    ],
)
def test_what_does_not_fit_is_refused(wrong: list[float], message: str) -> None:
    index = VectorIndex()
    index.append([1.0, 0.0])
    with pytest.raises(InputError, match=message):
        index.append(wrong)
    with pytest.raises(InputError, match=message):
        index.unit(wrong)
    assert index.rows == 1
    with pytest.raises(InputError, match="a vector of 3 bytes"):
        decode(b"abc")


# -- hybrid ------------------------------------------------------------------------------------------------------------


def test_rounding() -> None:
    assert rounded(np.array([0.1234564, 0.1234566, -1e-9])).tolist() == [0.123456, 0.123457, 0.0]
    assert not np.signbit(rounded(np.array([-1e-9]))).any()


@given(
    arrays(np.float64, st.integers(0, 30), elements=st.floats(0, 1)),
    st.integers(0, 35),
    st.floats(0, 0.05),
    st.randoms(use_true_random=False),
)
def test_contenders_hold_the_best_however_the_scores_err(scores: np.ndarray, count: int, slack: float, random) -> None:  # type: ignore[no-untyped-def, type-arg]
    blocked = np.array([random.random() < 0.3 for _ in scores], np.bool_)
    erring = scores + np.array([random.uniform(-slack, slack) for _ in scores])
    erring[blocked] = -np.inf
    found = contenders(erring, count, slack + 1e-12)
    open_rows = [row for row in range(len(scores)) if not blocked[row]]
    best = sorted(open_rows, key=lambda row: (-scores[row], row))[:count]
    assert set(best) <= set(found.tolist())
    assert not blocked[found].any()
    assert found.tolist() == sorted(set(found.tolist()))
    if not count:
        assert not found.size
