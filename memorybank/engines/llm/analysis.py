"""The analysis agent: what each new memory is to each of its candidates (final specification, section 7.3).

One call for all new memories that are asked about together, where they fit the window. Where they do not, the pairs are
asked in several calls, each pair once; new memories too long to stand beside another are compared part by part, each
pair of parts once, and the answers united. Of a long existing memory then only the sentences stand that share most
with the new ones: what contradicts or repeats a statement is said in its words. While all of memory fits, it stands
before the new ones, in the order of its creation: so each request begins as the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from memorybank.engines.llm.asking import BUDGET, Asker
from memorybank.engines.llm.schemas import AMPLE, analysis_answer
from memorybank.engines.llm.wire import DisputedPoint, RelationJudgement
from memorybank.engines.offline.salience import mentions
from memorybank.engines.pieces import pieces
from memorybank.language.text import NEGATION_RE, fold_space, one_form, sentences
from memorybank.llm.schemas import one_line
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, Comparison, NodeInfo, Relationship
from memorybank.memory.types import Claim, ClaimKind, Contradiction, Relation
from memorybank.prompts import say
from memorybank.prompts.excerpts import excerpts

ANSWER_TOKENS = 80
"""Tokens of the answer on one pair, on average: it bounds the pairs of a call. One on a conflict takes 300, one that is
plainly unrelated 4; ten calls on 15 to 34 pairs took 34 to 137 each, the more the fewer. What is cut off is asked again
with twice the room."""
SPARE = 8
"""The part of its bound by which a call may hold more pairs where it then holds all."""
_BOUNDED_TOKENS = 330
"""Tokens of that answer in a small context, whose bounded strings a small model fills to the end (schemas.py)."""
EXISTING_TOKENS, MOST_EXISTING, LEAST_EXISTING = 600, 2_000, 120
"""Tokens of the sentences of all existing memories where a call does not hold all; of all that few of them may take;
of a short one, which is whole in any case. One of which nothing is shown stands by its topic."""
MOST_KEYWORDS = 12
"""The most keywords of an updated list."""
TOPIC_CHARS = 240
"""The most characters of a topic line."""
GOAL_CHARS = 600
"""The most characters of the goal, which tells what the memories are for."""
_ORDER = (Relation.CONFLICT, Relation.MERGE, Relation.RELATED, Relation.UNRELATED)
_FRAME_TOKENS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Two memories to judge, or parts of them, as they are shown."""

    number: int
    """The place of the comparison in the request; the next field is that of the candidate in it."""
    place: int
    new: NodeInfo
    existing: NodeInfo
    label: int
    """The place of the existing memory among all that are known."""

    @property
    def key(self) -> tuple[int, int]:
        return self.number, self.place


@dataclass(slots=True)
class _Sheet:
    """The pairs that one call shows, no two of them parts of one, or their answers would mix."""

    pairs: list[_Pair] = field(default_factory=list)
    sizes: dict[tuple[int, NodeInfo], int] = field(default_factory=dict)
    """The tokens of each memory, the existing ones under -1."""

    def take(self, pair: _Pair, sizes: tuple[int, int], room: int, most: int) -> bool:
        """Take the pair when it fits, and say whether it did; the first one does."""
        if len(self.pairs) == most or any(pair.key == other.key for other in self.pairs):
            return False  # before the sizes: to look a memory up takes as long as to read it
        shown = {(pair.number, pair.new): sizes[0], (-1, pair.existing): sizes[1]}
        if self.pairs and sum((self.sizes | shown).values()) > room:
            return False
        self.pairs.append(pair)
        self.sizes |= shown
        return True

    def labels(
        self, everything: Mapping[str, NodeInfo]
    ) -> tuple[dict[str, NodeInfo], dict[str, NodeInfo], dict[str, list[_Pair]]]:
        """Label new memories by letter, existing ones by number, pairs by both: "A-0"; "B-A" where both are new.

        Where everything else that is known is shown, what is not among it is as new as what is judged.
        """
        fresh: dict[tuple[int, NodeInfo], str] = {}
        for pair in self.pairs:
            fresh.setdefault((pair.number, pair.new), _letters(len(fresh)))
        old: dict[int, NodeInfo] = {}
        pairs: dict[str, list[_Pair]] = {}
        for pair in self.pairs:
            letters = [name for (number, node), name in fresh.items() if number < pair.number and node == pair.existing]
            if not letters and everything and str(pair.label) not in everything:
                letters = [fresh.setdefault((-1, pair.existing), _letters(len(fresh)))]
            if not letters:
                old[pair.label] = pair.existing
            name = letters[0] if letters else str(pair.label)
            pairs.setdefault(f"{fresh[pair.number, pair.new]}-{name}", []).append(pair)
        existing = {str(label): old[label] for label in sorted(old)}
        return {name: node for (_, node), name in fresh.items()}, existing, pairs


