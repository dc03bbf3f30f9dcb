"""Uniting nodes: one integration a group, for direct merges and for conflicts that were resolved."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from memorybank.embedding.base import Embedder
from memorybank.engines.pieces import packed
from memorybank.language.text import fold_space, sentences
from memorybank.memory.contracts import (
    IntegrationInput,
    IntegrationOutput,
    NeighborInfo,
    NodeWithNeighbors,
    PairVerdict,
    Union,
)
from memorybank.memory.events import NodeChecked, NodeDescribed, NodesMerged
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import AgentFailure, ConflictId, Lang, MergeEventId, NodeId
from memorybank.prompts import say
from memorybank.prompts.tags import without_blocks
from memorybank.retrieval.recall import embed_nodes
from memorybank.session.checks import carried, marks_of
from memorybank.session.effects import Failed
from memorybank.session.prompt_layout import listed_sources
from memorybank.session.stages.agent_failures import agent_failures
from memorybank.session.stages.base import Group, StageEffects, asked_together

UNION_SHARE = 0.6
"""Part of an answer that unions asked for together take: what is said beside their summaries has the rest."""
MAX_KEYWORDS = 12
"""A node's keywords are a query's first tokens (16 at most); more of them would crowd its topic out."""


class Rewrites:
    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._new: dict[NodeId, tuple[str, tuple[str, ...], NodeId]] = {}

    def add(self, node_id: NodeId, context: str, keywords: Sequence[str], because: NodeId) -> None:
        """Ask for a rewrite: a topic line, and the whole list of keywords. What is empty leaves that part.

        All rewrites of a stage were made from the node as it was: the last line that is another one stands; what any
        list adds comes, what any drops goes. A node that has keywords keeps some.
        """
        node = self._draft.state.graph.nodes[node_id]
        context_before, keywords_before, _ = self._new.get(node_id, (node.context, node.keywords, because))
        described = (
            context_before if context.strip() in ("", node.context) else context.strip(),
            _updated(node.keywords, keywords_before, keywords) or keywords_before,
        )
        if described != (context_before, keywords_before):
            self._new[node_id] = (*described, because)

    def emit(self, embedder: Embedder) -> None:
        """Write the rewrites that change something, of nodes that are still there, embedded in one batch."""
        nodes = self._draft.state.graph.nodes
        real = [
            (nodes[node_id], *new)
            for node_id, new in self._new.items()
            if node_id in nodes and (nodes[node_id].context, nodes[node_id].keywords) != new[:2]
        ]
        vectors = embed_nodes(embedder, [(node.summary, context, keywords) for node, context, keywords, _ in real])
        for (node, context, keywords, because), vector in zip(real, vectors, strict=True):
            self._draft.emit(
                NodeDescribed(
                    node_id=node.id,
                    context_before=node.context,
                    context=context,
                    keywords_before=node.keywords,
                    keywords=keywords,
                    vector=vector,
                    because=because,
                )
            )
        self._new.clear()


def _updated(own: Sequence[str], now: Sequence[str], listed: Sequence[str]) -> tuple[str, ...]:
    """Return the keywords as they are now in this stage, brought to a list that was made from the node's own."""
    words = tuple(dict.fromkeys(word.strip() for word in listed if word.strip()))
    if not words or tuple(now) == tuple(own):
        return words[:MAX_KEYWORDS]
    dropped = set(own) - set(words)
    kept = [word for word in now if word not in dropped]
    return tuple(dict.fromkeys((*kept, *(word for word in words if word not in own))))[:MAX_KEYWORDS]


_ID_RE = re.compile(r"(?<![A-Za-z0-9_])[nc]\d{1,9}(?![A-Za-z0-9_])")


