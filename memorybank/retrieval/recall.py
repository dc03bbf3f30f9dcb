"""Recall: the derived reader that keeps the retrieval index in step with the graph and embeds nodes.

It is built lazily and from the graph alone; replaying a journal or moving the slider never builds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import Embedder
from memorybank.language.text import UNSPACED, one_form
from memorybank.language.tokens import query_tokens
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import Entry, EntryId, Hit, Node, NodeId
from memorybank.retrieval.index import MOST_NAMED, NodeIndex, NodeRanking, Query
from memorybank.retrieval.names import shared_name
from memorybank.retrieval.passages import PassageHit, PassageIndex
from memorybank.retrieval.vector import decode
from memorybank.settings.llm import check_range

LEAST_TITLE: Final = 4
"""The least characters of a title that is looked for; half as many in Chinese, Japanese and Korean."""
LONGEST_TITLE: Final = 80
_HEADING = re.compile(r"\A\s*#{1,3}[ \t]+(?P<words>[^\n]+)")
_QUALIFIER = re.compile(r"\s*[(（][^()（）]*[)）]\s*\Z")
_UNSPACED_RE = re.compile(f"[{UNSPACED}]")


def title_of(entry: Entry) -> str:
    """Return the heading that a document begins with, without what tells it from its namesakes; empty when it has none.

    A common word is no name: a title in one small word leads nowhere.
    """
    heading = _HEADING.match(entry.text) if entry.kind in ("document", "tool") else None
    if heading is None:
        return ""
    title = _QUALIFIER.sub("", one_form(heading["words"]).strip().strip("#").strip())
    least = LEAST_TITLE // 2 if _UNSPACED_RE.search(title) else LEAST_TITLE
    is_word = title.islower() and " " not in title
    return "" if is_word or not least <= len(title) <= LONGEST_TITLE else title


class References:
    """The entries that each entry names: a title that stands in its text leads to the document of that title.

    What a question needs second is often what the first document found mentions by name (Asai et al. 2020, "Learning to
    Retrieve Reasoning Paths over Wikipedia Graph for Question Answering"). Entries never change, so each title is read
    once.
    """

    def __init__(self) -> None:
        self._read: set[EntryId] = set()
        self._titled: dict[str, list[EntryId]] = {}

    def named_by(self, entry_id: EntryId, entries: Mapping[EntryId, Entry]) -> tuple[EntryId, ...]:
        """Return the entries whose title stands in this entry's text, in the order of their first mention."""
        self._learn(entries.values())
        entry = entries[entry_id]
        own, text = title_of(entry), one_form(entry.text)
        places = [
            (place, title) for title in self._titled if title != own and (place := next(_places(title, text), -1)) >= 0
        ]
        titled = dict.fromkeys(other for _, title in sorted(places) for other in self._titled[title])
        return tuple(other for other in titled if other in entries and other != entry_id)

    def _learn(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.id in self._read:
                continue
            self._read.add(entry.id)
            if title := title_of(entry):
                self._titled.setdefault(title, []).append(entry.id)


def _places(title: str, text: str) -> Iterator[int]:
    """Yield the places at which a title stands in a text as words of their own."""
    start = text.find(title)
    while start >= 0:
        end = start + len(title)
        if not (_goes_on(text[max(0, start - 1) : start + 1]) or _goes_on(text[end - 1 : end + 1])):
            yield start
        start = text.find(title, start + 1)


def _goes_on(pair: str) -> bool:
    """Whether two neighbouring characters belong to one word. Chinese writes its words without a space between them."""
    return len(pair) == 2 and pair.isalnum() and not _UNSPACED_RE.search(pair)


FEW_NEIGHBORS, NEIGHBORS_A_HIT = 10, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """Direct hits with their neighbours, one hop."""

    hits: tuple[Hit, ...]
    """The direct hits, and after them the neighbours that come along."""
    left_out: tuple[Hit, ...]
    """The neighbours that do not, best first, rank counting on."""


def expand(
    ranking: NodeRanking, nodes: Mapping[NodeId, Node], exclude: Collection[NodeId] = (), *, share: float
) -> Expansion:
    """Rank the direct hits' neighbours by their own scores: with a `share` of 0 all, to the specifications' letter.

    Else none that scores less than `share` of the last direct hit (it takes room and says nothing of the question), and
    at most `most_neighbors`. First come those that a hit names or that name a hit: what is merely like a hit, the
    question would have found itself.

    A neighbour comes once, `via` the best-ranked hit it is linked to. `nodes` is the graph: what is not in it does not
    come, nor what the index does not hold or `rank` was told to exclude. Raises RuntimeError when the index has changed
    since the ranking, InputError for a share outside [0, 1].
    """
    check_range("neighbor share", share, 0.0, 1.0)
    seen = {hit.node_id for hit in ranking.hits}.union(exclude)
    named: dict[NodeId, NodeId] = {}
    alike: dict[NodeId, NodeId] = {}
    for hit in ranking.hits:
        for neighbor in nodes[hit.node_id].links:
            if neighbor in nodes and neighbor not in seen:
                group = named if shared_name(nodes[hit.node_id], nodes[neighbor]) else alike
                group.setdefault(neighbor, hit.node_id)
    alike = {neighbor: hit for neighbor, hit in alike.items() if neighbor not in named}
    least = share * ranking.hits[-1].score if ranking.hits else 0.0
    most = most_neighbors(len(ranking.hits)) if share else len(nodes)
    near = [hit for group in (named, alike) for hit in ranking.scores.neighbors(group)]
    fit = [hit for hit in near if hit.score >= least][:most]
    kept = {hit.node_id for hit in fit}
    rest = sorted((hit for hit in near if hit.node_id not in kept), key=lambda hit: -hit.score)
    ranked = [replace(hit, rank=rank) for rank, hit in enumerate([*fit, *rest], start=len(ranking.hits) + 1)]
    return Expansion(hits=(*ranking.hits, *ranked[: len(fit)]), left_out=tuple(ranked[len(fit) :]))


def most_neighbors(hits: int) -> int:
    """Bound the neighbours: a dense graph has a hundred one hop away, which cost a model more than they tell it."""
    return max(FEW_NEIGHBORS, NEIGHBORS_A_HIT * hits)


def newest_first(hits: Iterable[Hit], nodes: Mapping[NodeId, Node]) -> tuple[Hit, ...]:
    """Sort by creation, the latest first (final specification 6.1, step 4)."""
    return tuple(sorted(hits, key=lambda hit: -nodes[hit.node_id].seq))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The result of a query: its hits, and those that just missed."""

    hits: tuple[Hit, ...]
    """Direct hits by rank, then their neighbours."""
    below: tuple[Hit, ...]
    """The best hits that did not make the cut."""
    left_out: tuple[Hit, ...] = ()
    """Neighbours that did not come along, best first."""


def pack(vector: NDArray[np.floating]) -> bytes:
    """Encode a vector as an event holds it: little-endian float16."""
    return vector.astype("<f2").tobytes()


EMBEDDED_TOGETHER = 64
"""The nodes that a call to the embedder takes, so that filing a book shows how far it is."""


def embed_nodes(
    embedder: Embedder,
    nodes: Sequence[tuple[str, str, Sequence[str]]],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[bytes]:
    """Embed nodes given as (summary, context, keywords); the vectors are event bytes.

    Head (context and keywords) and summary are embedded apart and mean-pooled by length, so that neither hides the
    other (a model that reads 256 pieces would never see keywords that stand after a long summary), and a rewritten head
    costs only the head: the summary's vector is remembered by the embedder.
    """
    packed: list[bytes] = []
    for start in range(0, len(nodes), EMBEDDED_TOGETHER):
        progress(start, len(nodes))
        packed.extend(_embed_together(embedder, nodes[start : start + EMBEDDED_TOGETHER]))
    return packed


def _embed_together(embedder: Embedder, nodes: Sequence[tuple[str, str, Sequence[str]]]) -> list[bytes]:
    heads = [" ".join((context, *keywords)).strip() for _, context, keywords in nodes]
    summaries = [summary for summary, _, _ in nodes]
    vectors = embedder.documents([*heads, *summaries])
    packed = []
    for place, (head, summary) in enumerate(zip(heads, summaries, strict=True)):
        pooled = vectors[place] * len(head) + vectors[len(nodes) + place] * len(summary)
        norm = float(np.linalg.norm(pooled))
        packed.append(pack(pooled / norm if norm else pooled))
    return packed


class Recall:
    """The readers of one memory; each is made when first used."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    @cached_property
    def index(self) -> NodeIndex:
        """Make the node index when first used: an endpoint's cosine scale costs a request, opening a run none."""
        return NodeIndex(self.embedder.scale)

    @cached_property
    def raw(self) -> PassageIndex:
        """Make the passage index when raw passages are first searched."""
        return PassageIndex(self.embedder)

    @cached_property
    def references(self) -> References:
        """Read the titles of documents when they are first needed."""
        return References()

    def sync(self, nodes: Mapping[NodeId, Node], hold_back: Collection[NodeId] = ()) -> None:
        """Bring the index to the graph, without the nodes that wait for analysis."""
        waiting = set(hold_back)
        self.index.sync({node.id: node for node in nodes.values() if node.id not in waiting} if waiting else nodes)

    def for_node(
        self,
        node: Node,
        nodes: Mapping[NodeId, Node],
        *,
        k: int,
        alpha: float,
        share: float,
        exclude: Collection[NodeId] = (),
    ) -> Recalled:
        """Find the memories near a node (which is never among its own hits), and those that name it or are named by it.

        The latter come `via` the node itself, whatever they score.
        """
        apart = {node.id, *exclude}
        ranking = self.index.rank(Query.of_node(node), k=k, alpha=alpha, exclude=apart)
        expansion = expand(ranking, nodes, exclude=apart, share=share)
        near = expansion.hits
        known = apart.union(hit.node_id for hit in near)
        naming = self.index.naming(node) if k else ()
        fresh = [node_id for node_id in naming if node_id not in known and node_id in nodes]
        via = dict.fromkeys(fresh[:MOST_NAMED], node.id)
        named = ranking.scores.neighbors(via, first_rank=len(near) + 1)
        left_out = tuple(hit for hit in expansion.left_out if hit.node_id not in via)
        return Recalled(hits=near + named, below=ranking.below, left_out=left_out)

    def for_text(
        self,
        text: str,
        nodes: Mapping[NodeId, Node],
        *,
        k: int,
        alpha: float,
        share: float,
        vector: bytes | None = None,
        further: Sequence[str] = (),
    ) -> tuple[Recalled, bytes]:
        """Find the memories on a text; return them and the query's vector. A stored `vector` saves the embedding.

        `share`: of the last direct hit's score, from which its neighbours come along (`index.expand`). What it holds
        on each of the `further` texts follows, without neighbours.
        """
        if vector is None:
            vector = pack(self.embedder.queries([text])[0])
        query = Query(query_tokens(text), decode(vector))
        ranking = self.index.rank(query, k=k, alpha=alpha)
        expansion = expand(ranking, nodes, share=share)
        hits = {hit.node_id: hit for hit in expansion.hits}
        for other in further:
            query = Query(query_tokens(other), decode(pack(self.embedder.queries([other])[0])))
            for hit in self.index.rank(query, k=k, alpha=alpha).hits:
                if hit.node_id not in hits:
                    hits[hit.node_id] = replace(hit, rank=len(hits) + 1)
        left_out = tuple(hit for hit in expansion.left_out if hit.node_id not in hits)
        return Recalled(hits=tuple(hits.values()), below=ranking.below, left_out=left_out), vector

    def passages(
        self,
        text: str,
        hits: Sequence[Hit],
        tree: InteractionTree,
        *,
        count: int,
        alpha: float,
        vector: bytes | None = None,
    ) -> tuple[PassageHit, ...]:
        """Return the turns and sentences behind `hits` that bear most on a text, best first; see `for_text`."""
        if count < 1:
            return ()
        query_vector = self.embedder.queries([text])[0] if vector is None else decode(vector)
        query = Query(query_tokens(text), query_vector)
        return self.raw.search(query, hits, tree, alpha=alpha, count=count)
