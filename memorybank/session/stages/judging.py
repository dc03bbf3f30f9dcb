"""Asking the analysis agent for the relations of new nodes: several of them a call, each pair of nodes once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from memorybank.engines.offline.salience import new_values
from memorybank.language.text import one_form
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, Comparison, NodeInfo, Relationship
from memorybank.memory.layers.query_graph import QueryGraph
from memorybank.memory.state import MemoryState
from memorybank.memory.types import SIDES, AgentFailure, Lang, Node, Relation
from memorybank.session.checks import marked_summary, marked_topic, standing_summary
from memorybank.session.effects import Failed
from memorybank.session.prompt_layout import listed_sources, whole_memory
from memorybank.session.stages.agent_failures import agent_failures
from memorybank.session.stages.base import StageEffects

NEW_PER_CALL = 10
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
        # v3: the second call is made only for a node that the first found neither in conflict nor the same as another.
        again = [place for place, (judged, _) in enumerate(answers) if not any(map(_is_conflict_or_merge, judged))]
        second, lost = _ask(state, fx, [fresh[i] for i in again], [candidates[i] for i in again], (Relation.RELATED,))
        failed += lost
        for place, answer in zip(again, second, strict=True):
            answers[place] = (answer[0], [*answers[place][1], *answer[1]])
    return answers, failed


def _is_conflict_or_merge(relationship: Relationship) -> bool:
    return relationship.relationship in (Relation.CONFLICT, Relation.MERGE)


def _ask(
    state: MemoryState,
    fx: StageEffects,
    fresh: list[Node],
    candidates: list[list[Node]],
    relations: tuple[Relation, ...],
) -> tuple[list[Judged], tuple[AgentFailure, ...]]:
    """Asks about the new nodes in groups; those of a group without a usable answer are asked about one by one."""

    def answers_on(groups: Sequence[Sequence[int]]) -> list[tuple[Sequence[int], AnalysisOutput | Failed]]:
        inputs = [_input(state, fx, [(fresh[at], candidates[at]) for at in group], relations) for group in groups]
        return list(zip(groups, fx.ask_all("analysis", inputs, AnalysisOutput), strict=True))

    places = [place for place, others in enumerate(candidates) if others]
    answered = answers_on([places[start : start + NEW_PER_CALL] for start in range(0, len(places), NEW_PER_CALL)])
    lost = [group for group, answer in answered if isinstance(answer, Failed) and len(group) > 1]
    answered = [(group, answer) for group, answer in answered if group not in lost]
    answered += answers_on([(place,) for group in lost for place in group]) if lost else []
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
    """A node as it is compared, with its raw text where `raw`: what a check refuted of it is not held against another
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
    """Whether a new node and another were judged unrelated, or all that was merged into either, and no value has come
    since; or the new one is a merge that says no more than its parts, which were compared with all that was there. Not
    two that are the same and wait to be united."""
    if right.id in graph.same_as(left.id):
        return False
    if right.seq < left.seq and any(
        not _says_more(left, parts) for parts in _made_of(graph, left) if left not in parts
    ):
        return True
    return any(
        all(frozenset((part.id, other.id)) in graph.unrelated for part, other in product(parts, other_parts))
        and not (_says_more(left, parts) or _says_more(right, other_parts))
        for parts, other_parts in product(_made_of(graph, left), _made_of(graph, right))
    )


def _made_of(graph: QueryGraph, node: Node) -> Iterator[tuple[Node, ...]]:
    """The node itself, and the nodes that were merged into it."""
    yield (node,)
    yield from (merge.sources for merge in graph.merges.values() if merge.new_node_id == node.id)


def _says_more(node: Node, parts: Sequence[Node]) -> bool:
    """Whether a node states a number, a date or a name that none of its parts does, nor a passage that a check quotes:
    the document of that passage has a node of its own, which is compared."""
    quoted = (piece.quote for check in node.checks for piece in check.evidence)
    known = "\n".join([*(part.summary for part in parts), *quoted])
    return node not in parts and bool(new_values(node.summary, known))
