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

    def run(self, given: IntegrationInput) -> IntegrationOutput:
        lost = refuted(given.verdicts) if given.trigger == "conflict" else []
        merged = _merged(given, lost)
        keywords = _keywords(given.nodes, lost)
        context = _context(given.nodes, lost, merged.summary) or ", ".join(keywords[:3])
        if not context:  # nothing is left of the memory but what was checked
            ids = ", ".join(dict.fromkeys(one.conflict for one in given.verdicts))
            context = say("checked_topic", given.lang, ids=ids)
        united = NodeInfo(summary=merged.summary, context=context, keywords=keywords)
        return IntegrationOutput(
            summary=merged.summary,
            context=context,
            keywords=keywords,
            neighbor_updates=_neighbor_updates(given.nodes, lost, united),
            interaction_tree_description=_description(given, lost, merged, context),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Merged:
    summary: str
    added: int
    """Sentences taken over from older nodes."""
    repeated: int
    """Sentences left out because a kept one says the same."""


def _merged(given: IntegrationInput, lost: Sequence[Refuted]) -> _Merged:
    """From the newest node to the oldest; after a conflict, nodes that lost nothing before those that did."""
    losers = {one.node for one in lost}
    order = sorted(range(len(given.nodes)), key=lambda place: (place in losers, -place))
    claims = [one.claim for one in lost]
    kept: list[Statement] = []
    added = repeated = 0
    for rank, place in enumerate(order):
        own = [one.claim for one in lost if one.node == place]
        standing, _ = without(given.nodes[place].summary, claims, own)
        first = True
        for statement in statements(standing if claims else given.nodes[place].summary):
            if rank and any(_says_no_more(statement, other) for other in kept):
                repeated += 1
                continue
            kept.append(replace(statement, gap="\n") if first and rank else statement)
            first = False
            added += bool(rank)
    summary = joined(kept)
    lines = checked_lines(summary, given.verdicts, lost, given.lang) if lost else []
    return _Merged(summary="\n".join(one for one in (summary, *lines) if one), added=added, repeated=repeated)


def _says_no_more(statement: Statement, other: Statement) -> bool:
    """A checked line is repeated by the same line only."""
    return statement.text == other.text if statement.checked else repeats(statement, other)


def _context(nodes: Sequence[NodeWithNeighbors], lost: Sequence[Refuted], summary: str) -> str:
    """A topic line that fits the new summary, newest first: of nodes that lost nothing, else one free of what fell."""
    losers = {one.node for one in lost}
    newest_first = range(len(nodes) - 1, -1, -1)
    standing = [nodes[place].context for place in newest_first if place not in losers]
    free = [nodes[place].context for place in newest_first if not _holds_refuted(nodes[place].context, place, lost)]
    return topic_of(summary, [one for one in standing if one in free] or free, _names_of_all(nodes))


def _holds_refuted(text: str, place: int, lost: Sequence[Refuted]) -> bool:
    """Whether a topic line or keyword of a node has a value that fell, or is made of a sentence that did."""
    return any(
        states(text, one.claim) or (one.node == place and (names_value(text, one.claim) or _quotes(text, one.claim)))
        for one in lost
    )


def _names_of_all(nodes: Sequence[NodeWithNeighbors]) -> frozenset[str]:
    """What all of them name: what they were united on."""
    named = [{one.key for one in mentions(node.summary) if one.kind == "name"} for node in nodes]
    return frozenset(named[0].intersection(*named[1:]))


_QUOTED = 20
"""Characters of a claim that a topic line has of it, at least, where it is made of it."""


def _quotes(line: str, claim: Claim) -> bool:
    """Whether a topic line is made of a claim's sentence, which it may have shortened."""
    if not claim.value or claim.kind in ("negation", "text"):
        told, said = fold_space(line).rstrip("…."), fold_space(claim.text)
        return any(told.endswith(said[:length]) for length in range(len(said), _QUOTED - 1, -1)) or (
            len(told) >= _QUOTED and told in said
        )
    return False


def _keywords(nodes: Sequence[NodeWithNeighbors], lost: Sequence[Refuted]) -> tuple[str, ...]:
    """The newest node's first, each once, none with a value that fell, at most `MOST_KEYWORDS`."""
    found: dict[str, str] = {}
    for place in range(len(nodes) - 1, -1, -1):
        for keyword in nodes[place].keywords:
            if not _holds_refuted(keyword, place, lost):
                found.setdefault(keyword.casefold(), keyword)
    return tuple(found.values())[:MOST_KEYWORDS]


def _neighbor_updates(
    nodes: Sequence[NodeWithNeighbors], lost: Sequence[Refuted], united: NodeInfo
) -> tuple[NeighborUpdate, ...]:
    """Of every neighbour: most stay as they were."""
    neighbors = {neighbor.ref: neighbor for node in nodes for neighbor in node.neighbors}
    return tuple(_neighbor_update(neighbor, lost, united) for _, neighbor in sorted(neighbors.items()))


def _neighbor_update(neighbor: NeighborInfo, lost: Sequence[Refuted], united: NodeInfo) -> NeighborUpdate:
    """Without the losing value of what a verdict was about, and with what its own text has of the new memory."""
    described = f"{neighbor.context}\n{' '.join(neighbor.keywords)}".casefold()
    about = [one.claim for one in lost if one.claim.subject and one.claim.subject.casefold() in described]
    keywords = tuple(word for word in neighbor.keywords if not any(names_value(word, claim) for claim in about))
    context = neighbor.context
    if any(names_value(context, claim) for claim in about):
        told = [fold_space(neighbor.summary[start:end]) for start, end in sentences(neighbor.summary)]
        free = (one for one in told if not any(names_value(one, claim) for claim in about))
        context = ", ".join(keywords[:3]) or trimmed(next(free, ""), WIDEST) or context
    described_now = neighbor.model_copy(update={"context": context, "keywords": keywords or neighbor.keywords})
    return NeighborUpdate(
        ref=neighbor.ref,
        context=named_topic(described_now, united),
        keywords=learnt_keywords(described_now, united.keywords),
    )


def _description(given: IntegrationInput, lost: Sequence[Refuted], merged: _Merged, context: str) -> str:
    outcomes = say("integration_between", given.lang).join(dict.fromkeys(_outcome(one, given.lang) for one in lost))
    return say(
        f"integration_{given.trigger}",
        given.lang,
        count=len(given.nodes),
        topic=trimmed(context, 80),
        outcomes=outcomes or say("integration_nothing", given.lang),
        added=merged.added,
        repeated=merged.repeated,
    )


def _outcome(one: Refuted, lang: Lang) -> str:
    if one.value:
        return say("integration_exchanged", lang, right=one.value, wrong=one.claim.value)
    return say("integration_withdrawn", lang, wrong=trimmed(fold_space(one.claim.text), 100))
