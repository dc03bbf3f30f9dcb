from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from memorybank.retrieval.hybrid import contenders, rounded


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
