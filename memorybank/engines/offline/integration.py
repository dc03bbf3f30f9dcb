"""The integration agent without a model of language: several nodes about one thing become one.

The newest statement stays and is completed by what the others add. Nothing is dropped silently: a sentence goes only
when a kept one says the same words and values, or when a verdict went against it, and the description tells of both.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memorybank.contracts import (
    IntegrationInput,
    IntegrationOutput,
    NeighborInfo,
    NeighborUpdate,
    NodeInfo,
    NodeWithNeighbors,
)
from memorybank.engines.offline.correction import (
    Correction,
    corrected,
    corrections,
    exchanged,
    mentions_subject,
    restated,
    says_the_same,
)
from memorybank.engines.offline.describing import learnt_keywords, named_topic
from memorybank.engines.offline.salience import mentions
from memorybank.engines.offline.statements import Statement, joined, repeats, reworded, statements
from memorybank.engines.offline.topic_line import trimmed
from memorybank.prompts import say
from memorybank.retrieval.names import name_of
from memorybank.retrieval.tokens import query_tokens
from memorybank.text import fold_space
from memorybank.types import Lang

MOST_KEYWORDS = 10


class OfflineIntegration:
    """Keeps, completes, corrects; never rewrites."""

    def run(self, given: IntegrationInput) -> IntegrationOutput:
        changes = corrections(given.verdicts) if given.trigger == "conflict" else []
        merged = _merged(given.nodes, changes)
        context = _context(given.nodes, changes, merged.summary)
        keywords = _keywords(given.nodes, changes)
        united = NodeInfo(summary=merged.summary, context=context, keywords=keywords)
        return IntegrationOutput(
            summary=merged.summary,
            context=context,
            keywords=keywords,
            neighbor_updates=_neighbor_updates(given.nodes, changes, united),
            interaction_tree_description=_description(given, changes, merged, context),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Merged:
    summary: str
    added: int
    """Sentences taken over from older nodes."""
    repeated: int
    """Sentences left out because a kept one says the same."""


def _merged(nodes: Sequence[NodeWithNeighbors], changes: Sequence[Correction]) -> _Merged:
    """From the newest node to the oldest; after a conflict, nodes that lost nothing before those that did."""
    losers = {change.node for change in changes}
    order = sorted(range(len(nodes)), key=lambda place: (place in losers, -place))
    kept: list[Statement] = []
    added = repeated = 0
    for rank, place in enumerate(order):
        first = True
        for statement in statements(nodes[place].summary):
            text = _after(statement.text, [change for change in changes if change.node == place])
            if text is None:
                continue
            if text != statement.text:
                statement = reworded(statement, text)
            if rank and any(repeats(statement, other) for other in kept):
                repeated += 1
                continue
            kept.append(replace(statement, gap="\n") if first and rank else statement)
            first = False
            added += bool(rank)
    return _Merged(summary=joined(kept), added=added, repeated=repeated)


def _after(sentence: str, changes: Sequence[Correction]) -> str | None:
    """The sentence after all corrections of its node; None when one withdraws it."""
    text: str | None = sentence
    for change in changes:
        if text is not None:
            text = corrected(text, change)
    return text


def _context(nodes: Sequence[NodeWithNeighbors], changes: Sequence[Correction], summary: str) -> str:
    """Of the nodes that lost nothing, the topic line that fits the new summary best; level ones by the newest.

    Where all lost something, that of the newest, corrected if it can be.
    """
    losers = {change.node for change in changes}
    newest = len(nodes) - 1
    standing = [nodes[place].context for place in range(newest, -1, -1) if place not in losers]
    if standing:
        shared = _names_of_all(nodes)
        spoken = [statement.words for statement in statements(summary)]
        return max(standing, key=lambda line: _fit(line, shared, spoken))
    context: str | None = nodes[newest].context
    for change in changes:
        if change.node != newest or context is None:
            continue
        if change.value and says_the_same(context, change, beside=nodes[newest].summary):
            context = restated(context, change)
        elif not change.value and _quotes(context, change.claim.text):
            context = None
    return context if context is not None else _named(nodes[newest])


def _names_of_all(nodes: Sequence[NodeWithNeighbors]) -> frozenset[str]:
    """What all of them name: what they were united on."""
    named = [{one.key for one in mentions(node.summary) if one.kind == "name"} for node in nodes]
    return frozenset(named[0].intersection(*named[1:]))


def _fit(line: str, shared: Collection[str], spoken: Sequence[frozenset[str]]) -> tuple[int, float]:
    """Whether a topic line and its heading name what all nodes name; how much of it the summary speaks of."""
    parts = line, name_of(line) or line
    named = sum(any(one.kind == "name" and one.key in shared for one in mentions(part)) for part in parts)
    words = frozenset(query_tokens(line, limit=len(line) + 1))
    return named, sum(len(words & sentence) for sentence in spoken) / len(words) if words else 0.0


def _named(node: NodeWithNeighbors) -> str:
    """A topic line where no node's own one stands: what it is about, in its first keywords."""
    return ", ".join(node.keywords[:3]) or node.context


