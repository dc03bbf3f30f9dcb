"""The integration agent without a model of language: several nodes about one thing become one.

The newest statement stays and is completed by what the others add. Every sentence stays word for word; one goes only
where the same sentence is kept, and the description tells of it. What a verdict refuted stays, too: the checks on the
node mark it. The name is made anew from what the node says now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from memorybank.engines.offline.naming import learnt_keywords, name_of_summary, own_name
from memorybank.engines.offline.statements import Statement, joined, statements
from memorybank.engines.offline.units import unmarked
from memorybank.language.parse import Parse
from memorybank.language.quotation import names
from memorybank.language.text import fold_space
from memorybank.memory import contracts
from memorybank.memory.types import SIDES, Claim, Lang
from memorybank.prompts import say

MOST_KEYWORDS = 10


class _Lost(NamedTuple):
    """A claim that a verdict refuted, by its node, and what holds instead."""

    node: int
    claim: Claim
    value: str


class OfflineIntegration:
    """Keeps and completes; never rewrites, and never takes out what nothing else says."""

    def __init__(self, parse: Parse) -> None:
        self._parse = parse

    def run(self, request: contracts.IntegrationInput) -> contracts.IntegrationOutput:
        lost = [each for verdict in request.verdicts for each in _losing(verdict)]
        losers = {each.node for each in lost}
        order = sorted(range(len(request.nodes)), key=lambda place: (place in losers, -place))
        summary, added, repeated = _merged([request.nodes[place] for place in order])
        standing = [place for place in order if place not in losers] or order
        text = request.nodes[standing[0]].summary if losers else summary
        keywords = _keywords(request.nodes, order, lost)
        context = name_of_summary(text, [request.nodes[place].context for place in standing], keywords, self._parse)
        told = dict.fromkeys(_outcome(each, request.lang) for each in lost)
        outcomes = say("integration_between", request.lang).join(told)
        neighbors = {neighbor.ref: neighbor for node in request.nodes for neighbor in node.neighbors}
        return contracts.IntegrationOutput(
            summary=summary,
            context=context,
            keywords=keywords,
            neighbor_updates=tuple(
                contracts.NeighborUpdate(
                    ref=ref, context=own_name(neighbor, self._parse), keywords=learnt_keywords(neighbor, keywords)
                )
                for ref, neighbor in sorted(neighbors.items())
            ),
            interaction_tree_description=say(
                f"integration_{request.trigger}",
                request.lang,
                count=len(request.nodes),
                topic=context,
                outcomes=outcomes or say("integration_nothing", request.lang),
                added=added,
                repeated=repeated,
            ),
        )


def _losing(verdict: contracts.PairVerdict) -> Iterator[_Lost]:
    for pair in verdict.contradictions if verdict.status.merges else ():
        claims = {"left": pair.left, "right": pair.right}
        value = claims[verdict.winner].value if verdict.winner else verdict.value
        for side, node in zip(SIDES, (verdict.left, verdict.right), strict=True):
            if side != verdict.winner:
                yield _Lost(node, claims[side], value)


def _merged(nodes: Sequence[contracts.NodeInfo]) -> tuple[str, int, int]:
    """Unite summaries in the order given: the first whole, of the others what the kept ones do not say; with the number
    of sentences that were added, and of those that were left out."""
    kept: list[Statement] = []
    known: set[str] = set()
    added = repeated = 0
    for rank, node in enumerate(nodes):
        first = True
        for statement in statements(node.summary):
            words = fold_space(unmarked(statement.text))
            if rank and words in known:
                repeated += 1
                continue
            known.add(words)
            kept.append(replace(statement, gap="\n") if first and rank else statement)
            first = False
            added += bool(rank)
    return joined(kept), added, repeated


def _keywords(
    nodes: Sequence[contracts.NodeWithNeighbors], order: Sequence[int], lost: Sequence[_Lost]
) -> tuple[str, ...]:
    """Return the nodes' keywords in their order, each once; a node that lost gives none that names what it lost."""
    keywords: dict[str, str] = {}
    for place in order:
        refuted = [each.claim.value for each in lost if each.node == place]
        for keyword in nodes[place].keywords:
            if not any(names(keyword, value) for value in refuted):
                keywords.setdefault(keyword.casefold(), keyword)
    return tuple(keywords.values())[:MOST_KEYWORDS]


def _outcome(lost: _Lost, lang: Lang) -> str:
    if lost.value and lost.claim.value:
        return say("integration_exchanged", lang, right=lost.value, wrong=lost.claim.value)
    return say("integration_withdrawn", lang, wrong=fold_space(lost.claim.text))
