"""How long a chapter may be, in how many pieces a chapter is written, and what room an answer needs."""

from __future__ import annotations

from typing import Final

from memorybank.memory.types import Lang

LEAST_LENGTH: Final = 100
MOST_LENGTH: Final = 60_000
"""Words (of Chinese: characters) of a chapter."""
PIECE_SIZE: Final[dict[Lang, int]] = {"en": 500, "zh": 800}
"""Words, characters: what a model writes well in one answer."""
_TOKENS: Final = 2.0
"""Of the answer, for a word or a character: half as long again as asked is let pass."""
_BESIDE_THE_TEXT: Final = 1_200
"""Tokens of an answer for the summary and the state."""


def pieces_for(length: int, steps: int, lang: Lang) -> int:
    """A step has one piece at least."""
    return max(1, steps, round(length / PIECE_SIZE[lang]))


def tokens_for(length: int) -> int:
    """Of an answer that holds a text of this length."""
    return int(length * _TOKENS) + _BESIDE_THE_TEXT
