"""analyse: what is a new node to the ones already there? (design section 5, "analyse")

One round: every new node is compared with the memory as it stood before it, so each pair is judged once; all are judged
on one frozen state, in parallel; then the verdicts are settled in node order: conflicts, then merges, then links.
Merged nodes form the next round. Every merge makes the graph smaller and no pair is judged twice, so this ends.
"""

from __future__ import annotations

from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, NodeInfo, Relationship
from memorybank.memory.events import (
    CandidatesRetrieved,
    ConflictFound,
    Fact,
    JudgedRelation,
    NodesAnalysed,
    NodesLinked,
    RelationsJudged,
)
from memorybank.memory.types import AgentFailure, ConflictStatus, Node, Relation
from memorybank.session.effects import Failed
from memorybank.session.stages.agent_failures import agent_failures, by_agent
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.resolving import apply_verdicts
from memorybank.session.stages.rewriting import Rewrites
from memorybank.session.stages.standing_verdicts import standing_verdicts
from memorybank.session.stages.uniting import components, integrate, unite


def analyse(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    draft = Draft.of(state, fx.now)
    fresh = [state.graph.nodes[node_id] for node_id in state.progress.fresh]
    candidates = _retrieve(draft, fx, fresh)
    judged, failed = _judge(state, fx, fresh, candidates)
    pairs = [
        (node, other, relationship)
        for node, others, answer in zip(fresh, candidates, judged, strict=True)
        for other, relationship in _record(draft, node, others, answer)
    ]
    _settle_conflicts(draft, pairs)
    rewrites = Rewrites(draft)
    rest, apart = _settle_merges(draft, fx, pairs, rewrites)
    _settle_links(draft, rest, rewrites)
    rewrites.emit(fx.embedder)
    if executed := state.progress.executed:
        apply_verdicts(draft, fx, standing_verdicts(draft.state, fx.lang), executed)
    draft.emit(NodesAnalysed(node_ids=tuple(node.id for node in fresh), failed=(*by_agent(failed), *apart)))
    return draft.facts


def _retrieve(draft: Draft, fx: StageEffects, fresh: list[Node]) -> list[list[Node]]:
    """For each new node the old nodes and the new ones before it; a merged node's inherited neighbours are known.

    So are the neighbours of a node that is compared once more, but for those it could not be united with.
    """
    nodes, again = draft.state.graph.nodes, draft.state.unfinished.nodes
    fx.recall.sync(nodes, hold_back=[node.id for node in fresh])
    candidates = []
    for node in fresh:
        apart = again[node.id].node_ids if node.id in again else ()
        known = tuple(link for link in node.links if link not in apart)
        recalled = fx.recall.for_node(
            node,
            nodes,
            k=fx.settings.retrieval_k,
            alpha=fx.settings.retrieval_alpha,
            share=fx.settings.neighbor_share,
            exclude=known,
        )
        hits = tuple(hit for hit in recalled.hits if hit.node_id in fx.recall.index)
        draft.emit(CandidatesRetrieved(node_id=node.id, hits=hits, below=recalled.below))
        candidates.append([nodes[hit.node_id] for hit in hits])
        fx.recall.index.put(node)
    return candidates


Judged = tuple[list[Relationship], list[str]]
"""An agent's judgements of a new node, and what in its answer could not be used."""


def _judge(
    state: MemoryBank, fx: StageEffects, fresh: list[Node], candidates: list[list[Node]]
) -> tuple[list[Judged], tuple[AgentFailure, ...]]:
    """Asks for the relations of each new node: answers, and failed calls. One call a node, or two with `two_stage`."""
    first = fx.settings.relations
    if fx.settings.strategy == "two_stage":
        first = tuple(relation for relation in fx.settings.relations if relation is not Relation.RELATED)
    goal = state.doc.task_goal
    answers, failed = _ask(fx, fresh, candidates, first, goal)
    if fx.settings.strategy == "two_stage" and Relation.RELATED in fx.settings.relations:
        # v3: the second call is made only for a node that the first found neither in conflict nor the same as another.
        again = [place for place, (judged, _) in enumerate(answers) if not any(map(_is_conflict_or_merge, judged))]
        second, lost = _ask(fx, [fresh[i] for i in again], [candidates[i] for i in again], (Relation.RELATED,), goal)
        failed += lost
        for place, answer in zip(again, second, strict=True):
            answers[place] = (answer[0], [*answers[place][1], *answer[1]])
    return answers, failed


def _is_conflict_or_merge(relationship: Relationship) -> bool:
    return relationship.relationship in (Relation.CONFLICT, Relation.MERGE)


def _ask(
    fx: StageEffects, fresh: list[Node], candidates: list[list[Node]], relations: tuple[Relation, ...], goal: str
) -> tuple[list[Judged], tuple[AgentFailure, ...]]:
    compared = [node.id for node, others in zip(fresh, candidates, strict=True) if others]
    inputs = [
        AnalysisInput(
            new=info(node), candidates=tuple(map(info, others)), task_goal=goal, relations=relations, lang=fx.lang
        )
        for node, others in zip(fresh, candidates, strict=True)
        if others
    ]
    outputs = fx.ask_all("analysis", inputs, AnalysisOutput)
    failed = agent_failures("analysis", outputs, node_ids=[(node_id,) for node_id in compared])
    answers = iter(outputs)
    return [_usable(next(answers), len(others), relations) if others else ([], []) for others in candidates], failed


def info(node: Node) -> NodeInfo:
    return NodeInfo(summary=node.summary, context=node.context, keywords=node.keywords)


def _usable(answer: AnalysisOutput | Failed, count: int, relations: tuple[Relation, ...]) -> Judged:
    """Drops ids and kinds that were not sent: a model that names another node must not change it."""
    if isinstance(answer, Failed):
        return [], [answer.error]
    usable: dict[int, Relationship] = {}
    ignored: list[str] = []
    for relationship in answer.relationships:
        if relationship.existing >= count:
            ignored.append(f"unknown node {relationship.existing}")
        elif relationship.existing in usable:
            ignored.append(f"node {relationship.existing} was judged twice")
        elif relationship.relationship not in (*relations, Relation.UNRELATED):
            ignored.append(f"{relationship.relationship} was not asked for")
        else:
            usable[relationship.existing] = relationship
    return [usable[ref] for ref in sorted(usable)], ignored


def _record(draft: Draft, node: Node, others: list[Node], answer: Judged) -> list[tuple[Node, Relationship]]:
    relationships, ignored = answer
    if others or ignored:
        draft.emit(
            RelationsJudged(
                node_id=node.id,
                relations=tuple(
                    JudgedRelation(
                        node_id=others[relationship.existing].id,
                        relation=relationship.relationship,
                        confidence=relationship.confidence,
                        reasoning=relationship.reasoning,
                    )
                    for relationship in relationships
                ),
                ignored=tuple(ignored),
            )
        )
    return [(others[relationship.existing], relationship) for relationship in relationships]


# -- settling ---------------------------------------------------------------------------------------------------------

JudgedPair = tuple[Node, Node, Relationship]
"""A new node, an existing node, and the agent's judgement of the pair."""


def _settle_conflicts(draft: Draft, pairs: list[JudgedPair]) -> None:
    for node, other, relationship in pairs:
        if relationship.relationship is not Relation.CONFLICT or not _may_dispute(draft, node, other, relationship):
            continue
        draft.emit(
            ConflictFound(
                conflict_id=draft.new_conflict(),
                node_ids=(other.id, node.id),
                description=relationship.conflict_description or relationship.reasoning,
                contradictions=relationship.contradictions,
                same_subject=relationship.same_subject,
            )
        )


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
    groups = components([(node.id, other.id) for node, other, _ in merging])
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
