"""Who is where, who has what, who knows what after some pieces: the fold of their lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memorybank_studio.chapters.manuscript import Piece, StateKind, StateLine, stands_in
from memorybank_studio.types import normal


def running_state(pieces: Iterable[Piece]) -> tuple[StateLine, ...]:
    """The lines that hold after the pieces, oldest first. A line whose quote is not in its piece holds never."""
    held: dict[str, StateLine] = {}
    for piece in pieces:
        for id_ in piece.ended:
            held.pop(id_, None)
        for line in founded(piece):
            held = {id_: earlier for id_, earlier in held.items() if _topic(earlier) != _topic(line)}
            held[line.id] = line
    return tuple(held.values())


def founded(piece: Piece) -> tuple[StateLine, ...]:
    """Of the piece's lines those whose quote stands in it."""
    return tuple(line for line in piece.state if stands_in(line.quote, piece.text))


def unfounded(pieces: Sequence[Piece]) -> tuple[StateLine, ...]:
    """Lines that a model gave, and whose quote is not in the text, be it that the text was changed since."""
    return tuple(line for piece in pieces for line in piece.state if not stands_in(line.quote, piece.text))


def _topic(line: StateLine) -> tuple[str, ...]:
    """What can be said in one way only: somebody is in one place, a thing is with one, a thing is known once."""
    match line.kind:
        case StateKind.PLACE:
            return line.kind, normal(line.who)
        case StateKind.POSSESSION:
            return line.kind, normal(line.what)
        case StateKind.KNOWLEDGE:
            return line.kind, normal(line.who), normal(line.what)
