from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from memorybank.embedding.base import CosineScale
from memorybank.errors import InputError
from memorybank.retrieval.hybrid import check_arguments, combine, contenders, normalise_keyword, rounded

SCALE = CosineScale(lo=0.2, hi=0.7)


def test_keyword_is_a_share_of_the_best() -> None:
    raw = np.array([4.0, 1.0, 0.0, -2.0])
    assert normalise_keyword(raw, 4.0).tolist() == [1, 0.25, 0, 0]
    assert normalise_keyword(raw[2:], 0.0).tolist() == [0, 0]
    assert normalise_keyword(np.array([-1.0, -3.0]), -1.0).tolist() == [0, 0]
    assert normalise_keyword(np.zeros(0), 0.0).tolist() == []


def test_cosine_is_stretched_by_the_models_constants() -> None:
    cosines = np.array([-0.5, 0.2, 0.45, 0.7, 1.0])
    np.testing.assert_allclose(SCALE.stretched(cosines), [0, 0, 0.5, 1, 1])
    assert SCALE.stretched(cosines.astype(np.float32)).dtype == np.float32


def test_alpha_weighs() -> None:
    raw, cosine = np.array([4.0, 1.0]), np.array([0.2, 0.7])
    assert combine(raw, 4.0, cosine, SCALE, 1.0).score.tolist() == [1, 0.25]
    np.testing.assert_allclose(combine(raw, 4.0, cosine, SCALE, 0.0).score, [0, 1])
    np.testing.assert_allclose(combine(raw, 4.0, cosine, SCALE, 0.5).score, [0.5, 0.625])


def test_rounding() -> None:
    assert rounded(np.array([0.1234564, 0.1234566, -1e-9])).tolist() == [0.123456, 0.123457, 0.0]
    assert not np.signbit(rounded(np.array([-1e-9]))).any()


@pytest.mark.parametrize(
    ("k", "alpha", "message"),
    [(-1, 0.5, "k is -1"), (5, 1.01, "alpha is 1.01"), (5, -0.1, "alpha is -0.1"), (5, float("nan"), "alpha is nan")],
)
def test_arguments_out_of_range(k: int, alpha: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_arguments(k, alpha)


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
