"""The analysis agent: what a new memory is to each candidate (final specification, section 7.3).

One call where the candidates fit the window. Where they do not, they are asked in several calls, each candidate once;
memories too long to stand side by side are compared part by part, each pair of parts once, and the answers united.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.quoting import contradiction
from memorybank.engines.llm.schemas import AMPLE, analysis_answer
from memorybank.engines.llm.wire import RelationJudgement
from memorybank.engines.pieces import pieces
from memorybank.language.text import fold_space
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, NodeInfo, Relationship
from memorybank.memory.types import Contradiction, Relation

ANSWER_TOKENS = 220
"""Tokens of the answer on one candidate, generously: it bounds the candidates of a call."""
_BOUNDED_TOKENS = 330
"""Tokens of that answer in a small context, whose bounded strings a small model fills to the end (schemas.py)."""
MOST_KEYWORDS = 12
"""The most keywords of an updated list."""
TOPIC_CHARS = 240
"""Characters of a topic line."""
_ORDER = (Relation.CONFLICT, Relation.MERGE, Relation.RELATED, Relation.UNRELATED)
_FRAME_TOKENS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _CandidatePart:
    """A candidate, or a part of one, as it is shown."""

    candidate: int
    node: NodeInfo
    tokens: int


class LLMAnalysis:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: AnalysisInput) -> AnalysisOutput:
        """Judges each candidate. Numbers that name no candidate are passed on as such: the stage records them."""
        if not request.candidates:
            return AnalysisOutput(relationships=())
        answer = analysis_answer(request.relations)
        empty = NodeInfo(summary="", context="", keywords=())
        relations = [relation.value for relation in request.relations]
        room = self._asker.room(
            "analysis", request.lang, answer, new=empty, candidates=(), relations=relations, partial=True
        )
        new_parts = self._parts(request.new, room // 2)
        size = self._asker.window("analysis").answer
        most = max(1, size // (ANSWER_TOKENS if size >= AMPLE else _BOUNDED_TOKENS))
        relationships: list[Relationship] = []
        surplus_relationships: list[Relationship] = []
        for new in new_parts:
            left = room - self._tokens(new)
            shown = [
                _CandidatePart(candidate=place, node=part, tokens=self._tokens(part))
                for place, node in enumerate(request.candidates)
                for part in self._parts(node, left)
            ]
            partial = len(new_parts) > 1 or len(shown) > len(request.candidates)
            for batch in _batches(shown, left, most):
                judged = self._asker.ask(
                    "analysis",
                    request.lang,
                    answer,
                    items=len(batch),
                    new=new,
                    candidates=[part.node for part in batch],
                    relations=relations,
                    partial=partial,
                )
                read, surplus = self._read(judged.relationships, batch, request)
                relationships += read
                surplus_relationships += surplus
        return AnalysisOutput(relationships=(*_united(relationships, len(request.candidates)), *surplus_relationships))

    def _tokens(self, node: NodeInfo) -> int:
        return self._asker.count("\n".join((node.context, " ".join(node.keywords), node.summary))) + _FRAME_TOKENS

    def _parts(self, node: NodeInfo, limit: int) -> list[NodeInfo]:
        """The node, or nodes with its summary in parts that fit."""
        size = self._tokens(node)
        if size <= limit:
            return [node]
        left = max(16, limit - (size - self._asker.count(node.summary)))
        cut = pieces(node.summary, left, self._asker.count)
        return [node.model_copy(update={"summary": node.summary[start:end].strip()}) for start, end in cut]

    def _read(
        self, judged: Sequence[RelationJudgement], batch: Sequence[_CandidatePart], request: AnalysisInput
    ) -> tuple[list[Relationship], list[Relationship]]:
        """Reads the judgements of the candidates shown, and the surplus ones, which the stage refuses."""
        by_candidate: dict[int, Relationship] = {}
        surplus: list[Relationship] = []
        for judgement in judged:
            known = 0 <= judgement.existing < len(batch)
            if known:
                place = batch[judgement.existing].candidate
                read = self._relationship(judgement, place, request.candidates[place], request)
                if place not in by_candidate:
                    by_candidate[place] = read
                    continue
                surplus.append(read)
            elif judgement.existing < 0:
                self._asker.note(f"analysis: unknown node {judgement.existing}")
            else:
                out_of_range = max(judgement.existing, len(request.candidates))
                surplus.append(self._relationship(judgement, out_of_range, None, request))
        return list(by_candidate.values()), surplus

    def _relationship(
        self, judgement: RelationJudgement, place: int, old: NodeInfo | None, request: AnalysisInput
    ) -> Relationship:
        relation = Relation(judgement.relationship)
        conflict, related = relation is Relation.CONFLICT, relation is Relation.RELATED
        new = request.new
        return Relationship(
            existing=place,
            reasoning=judgement.reasoning,
            relationship=relation,
            confidence=judgement.confidence,
            conflict_description=judgement.conflict_description if conflict else "",
            contradictions=self._contradictions(judgement, old, new) if conflict and old else (),
            same_subject=judgement.same_subject or not conflict,
            merge_strategy=judgement.merge_strategy if relation is Relation.MERGE else "",
            context_update_new=fold_space(judgement.context_update_new)[:TOPIC_CHARS] if related else "",
            context_update_existing=fold_space(judgement.context_update_existing)[:TOPIC_CHARS] if related else "",
            keywords_update_new=judgement.keywords_update_new[:MOST_KEYWORDS] if related else (),
            keywords_update_existing=judgement.keywords_update_existing[:MOST_KEYWORDS] if related else (),
        )

    def _contradictions(self, judgement: RelationJudgement, old: NodeInfo, new: NodeInfo) -> tuple[Contradiction, ...]:
        contradictions: list[Contradiction] = []
        for dispute in judgement.contradictions:
            made = contradiction(dispute, old, new, judgement.confidence)
            if isinstance(made, str):
                self._asker.note(f"analysis: a contradiction on {dispute.attribute or 'a point'} was dropped: {made}")
            else:
                contradictions.append(made)
        return tuple(contradictions)


def _batches(shown: Sequence[_CandidatePart], room: int, most: int) -> Iterator[list[_CandidatePart]]:
    """Calls of as many parts as fit; two parts of one candidate never share a call, or their numbers would mix."""
    waiting = list(shown)
    while waiting:
        batch: list[_CandidatePart] = []
        rest: list[_CandidatePart] = []
        used = 0
        for part in waiting:
            taken = part.candidate in {other.candidate for other in batch}
            if len(batch) < most and not taken and (not batch or used + part.tokens <= room):
                batch.append(part)
                used += part.tokens
            else:
                rest.append(part)
        yield batch
        waiting = rest


def _united(relationships: Sequence[Relationship], count: int) -> Iterator[Relationship]:
    """One a candidate, in their order.

    Of the answers on its parts a conflict wins, then any relation; it is merged only if all of its parts are the same.
    """
    for place in range(count):
        judged = [relationship for relationship in relationships if relationship.existing == place]
        if judged:
            yield _strongest(judged)


def _strongest(judged: Sequence[Relationship]) -> Relationship:
    kinds = {relationship.relationship for relationship in judged}
    first = min(judged, key=lambda relationship: _ORDER.index(relationship.relationship))
    if first.relationship is Relation.CONFLICT:
        points = [point for relationship in judged for point in relationship.contradictions]
        return first.model_copy(update={"contradictions": tuple(dict.fromkeys(points))})
    if first.relationship is Relation.MERGE and len(kinds) > 1:
        return first.model_copy(update={"relationship": Relation.RELATED, "merge_strategy": ""})
    return first
