"""The offline answer: each part of the goal with the values and sentences that memory has on it.

A value is given for a part of the goal when a dispute or a statement is on exactly what that part asks. What was
checked comes first, then what is not settled, then what was not disputed, then quotations. All of it is verbatim. No
sentence is quoted that a check refuted, and one that is disputed is quoted as such, below both sides. What somebody
said at another time stands with that time, the latest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from memorybank.contradiction.disputes.dispute import Dispute
from memorybank.contradiction.reading import read
from memorybank.contradiction.same_value import same_value
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.asking import Question, Stated, question_of, stated
from memorybank.engines.offline.quotable import Passage, lines
from memorybank.engines.offline.quoting import Length, Quote, quotes
from memorybank.language import dates, values
from memorybank.language.figures import states
from memorybank.language.names import is_named_in
from memorybank.language.parse import Parse
from memorybank.language.text import fold_space, sentences
from memorybank.memory.types import AnswerPoint, ConflictStatus, Lang, Node, Span
from memorybank.prompts import say
from memorybank.prompts.claim_words import opened, shown
from memorybank.session.answer_points import MOST_SEARCHED, Ground
from memorybank.session.checks import refuted_by, repeats_refuted, standing_summary
from memorybank.session.executors.base import Assignment

MEMORY_WEIGHT = 0.8
"""Weight of a memory's own sentence, where a sentence of a source weighs 1."""
QUOTES_A_PART = 4
STRETCH, ROOM = 400, 900
"""The most characters (Han characters counted twice) of one quotation, and of all of them together."""
_ORDER = ("checked", "decided", "disputed", "both_hold")


