"""analyse: what is a new node to the ones already there?

One round: every new node is compared with the memory as it stood before it, so each pair is judged once; all are judged
on one frozen state (`judge`); then the verdicts are settled in node order: conflicts, then merges, then links.
Merged nodes form the next round. Every merge makes the graph smaller and no pair is judged twice, so this ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, product
from operator import attrgetter

from memorybank.engines.offline.salience import new_values
from memorybank.language.text import one_form
from memorybank.memory import events
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, Comparison, NodeInfo, Relationship
from memorybank.memory.layers.query_graph import QueryGraph
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import SIDES, AgentFailure, ConflictStatus, Lang, Node, Parties, Relation
from memorybank.prompts import say
from memorybank.session.checks import marked_summary, marked_topic, standing_summary
from memorybank.session.effects import Failed
from memorybank.session.prompt_layout import listed_sources, whole_memory
from memorybank.session.stages.agent_failures import agent_failures, by_agent
from memorybank.session.stages.base import StageEffects, asked_together
from memorybank.session.stages.resolving import apply_verdicts, close_corrected, mergeable
from memorybank.session.stages.standing_verdicts import standing_verdicts
from memorybank.session.stages.uniting import Rewrites, components, integrate, unite


def analyse(state: MemoryState, fx: StageEffects) -> list[events.Fact]:
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
    draft.emit(events.NodesAnalysed(node_ids=tuple(node.id for node in fresh), failed=(*by_agent(failed), *apart)))
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
        draft.emit(events.CandidatesRetrieved(node_id=node.id, hits=hits, below=recalled.below))
        candidates.append([nodes[hit.node_id] for hit in hits])
        fx.recall.index.put(node)
    return candidates


def _record(
    draft: Draft, node: Node, others: list[Node], apart: list[Node], answer: Judged, lang: Lang
) -> list[tuple[Node, Relationship]]:
    """Record each judgement; pairs known to be no more than related, which were not asked about, as such."""
    relationships, ignored = answer
    known = Relationship(existing=0, reasoning=say("relation_unchanged", lang), relationship=Relation.UNRELATED)
    judged = [(others[relationship.existing], relationship) for relationship in relationships]
    if others or apart or ignored:
        draft.emit(
            events.RelationsJudged(
                node_id=node.id,
                relations=tuple(
                    events.JudgedRelation(
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
    """Raises a conflict for each pair judged to be one that may be disputed; what a side corrects is one by itself."""
    for node, other, relationship in pairs:
        if relationship.relationship is not Relation.CONFLICT or not _may_dispute(draft, node, other, relationship):
            continue
        by_newer = groupby(sorted(relationship.contradictions, key=_newer), key=_newer)
        for contradictions in [tuple(pairs_found) for _, pairs_found in by_newer] or [()]:
            draft.emit(
                events.ConflictFound(
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
"""The side of a contradiction that corrects the other: what a text corrects is no part of what is to be checked."""


def _may_dispute(draft: Draft, node: Node, other: Node, relationship: Relationship) -> bool:
    """Whether a pair may be disputed: not when it was settled, nor where all its claims are those of an earlier
    conflict between nodes that became these two, nor while that one is open."""
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
    """Settle links, with ids mapped to where nodes are now, and rewrites only of nodes that are still there."""
    busy = draft.state.under_validation()
    graph = draft.state.graph
    for node, other, relationship in pairs:
        left, right = graph.successor(other.id), graph.successor(node.id)
        if left == right:
            continue
        if right not in graph.nodes[left].links:
            draft.emit(events.NodesLinked(left=left, right=right, reason=relationship.reasoning))
        for target, context, keywords, because in (
            (node, relationship.context_update_new, relationship.keywords_update_new, left),
            (other, relationship.context_update_existing, relationship.keywords_update_existing, right),
        ):
            if target.id in graph.nodes and target.id not in busy:
                rewrites.add(target.id, context, keywords, because)


# -- asking the analysis agent ----------------------------------------------------------------------------------------

NEW_PER_CALL = 20
"""New nodes that are asked about together. An engine asks in several calls where they do not fit its window."""

Judged = tuple[list[Relationship], list[str]]
"""An agent's judgements of a new node, and what in its answer could not be used."""


def judge(
    state: MemoryState, fx: StageEffects, fresh: list[Node], candidates: list[list[Node]]
) -> tuple[list[Judged], tuple[AgentFailure, ...]]:
    """Asks for the relations of each new node: answers, and failed calls. With `two_stage` some are asked twice."""
    first = fx.settings.relations
    if fx.settings.strategy == "two_stage":
        first = tuple(relation for relation in fx.settings.relations if relation is not Relation.RELATED)
    answers, failed = _ask(state, fx, fresh, candidates, first)
    if fx.settings.strategy == "two_stage" and Relation.RELATED in fx.settings.relations:
        # The second call is made only for a node that the first found neither in conflict nor the same as another.
        either = {Relation.CONFLICT, Relation.MERGE}
        again = [at for at, (judged, _) in enumerate(answers) if not either & {one.relationship for one in judged}]
        second, lost = _ask(state, fx, [fresh[i] for i in again], [candidates[i] for i in again], (Relation.RELATED,))
        failed += lost
        for place, answer in zip(again, second, strict=True):
            answers[place] = (answer[0], [*answers[place][1], *answer[1]])
    return answers, failed


