"""Putting the statements of long nodes side by side, so that they can be united part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memorybank.engines.offline.statements import Statement, statements
from memorybank.engines.pieces import packed, pieces
from memorybank.memory.contracts import NodeInfo

_Row = list[tuple[int, str]]
"""Statements that speak of the same: (node, text)."""


def aligned(nodes: Sequence[NodeInfo], limit: int, count_tokens: Callable[[str], int]) -> Iterator[list[NodeInfo]]:
    """The nodes, once if their summaries fit `limit` tokens, else in parts that do.

    Each part has every node, with the statements of it that belong there; each statement is in exactly one part. The
    longest node gives the order; a statement of another node goes with the one of those that shares most with it.
    """
    if sum(count_tokens(node.summary) for node in nodes) <= limit:
        yield list(nodes)
        return
    rows = _rows(nodes, limit, count_tokens)
    for part in packed(rows, limit, lambda row: sum(count_tokens(text) for _, text in row)):
        yield _nodes(nodes, part)


def _rows(nodes: Sequence[NodeInfo], limit: int, count_tokens: Callable[[str], int]) -> Iterator[_Row]:
    longest = max(range(len(nodes)), key=lambda place: (len(nodes[place].summary), place))
    base = statements(nodes[longest].summary)
    rows: list[_Row] = [[(longest, statement.text)] for statement in base]
    alone: list[_Row] = []
    for place, node in enumerate(nodes):
        if place == longest:
            continue
        for statement in statements(node.summary):
            nearest = max(range(len(base)), key=lambda at: (_shared(statement, base[at]), -at), default=None)
            if nearest is None or not _shared(statement, base[nearest]):
                alone.append([(place, statement.text)])
            else:
                rows[nearest].append((place, statement.text))
    for row in (*rows, *alone):
        yield from _fitting(row, limit, count_tokens)


def _shared(left: Statement, right: Statement) -> int:
    """Numbers, dates and names count double: they are what a statement is about."""
    return 2 * len(left.keys & right.keys) + len(left.words & right.words)


def _fitting(row: _Row, limit: int, count_tokens: Callable[[str], int]) -> Iterator[_Row]:
    """The row, cut where it alone is too long."""
    cut = ((place, text[start:end]) for place, text in row for start, end in pieces(text, limit, count_tokens))
    yield from packed(cut, limit, lambda piece: count_tokens(piece[1]))


def _nodes(nodes: Sequence[NodeInfo], part: Sequence[_Row]) -> list[NodeInfo]:
    texts: list[list[str]] = [[] for _ in nodes]
    for row in part:
        for place, text in row:
            texts[place].append(text)
    return [
        node.model_copy(update={"summary": "\n".join(statements_of_node)})
        for node, statements_of_node in zip(nodes, texts, strict=True)
    ]
