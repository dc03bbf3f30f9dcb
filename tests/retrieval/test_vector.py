from __future__ import annotations

import numpy as np
import pytest

from memorybank.errors import InputError
from memorybank.retrieval import vector
from memorybank.retrieval.vector import VectorIndex, decode

RANDOM = np.random.default_rng(7)


def test_cosines_of_stored_bytes() -> None:
    rows = RANDOM.standard_normal((600, 48)).astype(np.float32)
    rows[17] = 0
    index = VectorIndex()
    for row in rows:
        index.append(decode(row.astype("<f2").tobytes()))
    query = RANDOM.standard_normal(48)
    lengths = np.linalg.norm(rows, axis=1)
    lengths[17] = 1
    expected = rows @ query / lengths / np.linalg.norm(query)
    assert index.rows == 600
    np.testing.assert_allclose(index.cosines(query), expected, atol=2e-3)  # float16
    exact = index.exact_cosines(query, np.arange(600))
    np.testing.assert_allclose(index.cosines(query), exact, rtol=0, atol=index.error_bound)
    assert exact[17] == index.cosines(query)[17] == 0
    assert index.exact_cosines(rows[3], np.array([3]))[0] == pytest.approx(1, abs=1e-3)


def test_exact_cosines_do_not_depend_on_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = RANDOM.standard_normal((50, 33)).astype(np.float32)
    query = RANDOM.standard_normal(33)
    forward, backward = VectorIndex(), VectorIndex()
    for row in rows:
        forward.append(row)
    for row in rows[::-1]:
        backward.append(row)
    exact = forward.exact_cosines(query, np.arange(50))
    assert backward.exact_cosines(query, np.arange(50))[::-1].tolist() == exact.tolist()
    assert [forward.exact_cosines(query, np.array([row]))[0] for row in range(50)] == exact.tolist()
    monkeypatch.setattr(vector, "_BLOCK", 7)
    assert forward.exact_cosines(query, np.arange(50)).tolist() == exact.tolist()


def test_keep() -> None:
    index = VectorIndex()
    for row in np.eye(300, dtype=np.float32):
        index.append(row)
    index.keep(np.array([4, 9, 299]))
    assert index.rows == 3
    assert index.append(np.ones(300)) == 3
    np.testing.assert_allclose(index.cosines(np.eye(300)[9]), [0, 1, 0, 300**-0.5], atol=1e-6)


@pytest.mark.parametrize(("rows", "dim"), [(1, 3), (40, 16), (256, 384), (300, 384), (513, 1_000), (5, 10_000)])
def test_threaded_and_unthreaded_products_agree(rows: int, dim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    index = VectorIndex()
    for row in RANDOM.standard_normal((rows, dim)):
        index.append(row)
    query = RANDOM.standard_normal(dim)
    exact = index.exact_cosines(query, np.arange(rows))
    np.testing.assert_allclose(index.cosines(query), exact, rtol=0, atol=index.error_bound)
    monkeypatch.setattr(vector, "_THREADED_FROM", 0)
    np.testing.assert_allclose(index.cosines(query), exact, rtol=0, atol=index.error_bound)


def test_no_vector_at_all() -> None:
    index = VectorIndex()
    assert index.cosines(np.ones(3)).tolist() == []
    index.append(decode(b""))
    assert index.cosines(np.ones(3)).tolist() == [0]
    index.append([3.0, 4.0])
    index.append(decode(b""))
    assert index.dim == 2
    np.testing.assert_allclose(index.cosines([1, 0]), [0, 0.6, 0], atol=1e-6)
    assert index.cosines([]).tolist() == index.cosines([0, 0]).tolist() == [0, 0, 0]
    assert index.exact_cosines([], np.arange(3)).tolist() == [0, 0, 0]


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
        index.cosines(wrong)
    assert index.rows == 1
    with pytest.raises(InputError, match="a vector of 3 bytes"):
        decode(b"abc")