def _ask(
    state: MemoryState,
    fx: StageEffects,
    fresh: list[Node],
    candidates: list[list[Node]],
    relations: tuple[Relation, ...],
) -> tuple[list[Judged], tuple[AgentFailure, ...]]:
    """Asks about the new nodes in groups; those of a group without a usable answer are asked about one by one."""

    def given(group: Sequence[int]) -> AnalysisInput:
        return _input(state, fx, [(fresh[at], candidates[at]) for at in group], relations)

    places = [place for place, others in enumerate(candidates) if others]
    groups = [places[start : start + NEW_PER_CALL] for start in range(0, len(places), NEW_PER_CALL)]
    answered = asked_together(fx, "analysis", groups, given, AnalysisOutput)
    failed = agent_failures(
        "analysis",
        [answer for _, answer in answered],
        node_ids=[[fresh[place].id for place in group] for group, _ in answered],
    )
    judged: list[Judged] = [([], []) for _ in fresh]
    for group, answer in answered:
        for number, place in enumerate(group):
            judged[place] = _usable(answer, number, len(candidates[place]), relations)
    return judged, failed


def _input(
    state: MemoryState, fx: StageEffects, group: Sequence[tuple[Node, list[Node]]], relations: tuple[Relation, ...]
) -> AnalysisInput:
    together = fx.asks_together("analysis")
    shown = {node.id: info(node, state, fx.lang, raw=not together) for new, others in group for node in (new, *others)}
    first, *further = (
        Comparison(new=shown[node.id], candidates=tuple(shown[other.id] for other in others)) for node, others in group
    )
    memory = whole_memory(state, fx.settings.prompt_tokens, fx.embedder.count_tokens, fx.lang) if together else []
    known = (state.graph.nodes[node_id] for node_id in memory if node_id not in state.progress.fresh)
    return AnalysisInput(
        new=first.new,
        candidates=first.candidates,
        further=tuple(further),
        memory=tuple(info(node, state, fx.lang, raw=False) for node in known),
        task_goal=state.doc.task_goal,
        relations=relations,
        lang=fx.lang,
    )


def info(node: Node, state: MemoryState, lang: Lang, *, raw: bool) -> NodeInfo:
    """Return a node to compare, with its raw text where `raw`: what a check refuted of it is not held against another
    memory again."""
    summary = standing_summary(node) or marked_summary(node, lang)
    sources = listed_sources(state.tree.sources_of(node.id), lang)
    spans = state.tree.spans.get(node.id, ()) if raw else ()
    text = one_form("\n\n".join(map(state.tree.text, spans)))
    for check in node.checks:
        for pair in state.conflicts.all[check.conflict_id].contradictions[check.point : check.point + 1]:
            for side, claim in zip(SIDES, (pair.left, pair.right), strict=True):
                if check.state.decides and side != check.winner:
                    text = text.replace(claim.text, "")
    return NodeInfo(
        summary=summary, context=marked_topic(node, lang), keywords=node.keywords, sources=sources, text=text
    )


def _usable(answer: AnalysisOutput | Failed, number: int, count: int, relations: tuple[Relation, ...]) -> Judged:
    """Drops ids and kinds that were not sent: a model that names another node must not change it."""
    if isinstance(answer, Failed):
        return [], [answer.error]
    usable: dict[int, Relationship] = {}
    ignored: list[str] = []
    for relationship in answer.relationships:
        if relationship.new != number:
            continue
        if relationship.existing >= count:
            ignored.append(f"unknown node {relationship.existing}")
        elif relationship.existing in usable:
            ignored.append(f"node {relationship.existing} was judged twice")
        elif relationship.relationship not in (*relations, Relation.UNRELATED):
            ignored.append(f"{relationship.relationship} was not asked for")
        else:
            usable[relationship.existing] = relationship
    return [usable[ref] for ref in sorted(usable)], ignored


# -- what need not be asked again -------------------------------------------------------------------------------------


def is_known(graph: QueryGraph, left: Node, right: Node) -> bool:
    """Whether a new node and another, or all that was merged into either, were judged no more than related and no value
    has come since; or the new one is a merge that says no more than its parts, which were compared with all that was
    there. Not two that are the same and wait to be united."""
    if right.id in graph.same_as(left.id):
        return False
    if right.seq < left.seq and any(
        not _says_more(left, parts, graph) for parts in _made_of(graph, left) if left not in parts
    ):
        return True
    return any(
        all(
            frozenset((part.id, other.id)) in graph.unrelated or part.id in other.links or other.id in part.links
            for part, other in product(parts, other_parts)
        )
        and not (_says_more(left, parts, graph) or _says_more(right, other_parts, graph))
        for parts, other_parts in product(_made_of(graph, left), _made_of(graph, right))
    )


def _made_of(graph: QueryGraph, node: Node) -> Iterator[tuple[Node, ...]]:
    """Yield the node itself, and the nodes that were merged into it."""
    yield (node,)
    yield from (merge.sources for merge in graph.merges.values() if merge.new_node_id == node.id)


def _says_more(node: Node, parts: Sequence[Node], graph: QueryGraph) -> bool:
    """Whether a node states a number, a date or a name that none of its parts does, in its topic either, nor another
    memory, nor a passage that a check quotes: what these say is compared by itself."""
    if node in parts:
        return False
    quoted = (piece.quote for check in node.checks for piece in check.evidence)
    others = (other for other in graph.nodes.values() if other.id != node.id)
    known = "\n".join([*(words for each in (*parts, *others) for words in (each.context, each.summary)), *quoted])
    return bool(new_values(node.summary, known))
