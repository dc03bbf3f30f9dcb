"""What a box says and holds, wherever it stands in another."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.views.box import Box, Piece


def words_of(piece: Piece | None, between: str = "") -> str:
    if piece is None or isinstance(piece, str):
        return piece or ""
    return between.join(filter(None, (words_of(inside, between) for inside in piece.inside)))


def boxes_of(piece: Piece | None) -> Iterator[Box]:
    if isinstance(piece, Box):
        yield piece
        for inside in piece.inside:
            yield from boxes_of(inside)


def chosen_in(piece: Piece | None) -> set[str]:
    """The targets that a click in it leads to."""
    return {box.choose for box in boxes_of(piece)}
