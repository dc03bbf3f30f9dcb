"""`hashed-ngrams`: an embedding without a model, for machines where none can be loaded, and for tests.

Signed feature hashing (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning") of words, word
pairs and character n-grams into 384 dimensions. It compares wording, not meaning: inflections, typos and shared terms
bring two texts together, synonyms do not. On CMRC2018 it puts the right paragraph first for .67 of the questions,
where all-MiniLM-L6-v2, which cannot read Chinese, manages .19. Deterministic on every platform:
crc32, never `hash()`.
"""

from __future__ import annotations

import re
import threading
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.parsers import Parsers
from memorybank.language.parse import Parsed
from memorybank.language.text import HAN, HAN_RE, one_form, remembered

NAME = "hashed-ngrams"
DIM = 384
SCALE = CosineScale(lo=0.06, hi=0.79)
"""Measured as those of the other models; the table is in models.py."""

_TOKEN_RE = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:[.,:/-][0-9]+)*")

_SHORT_WORD = 3
_SHORT_WEIGHT = 0.3
"""Short words are mostly function words; their length stands in for the document frequency we do not have."""
_GRAM_WEIGHT = 0.6
"""The weight of all character n-grams of a word together, beside 1 for the word itself."""
_PAIR_WEIGHT = 0.3
_HAN_WEIGHT = 0.8
"""The weight of a single Han character, beside 1 for a bigram."""


class HashedNgrams:
    """An `Embedder` that needs nothing but numpy and serves at once, in the calling thread."""

    name = NAME
    dim = DIM
    scale = SCALE

    def documents(self, texts: Sequence[str]) -> Matrix:
        return embed(texts)

    def queries(self, texts: Sequence[str]) -> Matrix:
        return embed(texts)

    def count_tokens(self, text: str) -> int:
        return count_tokens(text)

    def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        """Parse in the calling thread; each sentence is remembered, the parsers are loaded by the first."""
        with _parsing:
            known = {text: _parsed[text] for text in sentences if text in _parsed}
            new = [text for text in dict.fromkeys(sentences) if text not in known]
            known.update(zip(new, _parsers.parse(new), strict=True))
            if len(_parsed) > _REMEMBERED:
                _parsed.clear()
            _parsed.update((text, known[text]) for text in new)
            return tuple(known[text] for text in sentences)


_parsing, _parsers, _parsed = threading.Lock(), Parsers(), dict[str, Parsed]()
_REMEMBERED = 8_192
"""The most sentences whose words are remembered."""


def embed(texts: Sequence[str]) -> Matrix:
    """Return unit rows of shape (len(texts), 384), float32; zero rows for texts without a letter or digit."""
    rows = np.empty((len(texts), DIM), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        row[:] = _embedded(text)
    return rows


@remembered
def _embedded(text: str) -> NDArray[np.float32]:
    """Return the row of a text. A session asks for those of its nodes at each comparison."""
    row = np.zeros(DIM, dtype=np.float32)
    counts = Counter(_features(text))
    if counts:
        hashed = [_hashed(kind, feature) for kind, feature in counts]
        tf = np.sqrt(np.fromiter(counts.values(), dtype=np.float64, count=len(counts)))
        sizes = [len(slots) for slots, _ in hashed]
        weights = np.concatenate([values for _, values in hashed]) * np.repeat(tf, sizes)
        total = np.bincount(np.concatenate([slots for slots, _ in hashed]), weights=weights, minlength=DIM)
        norm = float(np.linalg.norm(total))
        if norm > 0:
            row[:] = total / norm
    row.flags.writeable = False
    return row


def count_tokens(text: str) -> int:
    """Count Latin words and Han characters: what the features are made of."""
    return sum(len(token) if HAN_RE.match(token) else 1 for token in _tokens(text))


def _tokens(text: str) -> list[str]:
    return _TOKEN_RE.findall(unicodedata.normalize("NFKC", one_form(text)).lower())


def _features(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each feature, in reading order."""
    previous = ""
    for token in _tokens(text):
        if HAN_RE.match(token):
            yield from (("han", char) for char in token)
            yield from (("two", token[at : at + 2]) for at in range(len(token) - 1))
            previous = ""
            continue
        yield "word", token
        if previous:
            yield "pair", f"{previous} {token}"
        previous = token


@lru_cache(maxsize=1 << 16)
def _hashed(kind: str, feature: str) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return where a feature goes and with which signed weight; a word brings its character n-grams along."""
    parts: list[tuple[str, float]]
    if kind == "word":
        base = _SHORT_WEIGHT if len(feature) <= _SHORT_WORD and not feature.isdigit() else 1.0
        grams = _character_grams(feature)
        # Equal shares whose squares add up, so that a long word does not outweigh a short one.
        share = _GRAM_WEIGHT * base / np.sqrt(max(1, len(grams)))
        parts = [(feature, base), *((f"#{gram}", share) for gram in grams)]
    else:
        parts = [(feature, {"pair": _PAIR_WEIGHT, "han": _HAN_WEIGHT, "two": 1.0}[kind])]
    slots, weights = [], []
    for part, weight in parts:
        mixed = (zlib.crc32(part.encode("utf-8", "replace")) * 0x9E3779B1) & 0xFFFFFFFF  # spread crc32's linear bits
        slots.append((mixed >> 8) % DIM)
        weights.append(weight if mixed >> 31 else -weight)
    return np.array(slots, dtype=np.intp), np.array(weights, dtype=np.float64)


def _character_grams(word: str) -> list[str]:
    framed = f"<{word}>"
    return [framed[at : at + size] for size in (3, 4, 5) for at in range(len(framed) - size + 1)]
