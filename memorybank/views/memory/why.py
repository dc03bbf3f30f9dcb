"""Why a memory was retrieved: every retrieval of a run, asked again with other settings, and what that would change.

    asked = questions_in(records[:k])                        # prompts and comparisons, each with what it found
    found = Search(recall).again(asked[-1], bank, k=3, alpha=0.2, share=0.5)  # `bank`: just before that event
    rows = explain(found, asked[-1])

It is the product's own retrieval (retrieval/recall.py) on the stored query vector; no model is asked.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.errors import JournalError
from memorybank.memory.events import CandidatesRetrieved, PromptEnhanced, SessionStarted, SettingsChanged
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Hit, NodeId
from memorybank.retrieval.recall import Recall, Recalled
from memorybank.views.graph.overlays import Trail
from memorybank.views.run.commits import Records, commits


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query that a run put to its memory, and what it found."""

    kind: Literal["prompt", "node"]
    text: str
    """The query; empty for a node, which is its own."""
    vector: bytes = b""
    further: tuple[str, ...] = ()
    """prompt: what was searched for beside the query."""
    node_id: NodeId | None = None
    """node: the new node that was compared."""
    seq: int
    """The number (seq) of the event."""
    round: int = 0
    k: int
    alpha: float
    share: float
    """The settings as they were then; `share` is NEIGHBOR_SHARE."""
    used: Recalled
    """The hits that it found then."""
    left_out: frozenset[NodeId] = frozenset()
    """The nodes that were found but are not in the prompt: the budget did not hold them."""


