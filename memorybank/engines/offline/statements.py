"""A text as statements that can be kept, dropped or compared whole: sentences, turns, tables, code, headings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from memorybank.engines.offline.salience import Mention, mentions
from memorybank.engines.offline.units import looks_like_dialogue
from memorybank.language.negation import NEGATION_RE
from memorybank.language.text import Piece, blocks, sentences
from memorybank.language.tokens import query_tokens

_NEGATION_RE = re.compile(rf"{NEGATION_RE.pattern}|\bfail(?:s|ed)? to\b", re.IGNORECASE)
_SAME_WORDS = 0.8
"""A statement repeats another when this share of its content words is in it (and all its values are, see `repeats`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    text: str
    """Word for word, without the space around it."""
    gap: str
    """What parts it from the statement before it: nothing, a space, or a line break."""
    whole: bool
    """A table, code or a heading: never left out of a summary."""
    words: frozenset[str]
    """Content words (Chinese: pairs of characters)."""
    mentions: tuple[Mention, ...]
    """Numbers, dates and names, in order."""

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(mention.key for mention in self.mentions)

    @property
    def denies(self) -> bool:
        return len(_NEGATION_RE.findall(self.text)) % 2 == 1


def statements(text: str) -> list[Statement]:
    """Everything written in the text, in order. Linear in its length."""
    facts = mentions(text)
    collected: list[Statement] = []
    at = end = 0
    for piece, whole in _pieces(text):
        first = at
        while at < len(facts) and facts[at].start < piece.end:
            at += 1
        start = piece.end - len(text[piece.start : piece.end].lstrip())
        collected.append(
            Statement(
                text=text[start : piece.end].rstrip(),
                gap=_gap(text[end:start]) if collected else "",
                whole=whole,
                words=frozenset(query_tokens(text[start : piece.end], limit=piece.end - start + 1)),
                mentions=tuple(facts[first:at]),
            )
        )
        end = start + len(collected[-1].text)
    return collected


def _gap(between: str) -> str:
    return "\n" if "\n" in between else between[:1]


def _pieces(text: str) -> Iterable[tuple[Piece, bool]]:
    if looks_like_dialogue(text):
        parts = [(Piece(match.start(), match.end()), False) for match in re.finditer(r"[^\n]+", text)]
    else:
        parts = []
        for block in blocks(text):
            if block.kind in ("table", "code", "heading"):
                parts.append((Piece(block.start, block.end), True))
            else:
                body = text[block.start : block.end]
                parts.extend((Piece(block.start + start, block.start + end), False) for start, end in sentences(body))
    return ((piece, whole) for piece, whole in parts if text[piece.start : piece.end].strip())


def repeats(statement: Statement, other: Statement) -> bool:
    """Whether a statement says nothing that `other` does not: the same words, every value, in the same order."""
    return (
        statement.keys <= other.keys
        and statement.denies == other.denies
        and _in_order(statement, other)
        and len(statement.words & other.words) >= _SAME_WORDS * len(statement.words)
    )


def _in_order(statement: Statement, other: Statement) -> bool:
    """ "A beat B 3:2" does not repeat "B beat A 2:3"."""
    shared = [mention.key for mention in other.mentions if mention.key in statement.keys]
    return list(dict.fromkeys(mention.key for mention in statement.mentions)) == list(dict.fromkeys(shared))


def joined(kept: list[Statement]) -> str:
    """The statements as one text, each on the line it stood on; what follows a heading or table stands on its own."""
    gaps = ["", *("\n" if before.whole else statement.gap for before, statement in pairwise(kept))]
    return "".join(gap + statement.text for gap, statement in zip(gaps, kept, strict=False))