def _letters(number: int) -> str:
    """Return the letters of a place: A, B … Z, AA, BB …"""
    return ascii_uppercase[number % 26] * (number // 26 + 1)


class LLMAnalysis:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: AnalysisInput) -> AnalysisOutput:
        new = [comparison.new for comparison in request.comparisons if comparison.candidates]
        candidates = list(dict.fromkeys(node for each in request.comparisons for node in each.candidates))
        if not candidates:
            return AnalysisOutput(relationships=())
        labels = {node: label for label, node in enumerate(dict.fromkeys((*request.memory, *candidates)))}
        room = self._room(request)
        everything = {str(label): node for node, label in labels.items() if node not in new}
        if not self._fit((*new, *labels), room if request.memory else min(room, BUDGET)):
            everything = {}
        whole = bool(everything) or self._fit((*new, *candidates), min(room, BUDGET))
        shown = {} if whole else self._excerpts([node for node in candidates if node not in new], request)
        pairs = self._pairs(request, shown, labels, room)
        judged = (each for sheet in self._sheets(pairs, room) for each in self._judged(sheet, request, everything))
        return AnalysisOutput(relationships=tuple(_united(judged)))

    def _room(self, request: AnalysisInput) -> int:
        empty = NodeInfo(summary="", context="", keywords=())
        return self._asker.room(
            "analysis",
            request.lang,
            analysis_answer(request.relations),
            goal=_goal(request),
            new={"A": empty},
            existing={},
            pairs=("A-0",),
            relations=_values(request),
            partial=True,
        )

    def _fit(self, nodes: Iterable[NodeInfo], room: int) -> bool:
        """Whether memories stand whole side by side."""
        return sum(map(self._tokens, dict.fromkeys(nodes))) <= room

    def _sheets(self, pairs: Iterable[_Pair], room: int) -> list[_Sheet]:
        """Puts each pair on the first sheet that has room for it."""
        size = self._asker.window("analysis").answer
        most = max(1, size // (ANSWER_TOKENS if size >= AMPLE else _BOUNDED_TOKENS))
        pairs = list(pairs)
        if len(pairs) <= most + most // SPARE:  # a call of its own for a few costs more than they add to one
            most = len(pairs)
        sheets: list[_Sheet] = []
        for pair in pairs:
            sizes = self._tokens(pair.new), self._tokens(pair.existing)
            if not any(sheet.take(pair, sizes, room, most) for sheet in sheets):
                sheets.append(_Sheet())
                sheets[-1].take(pair, sizes, room, most)
        return sheets

    def _excerpts(self, existing: Sequence[NodeInfo], request: AnalysisInput) -> dict[NodeInfo, NodeInfo]:
        """Return the existing memories where not all are shown whole: of a long one what bears on the new ones."""
        question = "\n".join(comparison.new.summary for comparison in request.comparisons)
        texts = [node.summary for node in existing]
        limit = max(EXISTING_TOKENS, MOST_EXISTING // (len(texts) or 1))
        shown = excerpts(texts, question, limit, LEAST_EXISTING, self._asker.count)
        return {
            node: node.model_copy(update={"summary": part.text, "keywords": ()}) if part.left_out else node
            for node, part in zip(existing, shown, strict=True)
        }

    def _pairs(
        self, request: AnalysisInput, shown: Mapping[NodeInfo, NodeInfo], labels: Mapping[NodeInfo, int], room: int
    ) -> Iterator[_Pair]:
        for number, comparison in enumerate(request.comparisons):
            for new in self._parts(comparison.new, room // 2):
                left = room - self._tokens(new)
                for place, node in enumerate(comparison.candidates):
                    for part in self._parts(shown.get(node, node), left):
                        yield _Pair(number=number, place=place, new=new, existing=part, label=labels[node])

    def _tokens(self, node: NodeInfo) -> int:
        text = "\n".join((node.sources, node.context, " ".join(node.keywords), node.summary))
        return self._asker.count(text) + _FRAME_TOKENS

    def _parts(self, node: NodeInfo, limit: int) -> list[NodeInfo]:
        """Return the node, or nodes with its summary in parts that fit."""
        size = self._tokens(node)
        if size <= limit:
            return [node]
        left = max(16, limit - (size - self._asker.count(node.summary)))
        cut = pieces(node.summary, left, self._asker.count)
        return [node.model_copy(update={"summary": node.summary[start:end].strip()}) for start, end in cut]

    def _judged(
        self, sheet: _Sheet, request: AnalysisInput, everything: Mapping[str, NodeInfo]
    ) -> Iterator[Relationship]:
        new, existing, pairs = sheet.labels(everything)
        answer = self._asker.ask(
            "analysis",
            request.lang,
            analysis_answer(request.relations),
            items=len(pairs),
            goal=_goal(request),
            new=new,
            existing=everything or existing,
            pairs=tuple(pairs),
            relations=_values(request),
            partial=any(_is_partial(pair, request) for pair in sheet.pairs),
        )
        apart = say("relation_apart", request.lang)
        plainly = (RelationJudgement(pair=pair, reasoning=apart, relationship="unrelated") for pair in answer.unrelated)
        for judgement in (*answer.relationships, *plainly):
            if judgement.pair in pairs:
                yield from (self._relationship(judgement, pair, request) for pair in pairs.pop(judgement.pair))
            else:
                self._asker.note(f"analysis: unknown or repeated pair {judgement.pair[:20]}")
        if pairs:
            self._asker.note(f"analysis: nothing was said of {', '.join(pairs)}")

    def _relationship(self, judgement: RelationJudgement, pair: _Pair, request: AnalysisInput) -> Relationship:
        relation = Relation(judgement.relationship)
        conflict, related = relation is Relation.CONFLICT, relation is Relation.RELATED
        whole = pair.existing == request.comparisons[pair.number].candidates[pair.place]
        return Relationship(
            new=pair.number,
            existing=pair.place,
            reasoning=judgement.reasoning,
            relationship=relation,
            confidence=judgement.confidence,
            conflict_description=judgement.conflict_description if conflict else "",
            contradictions=self._contradictions(judgement, request.comparisons[pair.number], pair.place)
            if conflict
            else (),
            same_subject=judgement.same_subject if conflict and "same_subject" in judgement.model_fields_set else None,
            merge_strategy=judgement.merge_strategy if relation is Relation.MERGE else "",
            context_update_new=fold_space(judgement.context_update_new)[:TOPIC_CHARS] if related else "",
            context_update_existing=fold_space(judgement.context_update_existing)[:TOPIC_CHARS] if related else "",
            keywords_update_new=judgement.keywords_update_new[:MOST_KEYWORDS] if related else (),
            keywords_update_existing=judgement.keywords_update_existing[:MOST_KEYWORDS] if related and whole else (),
        )

    def _contradictions(
        self, judgement: RelationJudgement, comparison: Comparison, place: int
    ) -> tuple[Contradiction, ...]:
        contradictions: list[Contradiction] = []
        for dispute in judgement.contradictions:
            made = contradiction(dispute, comparison.candidates[place], comparison.new, judgement.confidence)
            if isinstance(made, str):
                self._asker.note(f"analysis: a contradiction on {dispute.attribute or 'a point'} was dropped: {made}")
            else:
                contradictions.append(made)
        return tuple(contradictions)


def _goal(request: AnalysisInput) -> str:
    return one_line(request.task_goal, GOAL_CHARS)


def _values(request: AnalysisInput) -> list[str]:
    return [relation.value for relation in request.relations]


def _is_partial(pair: _Pair, request: AnalysisInput) -> bool:
    comparison = request.comparisons[pair.number]
    return (pair.new, pair.existing) != (comparison.new, comparison.candidates[pair.place])


def _united(relationships: Iterable[Relationship]) -> Iterator[Relationship]:
    """Yield one relationship a pair, in the order of the pairs.

    Of the answers on its parts a conflict wins, then any relation; it is merged only if all of its parts are the same.
    """
    judged: dict[tuple[int, int], list[Relationship]] = {}
    for relationship in relationships:
        judged.setdefault((relationship.new, relationship.existing), []).append(relationship)
    for key in sorted(judged):
        yield _strongest(judged[key])


def _strongest(judged: Sequence[Relationship]) -> Relationship:
    kinds = {relationship.relationship for relationship in judged}
    first = min(judged, key=lambda relationship: _ORDER.index(relationship.relationship))
    if first.relationship is Relation.CONFLICT:
        points = [point for relationship in judged for point in relationship.contradictions]
        return first.model_copy(update={"contradictions": tuple(dict.fromkeys(points))})
    if first.relationship is Relation.MERGE and len(kinds) > 1:
        return first.model_copy(update={"relationship": Relation.RELATED, "merge_strategy": ""})
    return first


_OUTER = " \t\n\"'“”‘’「」…."


def contradiction(dispute: DisputedPoint, old: NodeInfo, new: NodeInfo, confidence: float) -> Contradiction | str:
    """Return the dispute with both sentences as the memories have them, or why it cannot stand."""
    sides = []
    for node, quote, value, whose in (
        (old, dispute.existing_quote, dispute.existing_value, "existing"),
        (new, dispute.new_quote, dispute.new_value, "new"),
    ):
        sentence = sentence_with(quote, node.summary)
        if not sentence:
            return f"the quote of the {whose} memory is not in it"
        written = _match_of(value, sentence)
        if not written:
            return f"its value is not in the quote of the {whose} memory"
        claim = Claim(
            text=sentence,
            kind=_kind(written[0]),
            subject=dispute.subject or node.context,
            attribute=dispute.attribute,
            value=written[0],
            polarity=not NEGATION_RE.search(written[0]),
        )
        sides.append(claim)
    left, right = sides
    if left.value.casefold() == right.value.casefold() and left.polarity == right.polarity:
        return "both sides have the same value"
    return Contradiction(left=left, right=right, reason=dispute.why or dispute.attribute, confidence=confidence)


def sentence_with(quote: str, text: str) -> str:
    """Return the sentence or sentences of a text that hold a quote, in one form; empty when it does not stand there.

    White space, case and the marks around a quote may differ; its words may not.
    """
    text = one_form(text)
    match = _match_of(quote, text)
    if match is None:
        return ""
    touched = [piece for piece in sentences(text) if piece.start < match.end() and piece.end > match.start()]
    return text[touched[0].start : touched[-1].end].strip()


def _match_of(quote: str, text: str) -> re.Match[str] | None:
    words = one_form(quote).strip(_OUTER).split()
    return re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE) if words else None


def _kind(value: str) -> ClaimKind:
    kinds = {mention.kind for mention in mentions(value)}
    if "date" in kinds:
        return "date"
    if "number" in kinds:
        return "number"
    if NEGATION_RE.search(value):
        return "negation"
    return "name" if "name" in kinds else "text"