def questions_in(records: Records) -> list[Question]:
    """Return every retrieval of a run, first to last, up to the last commit."""
    questions: list[Question] = []
    k, alpha, share = 0, 0.0, 0.0
    for record, round_ in ((record, commit.round) for commit in commits(records) for record in commit.records):
        match record.event:
            case SessionStarted() | SettingsChanged() as event:
                k, alpha, share = event.k, event.alpha, event.neighbor_share
                continue
            case PromptEnhanced() as event:
                left_out = frozenset(map(NodeId, event.left_out)) & {hit.node_id for hit in event.hits}
                ask = functools.partial(
                    Question, kind="prompt", text=event.query, vector=event.query_vector, further=event.further_queries
                )
            case CandidatesRetrieved() as event:
                left_out = frozenset()
                ask = functools.partial(Question, kind="node", text="", node_id=event.node_id)
            case _:
                continue
        used = Recalled(hits=event.hits, below=event.below)
        questions.append(ask(seq=record.seq, round=round_, k=k, alpha=alpha, share=share, used=used, left_out=left_out))
    return questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The findings of a question with some settings."""

    k: int
    alpha: float
    share: float
    recalled: Recalled
    everything: Mapping[NodeId, Hit]
    """Every node that was searched, with its scores and its rank among all."""


def as_recorded(question: Question) -> Explanation:
    """Return what the run found then, from its events alone."""
    hits = (*question.used.hits, *question.used.below)
    everything = {hit.node_id: hit for hit in hits if hit.via is None}
    return Explanation(
        k=question.k, alpha=question.alpha, share=question.share, recalled=question.used, everything=everything
    )


class Search:
    """One index for all moments of a run, brought to each as it is asked about. Safe to share between threads."""

    def __init__(self, recall: Recall) -> None:
        self._recall = recall
        self._turn = threading.Lock()

    def again(self, question: Question, bank: MemoryState, *, k: int, alpha: float, share: float) -> Explanation:
        """Ask the question of a memory anew; `bank` is the memory just before its event.

        With the settings it had, it finds what it found then, to the last digit. Raises InputError for settings out of
        range or a vector that does not fit, JournalError for a node that was not new in this memory.
        """
        with self._turn:
            recalled = self._recalled(question, bank, k, alpha, share)
            ranking = self._recalled(question, bank, max(k, len(self._recall.index)), alpha, share)
        everything = {hit.node_id: hit for hit in ranking.hits if hit.via is None}
        return Explanation(k=k, alpha=alpha, share=share, recalled=recalled, everything=everything)

    def _recalled(self, question: Question, bank: MemoryState, k: int, alpha: float, share: float) -> Recalled:
        nodes, fresh = bank.graph.nodes, bank.progress.fresh
        if question.node_id is None:
            self._recall.sync(nodes, hold_back=fresh)
            recalled, _ = self._recall.for_text(
                question.text, nodes, k=k, alpha=alpha, share=share, vector=question.vector, further=question.further
            )
            return recalled
        # As session/stages/analyse.py does: a new node sees the old ones, and the new ones before it.
        if question.node_id not in fresh:
            raise JournalError("fold.compared_early", node=question.node_id)
        node = nodes[question.node_id]
        self._recall.sync(nodes, hold_back=fresh[fresh.index(node.id) :])
        recalled = self._recall.for_node(node, nodes, k=k, alpha=alpha, share=share, exclude=bank.known_to(node.id))
        hits = tuple(hit for hit in recalled.hits if hit.node_id in self._recall.index)
        return replace(recalled, hits=hits)


Place = Literal["direct", "neighbour", "aside", "below"]
Change = Literal["", "in", "out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """A memory in the table of a question."""

    hit: Hit
    place: Place
    """direct: above the cut-off line. neighbour: brought along by a direct hit. aside: a neighbour that was left out.
    below: not retrieved."""
    change: Change
    """The change against what was used: comes in, or drops out."""
    left_out: bool = False
    """It was retrieved, and the prompt had no room for it."""


def explain(explanation: Explanation, question: Question) -> list[MemoryRow]:
    """Return the table: direct hits, their neighbours, those left out, the best below the line, what else drops out."""
    hits = explanation.recalled.hits
    now = {hit.node_id for hit in hits}
    used = {hit.node_id for hit in question.used.hits}
    rows = [
        MemoryRow(
            hit=hit,
            place="direct" if hit.via is None else "neighbour",
            change="" if hit.node_id in used else "in",
            left_out=hit.node_id in question.left_out,
        )
        for hit in hits
    ]
    aside = {hit.node_id: hit for hit in explanation.recalled.left_out}
    rows += [MemoryRow(hit=hit, place="aside", change="out" if hit.node_id in used else "") for hit in aside.values()]
    now |= aside.keys()
    below = {hit.node_id: hit for hit in explanation.recalled.below if hit.node_id not in now}
    below |= {node_id: explanation.everything[node_id] for node_id in used - now if node_id in explanation.everything}
    lowest = sorted(below.values(), key=lambda hit: hit.rank)
    return rows + [MemoryRow(hit=hit, place="below", change="out" if hit.node_id in used else "") for hit in lowest]


def cut_off(explanation: Explanation) -> float | None:
    """Return the score of the last direct hit of the query itself; None when there is none."""
    direct = (hit.score for hit in explanation.recalled.hits if hit.via is None and hit.rank <= explanation.k)
    return min(direct, default=None)


def finds_nothing(explanation: Explanation) -> bool:
    """Say whether no node has a word of the query or is near it: what is listed is listed for want of better."""
    return all(hit.score <= 0 for hit in explanation.recalled.hits)


def trail_of(recalled: Recalled, live: Iterable[NodeId], successor: Callable[[NodeId], NodeId]) -> Trail:
    """Return the trail at another moment: a node merged away since is lit where it is now, each node once."""
    there = set(live)

    def moved(hits: Iterable[Hit], taken: set[NodeId]) -> tuple[Hit, ...]:
        moved_hits = []
        for hit in hits:
            node_id = successor(hit.node_id)
            if node_id in there and node_id not in taken:
                taken.add(node_id)
                via = successor(hit.via) if hit.via else None
                moved_hits.append(replace(hit, node_id=node_id, via=via if via in there and via != node_id else None))
        return tuple(moved_hits)

    taken: set[NodeId] = set()
    hits = moved(recalled.hits, taken)
    return Trail(hits=hits, below=moved(recalled.below, taken))
