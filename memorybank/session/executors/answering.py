"""The offline answer: each part of the goal with the values and sentences that memory has on it.

A value is given for a part of the goal when a dispute or a statement is on what that part names and asks. What was
checked comes first, then what is not settled, then what was not disputed, then quotations. All of it is verbatim. No
sentence is quoted that a check refuted, and one that is disputed is quoted as such, below both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from memorybank.contradiction.disputes import Dispute
from memorybank.contradiction.same_value import same_value
from memorybank.contradiction.stance import frame_of
from memorybank.contradiction.words import matter, opened, shown
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.asking import Question, question_of
from memorybank.engines.offline.quotable import Passage
from memorybank.engines.offline.quoting import Length, Quote, quotes
from memorybank.engines.offline.stated import Stated, stated
from memorybank.language.han import is_han
from memorybank.language.names import is_named_in, same_name
from memorybank.language.text import fold_space, sentences
from memorybank.language.tokens import tokenize
from memorybank.memory.types import AnswerPoint, ConflictStatus, Node, Span
from memorybank.session.answer_points import MOST_SEARCHED, Ground
from memorybank.session.checks import refuted_by, standing_summary
from memorybank.session.executors.base import Assignment

BEARING = 0.4
"""Share of a question's words in a disputed statement, where the question names nothing to go by."""
MEMORY_WEIGHT = 0.8
"""Weight of a memory's own sentence, where a sentence of a source weighs 1."""
QUOTES_A_PART = 4
STRETCH, ROOM = 400, 900
"""Characters (Han characters counted twice) of one quotation, and of all of them together."""
_ORDER = ("checked", "decided", "disputed", "both_hold")