def _quotes(context: str, claim: str) -> bool:
    """Whether a topic line is made of a claim's sentence, which it may have shortened."""
    line = fold_space(context).rstrip("….")
    return any(line.endswith(claim[:length]) for length in range(len(claim), 19, -1)) or line in claim


def _keywords(nodes: Sequence[NodeWithNeighbors], changes: Sequence[Correction]) -> tuple[str, ...]:
    """The newest node's first, each once, at most `MOST_KEYWORDS`."""
    found: dict[str, str] = {}
    for place in range(len(nodes) - 1, -1, -1):
        for keyword in nodes[place].keywords:
            text = keyword
            for change in changes:
                if change.node == place and change.value and says_the_same(text, change, beside=nodes[place].summary):
                    text = exchanged(text, change)
            found.setdefault(text.casefold(), text)
    return tuple(found.values())[:MOST_KEYWORDS]


def _neighbor_updates(
    nodes: Sequence[NodeWithNeighbors], changes: Sequence[Correction], united: NodeInfo
) -> tuple[NeighborUpdate, ...]:
    """Of every neighbour: most stay as they were."""
    neighbors = {neighbor.ref: neighbor for node in nodes for neighbor in node.neighbors}
    return tuple(_neighbor_update(neighbor, changes, united) for _, neighbor in sorted(neighbors.items()))


def _neighbor_update(neighbor: NeighborInfo, changes: Sequence[Correction], united: NodeInfo) -> NeighborUpdate:
    """Without the losing value of what a verdict was about, and with what its own text has of the new memory."""
    context, keywords = neighbor.context, neighbor.keywords
    for change in changes:
        about = f"{context}\n{' '.join(keywords)}"
        if change.value and mentions_subject(about, change):
            context = restated(context, change) or context
            keywords = tuple(dict.fromkeys(exchanged(keyword, change) for keyword in keywords))
    corrected_one = neighbor.model_copy(update={"context": context, "keywords": keywords})
    return NeighborUpdate(
        ref=neighbor.ref,
        context=named_topic(corrected_one, united),
        keywords=learnt_keywords(corrected_one, united.keywords),
    )


def _description(given: IntegrationInput, changes: Sequence[Correction], merged: _Merged, context: str) -> str:
    outcomes = say("integration_between", given.lang).join(dict.fromkeys(_outcome(one, given.lang) for one in changes))
    return say(
        f"integration_{given.trigger}",
        given.lang,
        count=len(given.nodes),
        topic=trimmed(context, 80),
        outcomes=outcomes or say("integration_nothing", given.lang),
        added=merged.added,
        repeated=merged.repeated,
    )


def _outcome(change: Correction, lang: Lang) -> str:
    if change.value:
        return say("integration_exchanged", lang, right=change.value, wrong=change.claim.value)
    return say("integration_withdrawn", lang, wrong=trimmed(fold_space(change.claim.text), 100))
