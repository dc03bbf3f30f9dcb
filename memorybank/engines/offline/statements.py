"""A text as statements that can be kept, dropped or compared whole: sentences, turns, tables, code, headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from memorybank.engines.offline.salience import Mention, mentions
from memorybank.engines.offline.units import looks_like_dialogue, unmarked
from memorybank.language.text import BlockKind, Piece, blocks, sentences
from memorybank.language.tokens import query_tokens


@dataclass(frozen=True, kw_only=True)
class Statement:
    text: str
    """Word for word, without the space around it."""
    gap: str
    """The separator from the statement before it: nothing, a space, or a line break."""
    kind: BlockKind

    @property
    def whole(self) -> bool:
        """Whether it is a table, code or a heading: never left out of a summary."""
        return self.kind in ("table", "code", "heading")

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the content words (Chinese: pairs of characters)."""
        return frozenset(query_tokens(self.text, limit=len(self.text) + 1))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Return the numbers, dates and names, in order."""
        return mentions(self.text)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(mention.key for mention in self.mentions)

    @property
    def plain(self) -> str:
        """Return the statement without marks of Markdown; tables and code as they are."""
        if self.kind in ("table", "code"):
            return self.text
        return _RULE_RE.sub("", unmarked(self.text)).strip() if self.kind == "heading" else unmarked(self.text)


_RULE_RE = re.compile(r"\n\s*(?:=+|-+)\s*$|(?<=\S)\s+#+\s*$")
"""The line under a heading, and the marks behind it."""


def statements(text: str) -> list[Statement]:
    """Return everything written in the text, in order. Linear in its length."""
    collected: list[Statement] = []
    end = 0
    for piece, kind in _pieces(text):
        start = piece.end - len(text[piece.start : piece.end].lstrip("\n" if kind == "code" else None))
        written = text[start : piece.end].rstrip()
        between = text[end:start] if collected else ""
        collected.append(Statement(text=written, gap="\n" if "\n" in between else between[:1], kind=kind))
        end = start + len(written)
    return collected


def _pieces(text: str) -> Iterator[tuple[Piece, BlockKind]]:
    if looks_like_dialogue(text):
        yield from ((Piece(*match.span()), "prose") for match in re.finditer(r"[^\n]*\S[^\n]*", text))
    else:
        yield from (part for part in pieces(text) if text[slice(*part[0])].strip())


def pieces(text: str) -> Iterator[tuple[Piece, BlockKind]]:
    """Yield the sentences of a text and, whole, its tables, code and headings, each with the kind of its block."""
    for block in blocks(text):
        if block.kind in ("table", "code", "heading"):
            yield Piece(block.start, block.end), block.kind
        else:
            body = text[block.start : block.end]
            yield from ((Piece(block.start + start, block.start + end), block.kind) for start, end in sentences(body))


def joined(kept: Iterable[Statement]) -> str:
    """Join the statements, without marks of Markdown, each on the line it stood on. A blank line stands around a
    heading, so that no reader takes it for the beginning of a sentence."""
    parts: list[str] = []
    before: Statement | None = None
    for statement in kept:
        if before is not None:
            lines = "\n\n" if "heading" in (before.kind, statement.kind) else "\n"
            parts.append(lines if before.whole or statement.whole else statement.gap)
        parts.append(statement.plain)
        before = statement
    return "".join(parts)
