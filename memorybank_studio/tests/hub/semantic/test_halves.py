from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank_studio.hub.archive import documents, halves

SENTENCE = "他沿着山路慢慢地走了下去，一路上没有遇见一个人。"


@given(st.lists(st.sampled_from([SENTENCE, "It rained on the hill. ", "山" * 150, "\n"])).map("".join) | st.text())
def test_the_halves_joined_are_the_text(text: str) -> None:
    parts = halves(text)
    assert "".join(parts) == text
    assert len(parts) <= 2
    assert all(parts) or parts == [""]


def test_a_long_text_is_cut_near_its_middle_between_sentences() -> None:
    first, second = halves(SENTENCE * 16)
    assert abs(len(first) - len(second)) <= len(SENTENCE)
    assert first.endswith("。")
    assert halves(SENTENCE) == [SENTENCE]
    assert len(halves("山" * 500)) == 1


def test_rows_are_unit_and_in_order() -> None:
    embedder = HashedNgrams()
    texts = [SENTENCE * 16 + "雨", "", "雪", "山高。" * 100 + "水长。" * 100, "雨"]
    rows = documents(embedder, texts)
    assert rows.shape == (5, embedder.dim)
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 0, 1, 1, 1], atol=1e-5)
    assert np.allclose(rows[2:5:2], embedder.documents(["雪", "雨"]))
    parts = embedder.documents(["山高。" * 100, "水长。" * 100])
    assert np.allclose(rows[3], parts.mean(axis=0) / np.linalg.norm(parts.mean(axis=0)), atol=1e-5)
    assert documents(embedder, []).shape == (0, embedder.dim)
