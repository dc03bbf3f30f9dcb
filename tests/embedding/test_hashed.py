from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding import hashed

TEXTS = [
    "The reactor reached full power in 1998.",
    "In 1998 the reactor was running at full power.",
    "Penguins breed on the southern coast.",
    "反应堆于1998年达到满功率。",
    "1998年，这座反应堆首次满功率运行。",
    "企鹅在南部海岸繁殖。",
    " …。 ",
]


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
        "import sys; from memorybank.embedding.hashed import embed as e; sys.stdout.buffer.write(e(sys.argv[1:]).data)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, *TEXTS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert outputs == {hashed.embed(TEXTS).tobytes()}


@given(st.lists(st.text(max_size=60), max_size=5))
def test_rows_are_unit_or_zero_and_do_not_depend_on_their_neighbours(texts: list[str]) -> None:
    rows = hashed.embed(texts)
    norms = np.linalg.norm(rows.astype(np.float64), axis=1)
    assert all(norm == 0 or abs(norm - 1) < 1e-6 for norm in norms)
    assert all(np.array_equal(row, hashed.embed([text])[0]) for row, text in zip(rows, texts, strict=True))
