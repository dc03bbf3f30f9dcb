"""Which stretches of which passages answer a question? Extractive, so an answer can only say what a source says.

The best sentences are found first, by the question's words, by meaning and by whether they hold what is asked for; each
is then quoted with its neighbours, because the answer often stands beside the sentence that repeats the question. A
question that names something is answered by sentences on that, or on something that these name; and what it asks has
to be in them: a word of it, a number or date of its kind, or its meaning. A sentence that adds neither a word of the
question nor a value to what is quoted already is not quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memorybank.contradiction.claims import bag
from memorybank.contradiction.clauses import clauses
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.asking import Question
from memorybank.engines.offline.quotable import Line, Passage, lines
from memorybank.engines.offline.ranking import Ranking
from memorybank.engines.offline.salience import keys
from memorybank.language.names import names_in
from memorybank.language.parse import Parse, Parsed
from memorybank.language.tokens import tokenize
from memorybank.memory.types import Span

GOOD = 0.5
"""A sentence is quoted when it has this share of the best one's score."""
GOOD_BESIDE_ANSWER = 0.7
"""The same where one says of the question's subject what is asked."""

NEAR = 0.3
"""Likeness in meaning to a question, the subject taken out of both, from which a sentence bears on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    passage: Passage
    place: Span | None
    """Where it stands in the raw text, as `Passage.place`."""
    text: str
    """One or several sentences that follow one another; verbatim but for white space and the marks of a list."""
    score: float
    """Of its best sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """How much may be quoted, in characters, Han characters counted twice."""

    stretch: int
    """One quote grows by its neighbours up to this; a passage as short as this is quoted whole."""
    room: int
    """All quotes together; a sentence that does not fit gives way to the next best."""


SENTENCES = Length(stretch=0, room=10_000)
"""Single sentences; one with "it" together with the sentence that says what it is."""


def quotes(
    question: Question,
    passages: Sequence[Passage],
    embedder: Embedder,
    parse: Parse,
    limit: int,
    length: Length = SENTENCES,
    before: Sequence[Quote] = (),
) -> list[Quote]:
    """What bears on a question, best first: at most `limit` stretches, of that length.

    Of what was quoted `before`, on another part of the goal, only the sentence that bears on this one comes again.
    """
    candidates = lines(passages)
    about = _about(question, candidates, parse)
    if not candidates or not question.words or not about:
        return []
    ranking = Ranking(question, candidates, embedder, about)
    chosen = _Choice(question, candidates, ranking, before, _bearing(question, candidates, ranking, about, parse))
    return [
        _quote(candidates[first : last + 1], passages[candidates[first].passage], score)
        for first, last, score in chosen.stretches(limit, length)
    ]


def _quote(stretch: Sequence[Line], passage: Passage, score: float) -> Quote:
    text = stretch[0].text + "".join(line.gap + line.text for line in stretch[1:])
    return Quote(passage=passage, place=passage.span(stretch[0].start, stretch[-1].end), text=text, score=score)


def _about(question: Question, candidates: Sequence[Line], parse: Parse) -> set[int]:
    """Places of the sentences on what the question names, by its name, under it as a heading, or as "it".

    A text that has its whole name may call it by a part of it, by what is said beside the name ("the lighthouse"), or
    not at all: "The warranty lasts two years".
    """
    if not question.names:
        return set(range(len(candidates)))
    about, named, behind = set[int](), set[int](), list[int]()
    own, subject = question.beside, frozenset(tokenize(question.subject))
    for place, line in enumerate(candidates):
        whole = line.passage not in named
        titled = bool(subject) and subject <= line.title_words
        if titled or question.is_named_in(line.text, whole=whole) or question.is_named_in(line.title, whole=whole):
            about.add(place)
            named.add(line.passage)
        elif _goes_on(place, candidates) and place - 1 in about:
            about.add(place)
        elif line.passage in named and not line.is_turn:
            behind += [place] if (own <= line.words if own else question.shares(line.text, line.words)) else []
    for place, sentence in zip(behind, parse([candidates[place].said for place in behind]), strict=True):
        lasts = [part.subject[-1] for part in clauses(sentence) if part.subject]
        subjects = [sentence.text[: sentence.tokens[last].end] for last in lasts]
        if subjects and not any(map(names_in, subjects)):
            about.add(place)
    said = {place for place, line in enumerate(candidates) if question.is_carried and own and own <= line.words}
    if not (question.certain and said & about):  # "what is the budget", beside a part on the date
        about |= said
    return about


def _goes_on(place: int, candidates: Sequence[Line]) -> bool:
    """Whether a sentence speaks of what the one before it does."""
    return candidates[place].leans and place > 0 and candidates[place - 1].run == candidates[place].run