def goal_points(given: Assignment, parts: Sequence[str], embedder: Embedder, parse: Parse) -> tuple[AnswerPoint, ...]:
    """Return what memory says on each part of the goal, in their order."""
    refuted = frozenset(sentence for conflict in given.closed for sentence in refuted_by(conflict))
    passages = [passage for node in given.memories for passage in _quotable(given, node, refuted)]
    room = max(STRETCH, ROOM // len(parts))
    questions = [question_of(part, parse) for part in parts]
    questions = [replace(each, known=each.key.union(*(other.key for other in questions))) for each in questions]
    answering = _Answering(given.ground, passages, refuted, questions, embedder, parse, given.lang, room)
    found = [answering.on(question) for question in questions]
    lacking = [points[0].state == "nothing_found" for points in found]  # unless what another part quotes says it
    found = [answering.on(questions[at]) if lacks else found[at] for at, lacks in enumerate(lacking)]
    return tuple(point for points in found for point in points)


def _quotable(given: Assignment, node: Node, refuted: frozenset[str]) -> Iterator[Passage]:
    """Yield the raw text behind a memory under its document's name, then the sentences that only the memory has."""
    raw = [passage for passage in given.origins if passage.node_id == node.id]
    for passage in raw:
        shown_as = Passage(source=passage.source, text=passage.text, node_id=node.id, place=passage.span)
        yield _standing(shown_as, refuted, given.ground)
    known_texts = [fold_space(passage.text) for passage in raw]
    summary = standing_summary(node)
    for start, end in sentences(summary):
        sentence = summary[start:end].strip()
        if not any(fold_space(sentence) in text for text in known_texts):
            yield Passage(source="", text=sentence, node_id=node.id, weight=MEMORY_WEIGHT)


def _standing(passage: Passage, refuted: frozenset[str], ground: Ground) -> Passage:
    """Return a passage without the sentences that a check refuted, or that give the refuted figures once more."""
    closed = [conflict for conflict in ground.conflicts.values() if conflict.status.decides]
    texts = (line.text for line in lines([passage]))
    again = {text for text in texts if any(repeats_refuted(text, passage.source, each) for each in closed)}
    return replace(passage, left_out=refuted | again)


@dataclass(slots=True)
class _Answering:
    ground: Ground
    passages: Sequence[Passage]
    """Holds what may be quoted of the memories that the prompt shows."""
    refuted: frozenset[str]
    questions: Sequence[Question]
    """The parts of the goal."""
    embedder: Embedder
    parse: Parse
    lang: Lang
    room: int
    told: set[str] = field(default_factory=set)
    """Disputes that a part before has, and names on which nothing was found there."""
    waiting: list[Dispute] = field(default_factory=list)
    """Disputes that were met, and that a part behind asks of."""
    taken: list[Quote] = field(default_factory=list)

    def on(self, question: Question) -> list[AnswerPoint]:
        points = self._points(question, self.passages) or self._points(question, list(self._others(question)))
        return [*points, *self._missing(question, points)] if points else [self.ground.nothing(question.own)]

    def _points(self, question: Question, passages: Sequence[Passage]) -> list[AnswerPoint]:
        found = stated(question, passages, self.parse)
        disputes = [dispute for dispute in self.ground.disputes if dispute.values]
        bearing = [each for each in disputes if bears_on(each, question, self.parse)]
        decided = {claim.kind for dispute in bearing if dispute.holds is not None for claim in dispute.claims}
        free = [one for one in found if one.claim.kind not in decided]  # a check said which of such values holds
        quoted = self._quotes(question, passages)
        beside = [dispute for quote in quoted for dispute in self._disputed_in(quote, question)]
        beside += [dispute for dispute in self.waiting if self._asks_of(question, dispute)]
        beside = [dispute for dispute in dict.fromkeys(beside) if dispute not in bearing]
        bearing += beside
        waiting = [dispute for dispute in beside if self._is_for_later(dispute, question)]
        self.waiting += waiting
        new = [dispute for dispute in bearing if dispute.id not in self.told and dispute not in waiting]
        undisputed = [point for point in self._undisputed(question, free, bearing) if not _is_doubtful(point, quoted)]
        told = new if new or undisputed or quoted else bearing
        self.told.update(dispute.id for dispute in told)
        disputed = [self.ground.disputed(dispute, question.own) for dispute in told]
        return [
            *sorted(disputed, key=lambda point: _ORDER.index(point.state)),
            *undisputed,
            *(self._quoted(quote, question.own) for quote in quoted),
        ]

    def _others(self, question: Question) -> Iterator[Passage]:
        """Return the documents that name what a part asks about, where no memory in the prompt says anything on it."""
        named = (entry for entry in self.ground.entries.values() if question.is_named_in(entry.body))
        for entry in islice(named, MOST_SEARCHED):
            place = Span(entry_id=entry.id, start=entry.body_start, end=len(entry.text))
            yield _standing(Passage(source=entry.source, text=entry.body, place=place), self.refuted, self.ground)

    def _quotes(self, question: Question, passages: Sequence[Passage]) -> list[Quote]:
        length = Length(stretch=min(STRETCH, self.room // 2), room=self.room)  # a second source has its say
        best = quotes(question, passages, self.embedder, self.parse, QUOTES_A_PART, length, before=self.taken)
        self.taken += best
        return best

    def _quoted(self, quote: Quote, part: str) -> AnswerPoint:
        node = (quote.passage.node_id,) if quote.passage.node_id else ()
        point = self.ground.undisputed(quote.text, filter(None, (quote.place,)), node, part=part)
        values = (replace(point.values[0], node_ids=node or point.values[0].node_ids),)
        point = replace(point, is_sentence=True, values=values)
        if doubtful := self._disputed_in(quote):
            ids = tuple(dict.fromkeys(id_ for dispute in doubtful for id_ in dispute.conflict_ids))
            return replace(point, state="disputed", independent=0, conflict_ids=ids)
        return point

    def _disputed_in(self, quote: Quote, question: Question | None = None) -> list[Dispute]:
        """Return the disputes that a quotation has a side of: those that no check settled, or on the question."""
        text = fold_space(quote.text)
        return [
            dispute
            for dispute in self.ground.disputes
            if dispute.values
            for claim in [each for each in dispute.claims if each.text.strip() and fold_space(each.text) in text][:1]
            if dispute.status in (ConflictStatus.OPEN, ConflictStatus.INCONCLUSIVE)
            or (question is not None and question.is_touched_by(claim, self.parse))
        ]

    def _is_for_later(self, dispute: Dispute, question: Question) -> bool:
        """Whether a part that comes behind this one asks of a dispute, and this one does not."""
        asking = [self._asks_of(each, dispute) for each in self.questions]
        at = self.questions.index(question)
        return not asking[at] and any(asking[at:])

    def _asks_of(self, question: Question, dispute: Dispute) -> bool:
        return any(question.is_touched_by(claim, self.parse) for claim in dispute.claims)

    def _undisputed(
        self, question: Question, found: Sequence[Stated], bearing: Sequence[Dispute]
    ) -> Iterator[AnswerPoint]:
        """Yield the values that were read and are in no dispute; of several figures no check has said which holds."""
        free = [
            one
            for one in found
            if not any(same_value(one.claim, claim) for dispute in bearing for claim in dispute.claims)
        ]
        days = {id(one): next((day.first for day in dates.scan(one.moment)), (0, 0, 0)) for one in free if one.moment}
        dated = sorted((one for one in free if one.moment), key=lambda one: days[id(one)], reverse=True)
        later: dict[str, str] = {}
        for one in dated:
            yield self._value(question, one, later.get(one.speaker, ""))
            later[one.speaker] = one.moment
        points = [self._value(question, one) for one in free if not one.moment]
        if len(points) > 1 and {one.claim.kind for one in free} & {"number", "date"}:
            values = tuple(value for point in points for value in point.values)
            yield replace(points[0], state="disputed", independent=0, values=values)
        else:
            yield from points

    def _value(self, question: Question, value: Stated, until: str = "") -> AnswerPoint:
        """Return the point of a value; `until`: when its speaker said something else."""
        of_another = question.is_carried and question.beside  # "how tall is its chimney", of what the part before names
        about = value.claim.subject if of_another else question.subject or value.claim.subject
        if value.moment:
            key = "answer_until" if until else "answer_at"
            about = say(key, self.lang, about=about, time=until or value.moment)
        places = (place for _, place in value.said_in if place is not None)
        nodes = tuple(dict.fromkeys(passage.node_id for passage, _ in value.said_in if passage.node_id))
        return self.ground.undisputed(shown(value.claim), places, nodes, about=opened(about), part=question.own)

    def _missing(self, question: Question, points: Sequence[AnswerPoint]) -> Iterator[AnswerPoint]:
        """Yield a point for each thing that a part names and that nothing found for it names."""
        told = [f"{point.about} {value.text}" for point in points for value in point.values]
        said = [text[start:end] for text in told for start, end in sentences(text)]  # each names things of its own
        for name in question.names if question.certain and len(question.names) > 1 else ():
            if name not in self.told and not any(is_named_in(sentence, [name]) for sentence in said):
                self.told.add(name)
                yield self.ground.nothing(question.own, about=name)


def _is_doubtful(point: AnswerPoint, quoted: Sequence[Quote]) -> bool:
    """Whether a value of one source alone stands above a quotation of another that has a value of its kind, and not
    this one: whether they are on one thing nobody has said, so each speaks for itself."""
    value, *more = point.values
    if more or point.state != "single":
        return False
    own = value.sources[0].entry_id
    others = [quote.text for quote in quoted if quote.place and quote.place.entry_id != own]
    return any(_has_another(text, value.text) for text in others if not states(text, value.text))


def _has_another(text: str, value: str) -> bool:
    """Whether a text has another date where the value is one, else another number of its unit or of the same noun."""
    days, others = dates.scan(value), dates.scan(text)
    if days:
        return any(dates.relate(day, other) == "different" for day in days for other in others)
    for size in values.scan(value):
        noun = value[size.end :].strip()
        for other in values.scan(text, dates=others):
            is_alike = size.unit is not None or (noun and text[other.end :].lstrip().startswith(noun))
            if is_alike and values.relate(size, other) == "different":
                return True
    return False


def bears_on(dispute: Dispute, question: Question, parse: Parse) -> bool:
    """Whether a dispute is on what a question asks: by what its sentences state, or by the fields of its claims."""
    for claim in dispute.claims:
        stated_by = read(claim.text, parse, subject=claim.subject).statements
        own = (statement for statement in stated_by if statement.claim.value == claim.value)
        if any(map(question.is_answered_by, own)) or question.is_disputed_by(claim, parse):
            return True
    return False