def goal_points(given: Assignment, parts: Sequence[str], embedder: Embedder) -> tuple[AnswerPoint, ...]:
    """What memory says on each part of the goal, in their order."""
    refuted = frozenset(sentence for conflict in given.closed for sentence in refuted_by(conflict))
    passages = [passage for node in given.memories for passage in _quotable(given, node, refuted)]
    room = max(STRETCH, ROOM // len(parts))
    answering = _Answering(given.ground, passages, refuted, embedder, room)
    return tuple(point for part in parts for point in answering.on(part))


def _quotable(given: Assignment, node: Node, refuted: frozenset[str]) -> Iterator[Passage]:
    """Yield the raw text behind a memory under its document's name, then the sentences that only the memory has."""
    raw = [passage for passage in given.origins if passage.node_id == node.id]
    for passage in raw:
        yield Passage(source=passage.source, text=passage.text, node_id=node.id, place=passage.span, left_out=refuted)
    known_texts = [fold_space(passage.text) for passage in raw]
    summary = standing_summary(node)
    for start, end in sentences(summary):
        sentence = summary[start:end].strip()
        if not any(fold_space(sentence) in text for text in known_texts):
            yield Passage(source="", text=sentence, node_id=node.id, weight=MEMORY_WEIGHT)


@dataclass(slots=True)
class _Answering:
    ground: Ground
    passages: Sequence[Passage]
    """Holds what may be quoted of the memories that the prompt shows."""
    refuted: frozenset[str]
    embedder: Embedder
    room: int
    told: set[str] = field(default_factory=set)
    """Disputes that a part before has, and names on which nothing was found there."""
    taken: list[Quote] = field(default_factory=list)

    def on(self, part: str) -> list[AnswerPoint]:
        question = question_of(part)
        points = self._points(question, self.passages) or self._points(question, list(self._others(question)))
        return [*points, *self._missing(question, points)] if points else [self.ground.nothing(part)]

    def _points(self, question: Question, passages: Sequence[Passage]) -> list[AnswerPoint]:
        found = stated(question, passages) if question.wanted and question.names else []
        disputes = [dispute for dispute in self.ground.disputes if dispute.values]
        bearing = [each for each in disputes if bears_on(each, question) or any(_is_of(one, each) for one in found)]
        quoted = self._quotes(question.text, passages)
        doubtful = [dispute for quote in quoted for dispute in self._undecided_in(quote)]
        bearing += dict.fromkeys(dispute for dispute in doubtful if dispute not in bearing)
        new = [dispute for dispute in bearing if dispute.id not in self.told]
        undisputed = list(self._undisputed(question, found, bearing))
        told = new if new or undisputed or quoted else bearing
        self.told.update(dispute.id for dispute in told)
        disputed = [self.ground.disputed(dispute, question.text) for dispute in told]
        return [
            *sorted(disputed, key=lambda point: _ORDER.index(point.state)),
            *undisputed,
            *(self._quoted(quote, question.text) for quote in quoted),
        ]

    def _others(self, question: Question) -> Iterator[Passage]:
        """Documents that name what a part asks about, where no memory that the prompt shows says anything on it."""
        named = (entry for entry in self.ground.entries.values() if is_named_in(entry.body, question.names))
        for entry in islice(named, MOST_SEARCHED):
            place = Span(entry_id=entry.id, start=entry.body_start, end=len(entry.text))
            yield Passage(source=entry.source, text=entry.body, place=place, left_out=self.refuted)

    def _quotes(self, part: str, passages: Sequence[Passage]) -> list[Quote]:
        length = Length(stretch=min(STRETCH, self.room // 2), room=self.room)  # a second source has its say
        best = quotes(part, passages, self.embedder, QUOTES_A_PART, length, before=self.taken)
        new = [quote for quote in best if not any(quote.text in other.text for other in self.taken)]
        self.taken += best
        return new or best[:1]

    def _quoted(self, quote: Quote, part: str) -> AnswerPoint:
        node = (quote.passage.node_id,) if quote.passage.node_id else ()
        point = self.ground.undisputed(quote.text, filter(None, (quote.place,)), node, part=part)
        values = (replace(point.values[0], node_ids=node or point.values[0].node_ids),)
        point = replace(point, is_sentence=True, values=values)
        if doubtful := self._undecided_in(quote):
            ids = tuple(dict.fromkeys(id_ for dispute in doubtful for id_ in dispute.conflict_ids))
            return replace(point, state="disputed", independent=0, conflict_ids=ids)
        return point

    def _undecided_in(self, quote: Quote) -> list[Dispute]:
        """The disputes that no check has settled and of which a quotation has a side."""
        text = fold_space(quote.text)
        return [
            dispute
            for dispute in self.ground.disputes
            if dispute.values and dispute.status in (ConflictStatus.OPEN, ConflictStatus.INCONCLUSIVE)
            if any(claim.text.strip() and fold_space(claim.text) in text for claim in dispute.claims)
        ]

    def _undisputed(
        self, question: Question, found: Sequence[Stated], bearing: Sequence[Dispute]
    ) -> Iterator[AnswerPoint]:
        """The values that were read and are in no dispute; of several figures no check has said which holds."""
        free = [
            one for one in found if not any(_is_of(one, each) or _is_decided_against(one, each) for each in bearing)
        ]
        for name in dict.fromkeys(one.name for one in free):
            points = [self._value(question, one) for one in free if one.name == name]
            if len(points) > 1 and question.wanted & {"number", "date"}:
                values = tuple(value for point in points for value in point.values)
                yield replace(points[0], state="disputed", independent=0, values=values)
            else:
                yield from points

    def _value(self, question: Question, value: Stated) -> AnswerPoint:
        attribute = value.claim.attribute
        if value.claim.kind == "number" and question.aspect and not question.counted:
            attribute = ("" if is_han(value.name) else " ").join(question.aspect)
        about = matter(value.name, "" if attribute in shown(value.claim) else attribute, [value.claim])
        places = (place for _, place in value.said_in if place is not None)
        nodes = tuple(dict.fromkeys(passage.node_id for passage, _ in value.said_in if passage.node_id))
        return self.ground.undisputed(shown(value.claim), places, nodes, about=opened(about), part=question.text)

    def _missing(self, question: Question, points: Sequence[AnswerPoint]) -> Iterator[AnswerPoint]:
        """Yield a point for each thing that a part names and that nothing found for it names."""
        said = " \n".join(f"{point.about} {value.text}" for point in points for value in point.values)
        for name in question.names if question.certain and len(question.names) > 1 else ():
            if name not in self.told and not is_named_in(said, [name]):
                self.told.add(name)
                yield self.ground.nothing(question.text, about=name)


def bears_on(dispute: Dispute, question: Question) -> bool:
    """Whether a dispute is on what a question asks."""
    facts = [fact for claim in dispute.claims if (fact := frame_of(claim)) is not None]
    if any(question.is_answered_by(fact) for fact in facts):
        return True
    if question.names and not (dispute.entity and question.is_about(dispute.entity)):
        return False
    if not question.names:
        claim_words = [set(tokenize(claim.text)) for claim in dispute.claims]
        return any(len(question.words & words) >= BEARING * len(question.words) for words in claim_words)
    named = {token for claim in dispute.claims for token in tokenize(f"{claim.attribute} {claim.unit}")}
    asked_for = {token for word in (*question.aspect, question.counted) for token in tokenize(word)}
    return bool(named & asked_for)


def _is_of(value: Stated, dispute: Dispute) -> bool:
    """Whether a value is one of a dispute: said in a sentence that is disputed, or of the disputed thing."""
    said = {fold_space(value.claim.text)}
    return any(
        same_value(value.claim, claim) and (fold_space(claim.text) in said or same_name(value.name, dispute.entity))
        for claim in dispute.claims
    )


def _is_decided_against(value: Stated, dispute: Dispute) -> bool:
    is_same_kind = bool(dispute.claims) and value.claim.kind == dispute.claims[0].kind
    return dispute.holds is not None and is_same_kind and same_name(value.name, dispute.entity)
