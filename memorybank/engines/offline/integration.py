"""The integration agent without a model of language: several nodes about one thing become one.

The newest statement stays and is completed by what the others add. Nothing is dropped silently: a sentence goes only
when a kept one says the same words and values, or when a verdict went against it, and the description tells of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorybank.contradiction.checks import names_value, states, without
from memorybank.engines.offline.describing import learnt_keywords, named_topic
from memorybank.engines.offline.naming import topic_of
from memorybank.engines.offline.salience import mentions
from memorybank.engines.offline.statements import Statement, joined, repeats, statements
from memorybank.engines.offline.topic_line import WIDEST, trimmed
from memorybank.engines.offline.verdicts import Refuted, checked_lines, refuted
from memorybank.language.text import fold_space, sentences
from memorybank.memory.contracts import (
    IntegrationInput,
    IntegrationOutput,
    NeighborInfo,
    NeighborUpdate,
    NodeInfo,
    NodeWithNeighbors,
)
from memorybank.memory.types import Claim, Lang
from memorybank.prompts import say

MOST_KEYWORDS = 10


class OfflineIntegration:
    """Keeps, completes, withdraws; never rewrites."""

    def run(self, request: IntegrationInput) -> IntegrationOutput:
        lost = refuted(request.verdicts) if request.trigger == "conflict" else []
        merged = _merged(request, lost)
        keywords = _keywords(request.nodes, lost)
        context = _context(request.nodes, lost, merged.summary) or ", ".join(keywords[:3])
        if not context:  # nothing is left of the memory but what was checked
            ids = ", ".join(dict.fromkeys(verdict.conflict for verdict in request.verdicts))
            context = say("checked_topic", request.lang, ids=ids)
        united = NodeInfo(summary=merged.summary, context=context, keywords=keywords)
        return IntegrationOutput(
            summary=merged.summary,
            context=context,
            keywords=keywords,
            neighbor_updates=_neighbor_updates(request.nodes, lost, united),
            interaction_tree_description=_description(request, lost, merged, context),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Merged:
    summary: str
    added: int
    """Sentences taken over from older nodes."""
    repeated: int
    """Sentences left out because a kept one says the same."""


def _merged(request: IntegrationInput, lost: Sequence[Refuted]) -> _Merged:
    """From the newest node to the oldest; after a conflict, nodes that lost nothing before those that did."""
    losers = {refutation.node for refutation in lost}
    order = sorted(range(len(request.nodes)), key=lambda place: (place in losers, -place))
    claims = [refutation.claim for refutation in lost]
    kept: list[Statement] = []
    added = repeated = 0
    for rank, place in enumerate(order):
        own = [refutation.claim for refutation in lost if refutation.node == place]
        standing, _ = without(request.nodes[place].summary, claims, own)
        first = True
        for statement in statements(standing if claims else request.nodes[place].summary):
            if rank and any(_says_no_more(statement, other) for other in kept):
                repeated += 1
                continue
            kept.append(replace(statement, gap="\n") if first and rank else statement)
            first = False
            added += bool(rank)
    summary = joined(kept)
    lines = checked_lines(summary, request.verdicts, lost, request.lang) if lost else []
    return _Merged(summary="\n".join(line for line in (summary, *lines) if line), added=added, repeated=repeated)


def _says_no_more(statement: Statement, other: Statement) -> bool:
    """A checked line is repeated by the same line only."""
    return statement.text == other.text if statement.checked else repeats(statement, other)


def _context(nodes: Sequence[NodeWithNeighbors], lost: Sequence[Refuted], summary: str) -> str:
    """A topic line that fits the new summary, newest first: of nodes that lost nothing, else one free of what fell."""
    losers = {refutation.node for refutation in lost}
    newest_first = range(len(nodes) - 1, -1, -1)
    standing = [nodes[place].context for place in newest_first if place not in losers]
    free = [nodes[place].context for place in newest_first if not _holds_refuted(nodes[place].context, place, lost)]
    return topic_of(summary, [line for line in standing if line in free] or free, _names_of_all(nodes))


def _holds_refuted(text: str, place: int, lost: Sequence[Refuted]) -> bool:
    """Whether a topic line or keyword of a node has a value that fell, or is made of a sentence that did."""
    return any(
        states(text, refutation.claim)
        or (refutation.node == place and (names_value(text, refutation.claim) or _quotes(text, refutation.claim)))
        for refutation in lost
    )


def _names_of_all(nodes: Sequence[NodeWithNeighbors]) -> frozenset[str]:
    """What all of them name: what they were united on."""
    named = [{mention.key for mention in mentions(node.summary) if mention.kind == "name"} for node in nodes]
    return frozenset(named[0].intersection(*named[1:]))


_QUOTED = 20
"""Characters of a claim that a topic line has of it, at least, where it is made of it."""


def _quotes(line: str, claim: Claim) -> bool:
    """Whether a topic line is made of a claim's sentence, which it may have shortened."""
    if not claim.value or claim.kind in ("negation", "text"):
        shortened, sentence = fold_space(line).rstrip("…."), fold_space(claim.text)
        return any(shortened.endswith(sentence[:length]) for length in range(len(sentence), _QUOTED - 1, -1)) or (
            len(shortened) >= _QUOTED and shortened in sentence
        )
    return False


