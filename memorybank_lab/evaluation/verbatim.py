"""Whether a memory says only what its sources say, in their words.

Every sentence of an offline node stands word for word in one of the entries that the node owns, those of merged nodes
included. Nothing of the engine decides it: borders of sentences are told by end marks and line breaks alone. A
stretch of thousands of characters without an end is no sentence, and may be parted between two words. Marks of
Markdown before a line and around words are no words.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from memorybank.engines.offline.units import unmarked
from memorybank.language.text import Piece, fold_space, sentences
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Node, NodeId
from memorybank.session.assembly import Parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.report import Score, mean_score

_END_MARKS: Final = ".!?…:;。！？：；．｡”’」』）)\"'"
_CLAUSE_MARKS: Final = "，；：、）”"
_BORDER_RE: Final = re.compile(rf"(?<=[{re.escape(_END_MARKS)}])\s*|\n+")
_MOST_PARTS: Final = 60
"""The most parts of a stretch that is taken apart at its end marks; a longer one is judged as it is."""
_LONGEST_SENTENCE: Final = 2_000
"""Characters after which what has no end counts as a row of words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaid:
    """A sentence of a node that no source of the node says."""

    node_id: NodeId
    sentence: str


def unsaid(bank: MemoryState) -> list[Unsaid]:
    """Return the sentences of all nodes, those merged away included, that stand in none of the node's entries."""
    return [Unsaid(node_id=node.id, sentence=one) for node in _ever(bank) for one in unsaid_of(bank, node)]


def verbatim_nodes(bank: MemoryState) -> list[float]:
    """Return for each node 1 when a source says each of its sentences, else 0."""
    return [float(not unsaid_of(bank, node)) for node in _ever(bank)]


def _ever(bank: MemoryState) -> list[Node]:
    gone = [source for merge in bank.graph.merges.values() for source in merge.sources]
    return [*bank.graph.nodes.values(), *gone]


def unsaid_of(bank: MemoryState, node: Node) -> list[str]:
    """Return the sentences of one node that stand in none of its entries."""
    raw = [_unmarked(bank.tree.entries[one].text) for one in bank.tree.entries_of(node.id)]
    return [said for said in _sentences(_unmarked(node.summary)) if not any(_is_quoted(said, one) for one in raw)]


def not_verbatim(extract: str, source: str) -> list[str]:
    """Return sentences of an extract that do not stand whole in its source."""
    plain = _unmarked(source)
    return [said for said in _sentences(_unmarked(extract)) if not _is_quoted(said, plain)]


_unmarked = functools.lru_cache(maxsize=256)(unmarked)


def _sentences(text: str) -> Iterator[str]:
    return (said for start, end in sentences(text) if (said := text[start:end].strip()))


def _is_quoted(said: str, source: str) -> bool:
    """Whether a text stands in the source as a sentence or line, or as several that are parted there."""
    if _stands_whole(said, source):
        return True
    borders = [0, *(match.end() for match in _BORDER_RE.finditer(said)), len(said)]
    places = sorted({at for at in borders if not said[:at].isspace()})
    if not 2 < len(places) <= _MOST_PARTS:
        return False
    reached = {0}
    for start in places:
        if start in reached:
            reached |= {end for end in places if end > start and _stands_whole(said[start:end], source)}
    return len(said) in reached


@functools.lru_cache(maxsize=256)
def _written(source: str) -> frozenset[str]:
    """Return the text's sentences and its lines, white space folded."""
    return frozenset(map(fold_space, (*_sentences(source), *source.splitlines())))


def _stands_whole(said: str, source: str) -> bool:
    """Whether it stands in the source, white space folded, between borders of sentences or lines."""
    if fold_space(said) in _written(source):
        return True
    pattern = r"\s+".join(map(re.escape, said.split()))
    found = [match.span() for match in re.finditer(pattern, source)] if pattern else []
    return any(
        (_is_border(source, start) or _parts_words(source, start))
        and (_is_border(source, end) or source[end : end + 1] in ("", "\n") or _parts_words(source, end))
        for start, end in found
    )


@functools.lru_cache(maxsize=256)
def _endless(source: str) -> tuple[Piece, ...]:
    return tuple(piece for piece in sentences(source) if piece.end - piece.start > _LONGEST_SENTENCE)


def _parts_words(source: str, at: int) -> bool:
    """Whether a stretch that is too long for a sentence may be parted here: at a space or after a Chinese mark."""
    between = source[at - 1].isspace() or source[at].isspace() or source[at - 1] in _CLAUSE_MARKS
    return between and any(start < at < end for start, end in _endless(source))


def _is_border(text: str, at: int) -> bool:
    """Whether a sentence may begin here: after nothing, a line break, or an end mark and space."""
    while at > 0 and text[at - 1] in " \t\u3000":
        at -= 1
    return at == 0 or text[at - 1] == "\n" or text[at - 1] in _END_MARKS


# -- sessions that an evaluation runs: all are held to the rule --------------------------------------------------------


_said: list[float] = []


@contextmanager
def held_session(parts: Parts, *, goal: str = "", sources: Sequence[Source] = ()) -> Iterator[Session]:
    """Open a session that has begun; what it remembers is looked at when it ends."""
    with (
        TemporaryDirectory() as folder,
        Session.start(Path(folder) / "run", parts, goal=goal, sources=sources) as session,
    ):
        yield session
        _said.extend(verbatim_nodes(session.bank))


def verbatim_scores(data: str) -> list[Score]:
    """Score the nodes that say only what their sources say, in the sessions since the last call; nothing for none."""
    said = list(_said)
    _said.clear()
    return [mean_score(data, "nodes word for word", "engine", said, goal=1.0)] if said else []