def components(pairs: Sequence[tuple[NodeId, NodeId]]) -> list[tuple[NodeId, ...]]:
    """Return the connected components of at least two nodes, each in order of creation, oldest component first."""
    leader: dict[NodeId, NodeId] = {}

    def find(node: NodeId) -> NodeId:
        while leader.setdefault(node, node) != node:
            node = leader[node]
        return node

    for left, right in pairs:
        leader[find(left)] = find(right)
    groups: dict[NodeId, list[NodeId]] = {}
    for node in leader:
        groups.setdefault(find(node), []).append(node)
    return sorted((tuple(sorted(group, key=_number)) for group in groups.values()), key=lambda group: _number(group[0]))


def _number(node_id: NodeId) -> int:
    return int(node_id[1:])


@dataclass(frozen=True, slots=True)
class Integration:
    """The agent's answer on what a group of nodes becomes."""

    group: tuple[NodeId, ...]
    neighbours: tuple[NodeId, ...]
    """The group's neighbours, in the order of the numbers that the agent saw."""
    answer: Union | Failed


def integrate(
    draft: Draft,
    fx: StageEffects,
    groups: Sequence[tuple[NodeId, ...]],
    *,
    trigger: Literal["merge", "conflict"],
    strategies: Sequence[tuple[str, ...]] = (),
    verdicts: Sequence[tuple[PairVerdict, ...]] = (),
    validation_result: str = "",
) -> list[Integration]:
    """Ask what each group becomes; nothing is changed yet. Those whose unions fit an answer are asked about together,
    after a failure one by one."""
    report, replaced = without_blocks(validation_result), {node_id for group in groups for node_id in group}

    @cache
    def request(places: Group) -> tuple[IntegrationInput, tuple[NodeId, ...]]:
        flat = tuple(node_id for place in places for node_id in groups[place])
        given, refs = _input(draft, flat, replaced, fx.lang)
        ruled = []
        for place in places if verdicts else ():
            for verdict in verdicts[place]:
                left, right = (flat.index(groups[place][number]) for number in (verdict.left, verdict.right))
                reasoning = _numbered(verdict.reasoning, draft.state, flat, fx.lang)
                ruled.append(verdict.model_copy(update={"left": left, "right": right, "reasoning": reasoning}))
        asked = IntegrationInput(
            nodes=given,
            sizes=tuple(len(groups[place]) for place in places) if len(places) > 1 else (),
            trigger=trigger,
            merge_strategies=tuple(line for place in places if strategies for line in strategies[place]),
            verdicts=tuple(ruled),
            validation_result=_numbered(report, draft.state, flat, fx.lang),
            lang=fx.lang,
        )
        return asked, tuple(refs)

    def size(place: int) -> int:
        return sum(fx.embedder.count_tokens(draft.state.graph.nodes[node_id].summary) for node_id in groups[place])

    batches: list[Sequence[int]] = [(place,) for place in range(len(groups))]
    if len(groups) > 1 and fx.asks_together("integration"):
        limit = int(UNION_SHARE * min(fx.settings.llm.max_tokens, fx.window("integration") // 3))
        batches = list(packed(range(len(groups)), limit, size))
    united: list[Integration] = []
    answered = asked_together(fx, "integration", batches, lambda places: request(places)[0], IntegrationOutput)
    for places, answer in answered:
        unions: list[Union | Failed] = [answer]
        unions += answer.further if isinstance(answer, IntegrationOutput) else ()
        _, refs = request(places)
        united += [Integration(groups[at], refs, union) for at, union in zip(places, unions, strict=True)]
    return united


def unite(
    draft: Draft,
    fx: StageEffects,
    integrations: Sequence[Integration],
    *,
    trigger: Literal["merge", "conflict"],
    rewrites: Rewrites,
    rest_of: MergeEventId | None = None,
) -> tuple[AgentFailure, ...]:
    """Merge each group into one new node. Gives back the groups whose integration failed; their nodes stay."""
    for integration in integrations:
        if not isinstance(integration.answer, Failed):
            _merge(draft, fx, integration, integration.answer, trigger, rewrites, rest_of)
    answers = [integration.answer for integration in integrations]
    return agent_failures("integration", answers, node_ids=[integration.group for integration in integrations])


def _input(
    draft: Draft, group: tuple[NodeId, ...], replaced: Collection[NodeId], lang: Lang
) -> tuple[tuple[NodeWithNeighbors, ...], list[NodeId]]:
    """Return the nodes as the agent sees them, and the neighbours in the order of their numbers.

    A node that another group replaces is no neighbour: what is said of it would be lost.
    """
    graph = draft.state.graph
    refs = list(dict.fromkeys(link for node_id in group for link in graph.nodes[node_id].links if link not in replaced))
    number = {node_id: place for place, node_id in enumerate(refs)}
    given = tuple(
        NodeWithNeighbors(
            summary=node.summary,
            context=node.context,
            keywords=node.keywords,
            sources=listed_sources(draft.state.tree.sources_of(node.id), lang),
            refuted=tuple(fold_space(node.summary[mark.start : mark.end]) for mark, _ in marks_of(node)),
            neighbors=tuple(
                NeighborInfo(ref=number[near.id], context=near.context, keywords=near.keywords, summary=near.summary)
                for near in (graph.nodes[link] for link in node.links if link in number)
            ),
        )
        for node in (graph.nodes[node_id] for node_id in group)
    )
    return given, refs


def _numbered(text: str, state: MemoryState, group: tuple[NodeId, ...], lang: Lang) -> str:
    """Return the text with the ids of the group's nodes and conflicts as the numbers that the agent knows them by."""

    def number(node_id: str) -> int | None:
        live = state.graph.successor(NodeId(node_id))
        return group.index(live) if live in group else None

    def replaced(match: re.Match[str]) -> str:
        conflict = state.conflicts.all.get(ConflictId(match[0]))
        if conflict is None:
            place = number(match[0])
            return match[0] if place is None else say("integration_memory", lang, number=place)
        left, right = map(number, conflict.node_ids)
        if left is not None and left == right:  # both sides have become one memory since
            return say("integration_memory", lang, number=left)
        return match[0] if None in (left, right) else say("integration_pair", lang, left=left, right=right)

    return _ID_RE.sub(replaced, text)


def _merge(
    draft: Draft,
    fx: StageEffects,
    integration: Integration,
    answer: Union,
    trigger: Literal["merge", "conflict"],
    rewrites: Rewrites,
    rest_of: MergeEventId | None,
) -> None:
    group, refs, new_id = integration.group, integration.neighbours, draft.new_node()
    sources = [draft.state.graph.nodes[node_id] for node_id in group]
    dropped = _dropped([node.summary for node in sources], answer.summary)
    (vector,) = embed_nodes(fx.embedder, [(answer.summary, answer.context, answer.keywords)])
    draft.emit(
        NodesMerged(
            event_id=draft.new_merge(),
            merged_node_ids=group,
            new_node_id=new_id,
            summary=answer.summary,
            context=answer.context,
            keywords=answer.keywords,
            vector=vector,
            trigger=trigger,
            description=answer.interaction_tree_description,
            dropped=dropped,
            rest_of=rest_of,
        )
    )
    if checks := tuple(check for node in sources for check in carried(node, answer.summary)):
        draft.emit(NodeChecked(node_id=new_id, checks=checks))
    free = draft.state.graph.nodes.keys() - draft.state.under_validation()
    for update in answer.neighbor_updates:
        if update.ref < len(refs) and refs[update.ref] in free:
            rewrites.add(refs[update.ref], update.context, update.keywords, new_id)


def _dropped(sources: Sequence[str], summary: str) -> tuple[str, ...]:
    """Return the sources' sentences that the merged summary does not have verbatim; the raw text still has them."""
    kept = fold_space(summary)
    said = [fold_space(text[start:end]) for text in sources for start, end in sentences(text)]
    return tuple(dict.fromkeys(sentence for sentence in said if sentence and sentence not in kept))
