"""analyse: what is a new node to the ones already there? (design section 5, "analyse")

One round: every new node is compared with the memory as it stood before it, so each pair is judged once; all are judged
on one frozen state (judging.py); then the verdicts are settled in node order: conflicts, then merges, then links.
Merged nodes form the next round. Every merge makes the graph smaller and no pair is judged twice, so this ends.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

from memorybank.memory.contracts import Relationship
from memorybank.memory.events import (
    CandidatesRetrieved,
    ConflictFound,
    Fact,
    JudgedRelation,
    NodesAnalysed,
    NodesLinked,
    RelationsJudged,
)
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import AgentFailure, ConflictStatus, Lang, Node, Parties, Relation
from memorybank.prompts import say
from memorybank.session.stages.agent_failures import by_agent
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.judging import Judged, is_known, judge
from memorybank.session.stages.resolving import apply_verdicts, close_corrected, mergeable
from memorybank.session.stages.rewriting import Rewrites
from memorybank.session.stages.standing_verdicts import standing_verdicts
from memorybank.session.stages.uniting import components, integrate, unite


def analyse(state: MemoryState, fx: StageEffects) -> list[Fact]:
    draft = Draft.of(state, fx.now)
    fresh = [state.graph.nodes[node_id] for node_id in state.progress.fresh]
    retrieved = _retrieve(draft, fx, fresh)
    unrelated = [
        [other for other in others if is_known(state.graph, node, other)]
        for node, others in zip(fresh, retrieved, strict=True)
    ]
    candidates = [
        [other for other in others if other not in known] for others, known in zip(retrieved, unrelated, strict=True)
    ]
    judged, failed = judge(state, fx, fresh, candidates)
    pairs = [
        (node, other, relationship)
        for node, others, known, answer in zip(fresh, candidates, unrelated, judged, strict=True)
        for other, relationship in _record(draft, node, others, known, answer, fx.lang)
    ]
    _settle_conflicts(draft, pairs)
    close_corrected(draft, fx)
    rewrites = Rewrites(draft)
    rest, apart = _settle_merges(draft, fx, pairs, rewrites)
    _settle_links(draft, rest, rewrites)
    rewrites.emit(fx.embedder)
    draft.emit(NodesAnalysed(node_ids=tuple(node.id for node in fresh), failed=(*by_agent(failed), *apart)))
    if executed := state.progress.executed:
        apply_verdicts(draft, fx, standing_verdicts(draft.state, fx.lang), executed)
    return draft.facts


def _retrieve(draft: Draft, fx: StageEffects, fresh: list[Node]) -> list[list[Node]]:
    """Return for each new node the old nodes and the new ones before it, without those it was compared with already."""
    nodes = draft.state.graph.nodes
    fx.recall.sync(nodes, hold_back=[node.id for node in fresh])
    candidates = []
    for node in fresh:
        recalled = fx.recall.for_node(
            node,
            nodes,
            k=fx.settings.retrieval_k,
            alpha=fx.settings.retrieval_alpha,
            share=fx.settings.neighbor_share,
            exclude=draft.state.known_to(node.id),
        )
        hits = tuple(hit for hit in recalled.hits if hit.node_id in fx.recall.index)
        draft.emit(CandidatesRetrieved(node_id=node.id, hits=hits, below=recalled.below))
        candidates.append([nodes[hit.node_id] for hit in hits])
        fx.recall.index.put(node)
    return candidates


def _record(
    draft: Draft, node: Node, others: list[Node], apart: list[Node], answer: Judged, lang: Lang
) -> list[tuple[Node, Relationship]]:
    """Records what was judged, and of the nodes that stay apart that they do: the next merge goes by it."""
    relationships, ignored = answer
    known = Relationship(existing=0, reasoning=say("relation_unchanged", lang), relationship=Relation.UNRELATED)
    judged = [(others[relationship.existing], relationship) for relationship in relationships]
    if others or apart or ignored:
        draft.emit(
            RelationsJudged(
                node_id=node.id,
                relations=tuple(
                    JudgedRelation(
                        node_id=other.id,
                        relation=relationship.relationship,
                        confidence=relationship.confidence,
                        reasoning=relationship.reasoning,
                    )
                    for other, relationship in (*judged, *((other, known) for other in apart))
                ),
                ignored=tuple(ignored),
            )
        )
    return judged


# -- settling ---------------------------------------------------------------------------------------------------------

JudgedPair = tuple[Node, Node, Relationship]
"""A new node, an existing node, and the agent's judgement of the pair."""