def _bearing(
    question: Question, candidates: Sequence[Line], ranking: Ranking, about: set[int], parse: Parse
) -> set[int]:
    """The sentences on its subject that bear on what is asked: those with a word of it; where none has one, and of what
    was said at some time, the nearest in meaning. What is said of another thing bears on it only without these."""
    if not question.wanted:
        return about
    firsts = {place: _first(place, candidates) for place in ranking.considered if place in about}
    places = sorted({*firsts, *firsts.values()})
    parsed = dict(zip(places, parse([candidates[place].said for place in places]), strict=True))
    name = frozenset[str]().union(*map(bag, parse(question.names)))
    saying = {place for place in firsts if question.is_on(parsed[place])}
    own = [at for at, first in firsts.items() if not _is_of_another(question, name, parsed[first])]
    bearing = saying.intersection(own) or (set() if question.beside else saying)
    rest = [place for place in own if place not in bearing and (not bearing or candidates[place].is_turn)]
    near = ranking.nearness(question, rest)
    best = max(near, key=near.__getitem__, default=None)
    bearing |= {best} if best is not None and near[best] >= NEAR else set()
    ranking.prefer(bearing)
    return bearing


def _first(place: int, candidates: Sequence[Line]) -> int:
    """The sentence that names what a sentence is on."""
    while _goes_on(place, candidates):
        place -= 1
    return place


def _is_of_another(question: Question, name: frozenset[str], sentence: Parsed) -> bool:
    """Whether a sentence is on a thing that the name is only a part of: the bridge beside the Alder Academy."""
    subjects = [
        bag(sentence._replace(tokens=tuple(sentence.tokens[at] for at in part.subject))) for part in clauses(sentence)
    ]
    named = [subject for subject in subjects if name and name <= subject]
    return bool(named) and all(subject - question.key for subject in named)


class _Choice:
    """Sentences, best first, each with its neighbours, until the room is full."""

    def __init__(
        self, wanted: Question, candidates: Sequence[Line], ranking: Ranking, before: Sequence[Quote], bearing: set[int]
    ) -> None:
        """`bearing`: places of the sentences that bear on the question."""
        self._wanted = wanted
        self._lines = candidates
        self._ranking = ranking
        self._bearing = bearing
        self._answered = any(wanted.is_held_by(candidates[place].text) for place in bearing if wanted.names)
        self._before = {
            place for place, line in enumerate(candidates) if any(line.text in quote.text for quote in before)
        }
        self._taken: set[int] = set()
        """Places of the sentences that are quoted."""
        self._words: frozenset[str] = frozenset()
        self._values: frozenset[str] = frozenset()
        self._text = " ".join(["", *(token for quote in before for token in tokenize(quote.text)), ""])

    def stretches(self, limit: int, length: Length) -> list[tuple[int, int, float]]:
        """First and last place of each stretch, and its best sentence's score."""
        chosen: list[tuple[int, int, float]] = []
        room = length.room
        open_places = [place for place in self._ranking.considered if self._lines[place].stands_alone]
        best = max((self._score(place) for place in open_places if place in self._bearing), default=0.0)
        least = (GOOD_BESIDE_ANSWER if self._answered else GOOD) * best
        while open_places and len(chosen) < limit:
            place = min(open_places, key=lambda at: (-self._score(at), at))
            open_places.remove(place)
            score = self._score(place, anew=True)
            if score <= 0:
                break
            linked = place not in self._before and self._ranking.is_linked(place, self._text)
            if place not in self._bearing and not linked:
                continue
            too_long = bool(chosen) and self._lines[place].size > room
            if place in self._taken or too_long or score < least or not self._adds(place):
                continue
            first, last = self._grown(place, min(room, length.stretch))
            chosen.append((first, last, score))
            room -= self._take(first, last)
        return chosen

    def _score(self, place: int, *, anew: bool = False) -> float:
        """With what is quoted in mind; `anew`: as if its words were not quoted yet."""
        return self._ranking.score(place, frozenset() if anew else self._words, self._text)

    def _take(self, first: int, last: int) -> int:
        """Note what the stretch says; its size."""
        stretch = self._lines[first : last + 1]
        self._taken.update(range(first, last + 1))
        for line in stretch:
            self._words |= line.words & self._wanted.words
            self._values |= keys(line.text)
            self._text += " ".join(tokenize(line.text)) + " "
        return sum(line.size for line in stretch)

    def _adds(self, place: int) -> bool:
        """Whether a sentence has a word of the question or a value that is not quoted yet; the first one adds."""
        line = self._lines[place]
        return (
            not self._taken
            or bool(line.words & self._wanted.words - self._words)
            or bool(keys(line.text) - self._values)
        )

    def _grown(self, place: int, room: int) -> tuple[int, int]:
        """The sentence with those before and after it, the better one first, while there is room."""
        first = last = place
        if place in self._before:
            return first, last
        if self._lines[place].leans and place - 1 in self._neighbours(place, place):
            first -= 1
        size = sum(self._lines[at].size for at in range(first, last + 1))
        while True:
            sides = [at for at in self._neighbours(first, last) if size + self._lines[at].size <= room]
            if not sides:
                return first, last
            at = max(sides, key=lambda side: (self._score(side) if side in self._ranking.considered else 0.0, side))
            size += self._lines[at].size
            first, last = min(first, at), max(last, at)

    def _neighbours(self, first: int, last: int) -> Iterator[int]:
        for at, beside in ((first - 1, first), (last + 1, last)):
            in_text = 0 <= at < len(self._lines) and self._lines[at].run == self._lines[beside].run
            if in_text and at not in self._taken | self._before:
                yield at
