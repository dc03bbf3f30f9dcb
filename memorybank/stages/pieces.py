"""Cutting a text that is longer than an agent's window (final specification, section 6.5), with nothing lost."""

from __future__ import annotations

from collections.abc import Callable

from memorybank.text import Piece, blocks, sentences


def pieces(text: str, limit: int, count_tokens: Callable[[str], int]) -> list[Piece]:
    """Consecutive ranges of at most `limit` tokens that joined equal the text.

    Cuts fall between blocks (paragraphs, sections), within an over-long block between sentences, within an over-long
    sentence at the limit. A text has no more tokens than UTF-8 bytes, so most texts are not counted at all.
    """
    if len(text.encode("utf-8", "replace")) <= limit or count_tokens(text) <= limit:
        return [Piece(0, len(text))]
    found: list[Piece] = []
    start, end, used = 0, 0, 0
    for piece in _units(text, limit, count_tokens):
        size = count_tokens(text[piece.start : piece.end])
        if used and used + size > limit:
            found.append(Piece(start, end))
            start, used = piece.start, 0
        end, used = piece.end, used + size
    found.append(Piece(start, end))
    return found


def _units(text: str, limit: int, count_tokens: Callable[[str], int]) -> list[Piece]:
    """Blocks, those over the limit cut further."""
    units: list[Piece] = []
    for block in blocks(text):
        body = text[block.start : block.end]
        if len(body) <= limit // 2 or count_tokens(body) <= limit:
            units.append(Piece(block.start, block.end))
            continue
        for start, end in sentences(body):
            units.extend(
                Piece(block.start + at, block.start + min(end, at + max(1, limit // 2)))
                for at in range(start, end, max(1, limit // 2))
            )
    return units
