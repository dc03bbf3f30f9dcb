"""Which stretches of which passages answer a question? Extractive, so an answer can only say what a source says.

The best sentences are found first, by the question's words, by meaning and by whether they hold what is asked for; each
is then quoted with its neighbours, because the answer often stands beside the sentence that repeats the question. A
question that names something is answered by sentences on that, or on something that these name; shared words alone are
not enough. Where one of them holds what is asked for, a place under a heading that names it is not enough either. A
sentence that adds neither a word of the question nor a value to what is quoted already is not quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from memorybank.contradiction.entity_names import is_named_in, is_title_of
from memorybank.contradiction.readers.claims import read
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.asking import Question, entity_name, means_back, question_of
from memorybank.engines.offline.quotable import Line, Passage, lines
from memorybank.engines.offline.ranking import Ranking
from memorybank.engines.offline.salience import keys
from memorybank.language.text import fold_space
from memorybank.language.tokens import tokenize
from memorybank.memory.types import Span

GOOD = 0.5
"""A sentence is quoted when it has this share of the best one's score."""
GOOD_BESIDE_ANSWER = 0.7
"""The same where one says of the question's subject what is asked."""


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
    question: str,
    passages: Sequence[Passage],
    embedder: Embedder,
    limit: int,
    length: Length = SENTENCES,
    before: Sequence[Quote] = (),
) -> list[Quote]:
    """What bears on a question, best first: at most `limit` stretches, of that length.

    Of what was quoted `before`, on another part of the goal, only the sentence that bears on this one comes again.
    """
    wanted = question_of(question)
    candidates = lines(passages)
    if not candidates or not wanted.words:
        return []
    about = _about(wanted, passages, candidates)
    if wanted.names and not about:
        beginnings = {name[:2] for name in wanted.names}  # of a clause: where its name ends is not known
        if wanted.certain or not any(beginning in line.text for line in candidates for beginning in beginnings):
            return []
        about = set(range(len(candidates)))
    chosen = _Choice(wanted, candidates, embedder, before, about)
    return [
        _quote(candidates[first : last + 1], passages[candidates[first].passage], score)
        for first, last, score in chosen.stretches(limit, length)
    ]


def _quote(stretch: Sequence[Line], passage: Passage, score: float) -> Quote:
    text = stretch[0].text + "".join(line.gap + line.text for line in stretch[1:])
    return Quote(passage=passage, place=passage.span(stretch[0].start, stretch[-1].end), text=text, score=score)


def _about(wanted: Question, passages: Sequence[Passage], candidates: Sequence[Line]) -> set[int]:
    """Places of the sentences on what the question names: they name it, stand under it, mean it by "it", or say behind
    such a sentence all that is asked of a thing without a name.
    """
    if not wanted.names:
        return set(range(len(candidates)))
    about: set[int] = set()
    answers: set[int] = set()
    for place, line in enumerate(candidates):
        named = is_named_in(line.text, wanted.names) or is_title_of(line.title, wanted.names)
        meant = line.leans and place - 1 in about and candidates[place - 1].run == line.run
        if named or meant:
            about.add(place)
    places = {(line.passage, line.text): place for place, line in enumerate(candidates)}
    other: set[int] = set()
    for number, passage in enumerate(passages):
        for fact in read(passage.text).frames:
            place = places.get((number, fold_space(fact.sentence)), -1)
            same = wanted.is_about(entity_name(fact))
            if place < 0:
                continue
            within = wanted.is_answered_within(fact) and any(at in about for at in _before(place, candidates))
            if within or (same and means_back(fact)):
                about.add(place)
            if fact.kind in wanted.wanted:
                (answers if same else other).add(place)
    return about - (other - answers) if answers & about else about


def _before(place: int, candidates: Sequence[Line]) -> Iterator[int]:
    """The sentences that stand before one in the same text."""
    return takewhile(lambda at: candidates[at].run == candidates[place].run, range(place - 1, -1, -1))


class _Choice:
    """Sentences, best first, each with its neighbours, until the room is full."""

    def __init__(
        self,
        wanted: Question,
        candidates: Sequence[Line],
        embedder: Embedder,
        before: Sequence[Quote],
        about: set[int],
    ) -> None:
        """`about`: places of the sentences on what the question names."""
        self._wanted = wanted
        self._lines = candidates
        self._ranking = Ranking(wanted, candidates, embedder, about)
        self._about = about
        self._answered = any(wanted.is_held_by(candidates[place].text) for place in about if wanted.names)
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
        best = max((self._score(place) for place in open_places if place in self._about), default=0.0)
        least = (GOOD_BESIDE_ANSWER if self._answered else GOOD) * best
        while open_places and len(chosen) < limit:
            place = min(open_places, key=lambda at: (-self._score(at), at))
            open_places.remove(place)
            score = self._score(place, anew=True)
            if score <= 0:
                break
            if not self._ranking.is_linked(place, self._text) and (place not in self._about or self._is_idle(place)):
                continue
            too_long = bool(chosen) and self._lines[place].size > room
            if place in self._taken or too_long or score < least or not self._adds(place):
                continue
            first, last = self._grown(place, min(room, length.stretch))
            chosen.append((first, last, score))
            room -= self._take(first, last)
        return chosen

    def _is_idle(self, place: int) -> bool:
        """Whether a sentence is on the subject by its place alone, while another holds what is asked for."""
        line = self._lines[place]
        return self._answered and not line.words & self._wanted.words and not self._wanted.is_held_by(line.text)

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
        """Whether a sentence has a word of the question or a value that is not quoted yet."""
        line = self._lines[place]
        return bool(line.words & self._wanted.words - self._words) or bool(keys(line.text) - self._values)

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


__all__ = ["Length", "Passage", "Quote", "quotes"]
