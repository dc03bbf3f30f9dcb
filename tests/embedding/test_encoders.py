"""The packaged model: a text gets the same bits whatever it is batched with, be it as short as a word."""

from __future__ import annotations

import numpy as np
import pytest

from memorybank.embedding.encoders import MiniLMEncoder, SentenceTransformerEncoder
from memorybank.embedding.models import MINILM, has_torch

pytestmark = pytest.mark.skipif(not has_torch(), reason="torch and sentence-transformers are not installed")

TEXTS = (
    " ",
    "one",
    "The harbour board of Marn built the tower in 1871.",
    "The harbour board of Tarn built the tower in 1904.",
    "青湖位于省城以北，水深九十米。",
    "emoji 🙂 and a\x00null, İstanbul, ﷺ",
    "word " * 240,
)


@pytest.fixture(scope="module", params=[MiniLMEncoder, SentenceTransformerEncoder])
def encoder(request: pytest.FixtureRequest) -> SentenceTransformerEncoder:
    made: SentenceTransformerEncoder = request.param(MINILM)
    return made


def test_a_text_has_the_same_bits_alone_and_among_others(encoder: SentenceTransformerEncoder) -> None:
    together = encoder.encode(TEXTS * 3, "document")
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0)
    for place, text in enumerate(TEXTS):
        assert np.array_equal(together[place], encoder.encode([text], "document")[0]), text
    for tokens in range(2, 20):
        text = "tower " * (tokens - 2)
        assert np.array_equal(encoder.encode([text] * 5, "query")[0], encoder.encode([text], "query")[0]), tokens


def test_texts_laid_end_to_end_get_what_they_get_from_the_library() -> None:
    texts = (*TEXTS, *(f"tower {number} " * number for number in range(1, 30)), "cut short " * 200)
    found = MiniLMEncoder(MINILM).encode(texts, "document")
    assert np.allclose(found, SentenceTransformerEncoder(MINILM).encode(texts, "document"), rtol=0, atol=1e-6)
