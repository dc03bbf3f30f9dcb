"""What a provider's prefix cache serves of a request: the beginning that it shares with an earlier one."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable

BLOCK = 64
"""Tokens that are cached together, as DeepSeek does; vLLM takes 16, OpenAI 128 from 1,024 on."""
CACHED_PRICE = 0.1
"""Of a cached token, beside one that is not: a tenth is what most providers ask for."""


class PrefixCache:
    """Holds all requests that came, for as long as it lives; a real one forgets after minutes or hours."""

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        self._count = count_tokens
        self._seen: list[str] = []

    def take(self, texts: Iterable[str]) -> int:
        """Returns how many tokens of a request's texts, in order, are served; the request is held from now on."""
        text = "\0".join(texts)
        place = bisect_left(self._seen, text)
        neighbours = self._seen[max(0, place - 1) : place + 1]  # in sorted order the longest shared beginning is there
        shared = max((_shared_length(text, other) for other in neighbours), default=0)
        insort(self._seen, text)
        return self._count(text[:shared]) // BLOCK * BLOCK


def _shared_length(text: str, other: str) -> int:
    """Characters of the beginning that two texts share."""
    lengths = range(1, min(len(text), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: text[:length] != other[:length])