def _settle_conflicts(draft: Draft, pairs: list[JudgedPair]) -> None:
    for node, other, relationship in pairs:
        if relationship.relationship is not Relation.CONFLICT or not _may_dispute(draft, node, other, relationship):
            continue
        by_newer = groupby(sorted(relationship.contradictions, key=_newer), key=_newer)
        for contradictions in [tuple(pairs_found) for _, pairs_found in by_newer] or [()]:
            draft.emit(
                ConflictFound(
                    conflict_id=draft.new_conflict(),
                    node_ids=(other.id, node.id),
                    description=relationship.conflict_description or relationship.reasoning,
                    contradictions=contradictions,
                    same_subject=relationship.same_subject is not False,
                    parties=Parties(
                        left=draft.state.tree.sources_of(other.id), right=draft.state.tree.sources_of(node.id)
                    ),
                )
            )


_newer = attrgetter("newer")
"""Which side of a contradiction corrects the other: what a text corrects is no part of what is to be checked."""


def _may_dispute(draft: Draft, node: Node, other: Node, relationship: Relationship) -> bool:
    """Whether a pair may be disputed: not when it was settled, nor on claims its nodes' successors were checked on."""
    state = draft.state
    if frozenset((node.id, other.id)) in state.conflicts.settled:
        return False
    claims = {(pair.left.text, pair.right.text) for pair in relationship.contradictions}
    claims |= {(right, left) for left, right in claims}
    for conflict in state.conflicts.all.values():
        if {state.graph.successor(node_id) for node_id in conflict.node_ids} == {node.id, other.id}:
            known = {(pair.left.text, pair.right.text) for pair in conflict.contradictions}
            if conflict.status is ConflictStatus.OPEN or not claims or claims <= known | {(b, a) for a, b in known}:
                return False
    return True


def _settle_merges(
    draft: Draft, fx: StageEffects, pairs: list[JudgedPair], rewrites: Rewrites
) -> tuple[list[JudgedPair], tuple[AgentFailure, ...]]:
    """Merge connected components of same-content pairs; give back the pairs that are left to be linked.

    Those of an integration that failed are among them.
    """
    busy = draft.state.under_validation()
    settled = draft.state.conflicts.settled
    merging: list[JudgedPair] = []
    rest: list[JudgedPair] = []
    for pair in pairs:
        node, other, relationship = pair
        if relationship.relationship is Relation.MERGE:
            free = node.id not in busy and other.id not in busy and frozenset((node.id, other.id)) not in settled
            (merging if free else rest).append(pair)
        elif relationship.relationship is Relation.RELATED:
            rest.append(pair)
    uniting = mergeable([(node.id, other.id) for node, other, _ in merging], draft.state.told_apart())
    rest += [pair for pair in merging if (pair[0].id, pair[1].id) not in uniting]
    merging = [pair for pair in merging if (pair[0].id, pair[1].id) in uniting]
    groups = components(uniting)
    strategies = [
        tuple(
            relationship.merge_strategy
            for node, _, relationship in merging
            if node.id in group and relationship.merge_strategy
        )
        for group in groups
    ]
    integrations = integrate(draft, fx, groups, trigger="merge", strategies=strategies)
    failed = unite(draft, fx, integrations, trigger="merge", rewrites=rewrites)
    apart = {node_id for failure in failed for node_id in failure.node_ids}
    return [*rest, *(pair for pair in merging if pair[0].id in apart)], failed


def _settle_links(draft: Draft, pairs: list[JudgedPair], rewrites: Rewrites) -> None:
    """Links, with ids mapped to where the nodes are now; rewrites only of nodes that are still there."""
    busy = draft.state.under_validation()
    graph = draft.state.graph
    for node, other, relationship in pairs:
        left, right = graph.successor(other.id), graph.successor(node.id)
        if left == right:
            continue
        if right not in graph.nodes[left].links:
            draft.emit(NodesLinked(left=left, right=right, reason=relationship.reasoning))
        for target, context, keywords, because in (
            (node, relationship.context_update_new, relationship.keywords_update_new, left),
            (other, relationship.context_update_existing, relationship.keywords_update_existing, right),
        ):
            if target.id in graph.nodes and target.id not in busy:
                rewrites.add(target.id, context, keywords, because)