def _keywords(nodes: Sequence[NodeWithNeighbors], lost: Sequence[Refuted]) -> tuple[str, ...]:
    """The newest node's first, each once, none with a value that fell, at most `MOST_KEYWORDS`."""
    keywords: dict[str, str] = {}
    for place in range(len(nodes) - 1, -1, -1):
        for keyword in nodes[place].keywords:
            if not _holds_refuted(keyword, place, lost):
                keywords.setdefault(keyword.casefold(), keyword)
    return tuple(keywords.values())[:MOST_KEYWORDS]


def _neighbor_updates(
    nodes: Sequence[NodeWithNeighbors], lost: Sequence[Refuted], united: NodeInfo
) -> tuple[NeighborUpdate, ...]:
    """Of every neighbour: most stay as they were."""
    neighbors = {neighbor.ref: neighbor for node in nodes for neighbor in node.neighbors}
    return tuple(_neighbor_update(neighbor, lost, united) for _, neighbor in sorted(neighbors.items()))


def _neighbor_update(neighbor: NeighborInfo, lost: Sequence[Refuted], united: NodeInfo) -> NeighborUpdate:
    """Without the losing value of what a verdict was about, and with what its own text has of the new memory."""
    described = f"{neighbor.context}\n{' '.join(neighbor.keywords)}".casefold()
    about = [
        refutation.claim
        for refutation in lost
        if refutation.claim.subject and refutation.claim.subject.casefold() in described
    ]
    keywords = tuple(word for word in neighbor.keywords if not any(names_value(word, claim) for claim in about))
    context = neighbor.context
    if any(names_value(context, claim) for claim in about):
        lines = [fold_space(neighbor.summary[start:end]) for start, end in sentences(neighbor.summary)]
        free = (line for line in lines if not any(names_value(line, claim) for claim in about))
        context = ", ".join(keywords[:3]) or trimmed(next(free, ""), WIDEST) or context
    described_now = neighbor.model_copy(update={"context": context, "keywords": keywords or neighbor.keywords})
    return NeighborUpdate(
        ref=neighbor.ref,
        context=named_topic(described_now, united),
        keywords=learnt_keywords(described_now, united.keywords),
    )


def _description(request: IntegrationInput, lost: Sequence[Refuted], merged: _Merged, context: str) -> str:
    outcomes = say("integration_between", request.lang).join(
        dict.fromkeys(_outcome(refutation, request.lang) for refutation in lost)
    )
    return say(
        f"integration_{request.trigger}",
        request.lang,
        count=len(request.nodes),
        topic=trimmed(context, 80),
        outcomes=outcomes or say("integration_nothing", request.lang),
        added=merged.added,
        repeated=merged.repeated,
    )


def _outcome(refutation: Refuted, lang: Lang) -> str:
    if refutation.value:
        return say("integration_exchanged", lang, right=refutation.value, wrong=refutation.claim.value)
    return say("integration_withdrawn", lang, wrong=trimmed(fold_space(refutation.claim.text), 100))
