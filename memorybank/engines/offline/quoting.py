"""Which stretches of which passages answer a question? Extractive, so an answer can only say what a source says.

The best sentences are found first, by the question's words, by meaning and by whether they hold what is asked for; each
is then quoted with its neighbours, because the answer often stands beside the sentence that repeats the question. A
question that names something is answered by sentences on that, or on something that these name; and what it asks has
to be in them: a word of it, a number or date of its kind, or its meaning. A sentence that adds neither a word of the
question nor a value to what is quoted already is not quoted.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from memorybank.contradiction.claims import bag
from memorybank.contradiction.clauses import clauses
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.asking import Question
from memorybank.engines.offline.quotable import Line, Passage, lines
from memorybank.engines.offline.salience import keys
from memorybank.language.names import names_in
from memorybank.language.parse import Parse, Parsed
from memorybank.language.text import is_han
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.types import Span

GOOD = 0.5
"""A sentence is quoted when it has this share of the best one's score."""
NEAR = 0.3
"""Likeness in meaning to a question, the subject taken out of both, from which a sentence bears on it."""
AS_NEAR = 0.7
"""The share of the best one's likeness that a sentence in other words has to have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    passage: Passage
    place: Span | None
    """The quote's place in the raw text, as `Passage.place`."""
    text: str
    """One or several sentences that follow one another; verbatim but for white space and the marks of a list."""
    score: float
    """The score of its best sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """The most that may be quoted, in characters, Han characters counted twice."""

    stretch: int
    """The length up to which a quote grows by its neighbours; a passage as short as this is quoted whole."""
    room: int
    """The length of all quotes together; a sentence that does not fit gives way to the next best."""


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
    """Return the quotes that bear on a question, best first: at most `limit` stretches, of that length.

    Of what was quoted `before`, on another part of the goal, only the sentence that bears on this one comes again.
    """
    candidates = lines(passages)
    about = _about(question, candidates, parse)
    if not about and question.names:  # what none names so may have a fuller name
        about, question = _called_more(question, candidates), replace(question, certain=False)
    if not candidates or not question.words or not about:
        return []
    ranking = Ranking(question, candidates, embedder, about)
    quoted = (at for at in about if any(candidates[at].text in quote.text for quote in before))
    held = {at for at in quoted if question.is_held_by(candidates[at].text)}  # what is quoted is not told as lacking
    bearing = _bearing(question, candidates, ranking, about, parse) or held
    chosen = _Choice(question, candidates, ranking, before, bearing, parse)
    best: list[Quote] = []
    for first, last, score in chosen.stretches(limit, length):
        passage, (head, *rest) = passages[candidates[first].passage], candidates[first : last + 1]
        text = head.text + "".join(line.gap + line.text for line in rest)
        best.append(
            Quote(passage=passage, place=passage.span(head.start, candidates[last].end), text=text, score=score)
        )
    return best


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
            bears = question.shares(line.text, line.words) or question.is_held_by(line.said)
            behind += [place] if (own <= line.words if own else bears) else []
    for place, sentence in zip(behind, parse([candidates[place].said for place in behind]), strict=True):
        lasts = [part.subject[-1] for part in clauses(sentence) if part.subject]
        subjects = [sentence.text[: sentence.tokens[last].end] for last in lasts]
        if subjects and not any(map(names_in, subjects)) and not _begins_with_another(question, sentence):
            about.add(place)
    said = {place for place, line in enumerate(candidates) if question.is_carried and own and own <= line.words}
    if not said & about:  # "what is the budget", beside a part on the date
        about |= said
    return about


def _begins_with_another(question: Question, sentence: Parsed) -> bool:
    """Whether the first word of what a sentence is on is a name that the question does not have."""
    words = [sentence.tokens[at] for part in clauses(sentence)[:1] for at in part.subject]
    called = [word for word in words if word.pos != "DET"][:2]
    if not called or called[0].pos != "PROPN":
        return False
    last = called[-1] if called[-1].pos == "NOUN" else called[0]  # 石桥 纸厂
    return sentence.text[called[0].start : last.end].lower() not in question.text.lower()


def _called_more(question: Question, candidates: Sequence[Line]) -> set[int]:
    """Return the places of sentences with all words of what is asked about, and others between: 晨星T6电热毯."""
    name = question.names[0]
    words = frozenset(name if is_han(name) else tokenize(name))
    return {at for at, line in enumerate(candidates) if words <= (set(line.text) if is_han(name) else line.words)}


def _goes_on(place: int, candidates: Sequence[Line]) -> bool:
    """Whether a sentence speaks of what the one before it does."""
    return candidates[place].leans and place > 0 and candidates[place - 1].run == candidates[place].run


def _bearing(
    question: Question, candidates: Sequence[Line], ranking: Ranking, about: set[int], parse: Parse
) -> set[int]:
    """Return the sentences on its subject that bear on the question: those with a word of it; if none has, and of what
    was said at some time, the nearest in meaning. What is said of another thing bears on it only without these."""
    if not question.wanted:
        return about
    firsts = {place: _first(place, candidates) for place in ranking.considered if place in about}
    places = sorted({*firsts, *firsts.values()})
    parsed = dict(zip(places, parse([candidates[place].said for place in places]), strict=True))
    name = frozenset[str]().union(*map(bag, parse(question.names)))
    saying = {place for place in firsts if question.is_on(parsed[place])}
    saying = {place for place in saying if not question.is_per_unit(candidates[place].said)} or saying
    own = [at for at, first in firsts.items() if not _is_of_another(question, name, parsed[first])]
    bearing = saying.intersection(own) or (set() if question.beside else saying)
    rest = [place for place in own if place not in bearing and (not bearing or candidates[place].is_turn)]
    near = ranking.nearness(question, rest)
    best = max(near, key=near.__getitem__, default=None)
    bearing |= {best} if best is not None and near[best] >= NEAR else set()
    on_it = [at for at, first in firsts.items() if not _is_of_another(question, name, parsed[first], question.asked)]
    bearing |= _of_silent(question, candidates, ranking, on_it, bearing)
    ranking.wanted |= bearing
    return bearing


def _of_silent(
    question: Question, candidates: Sequence[Line], ranking: Ranking, places: Iterable[int], bearing: Set[int]
) -> set[int]:
    """Return for each passage without a sentence that bears on a question the one that holds what is asked and is as
    near to it in meaning as those of the others: a document that says it in other words has its say."""
    if not question.certain or question.is_carried:
        return set()
    heard, own = {candidates[place].passage for place in bearing}, question.beside
    others = [(at, candidates[at]) for at in places if candidates[at].passage not in heard]
    silent = [at for at, line in others if own <= line.words | line.title_words and question.is_held_by(line.said)]
    near = ranking.nearness(question, [*bearing, *silent])
    least = max(NEAR, AS_NEAR * max((near[place] for place in bearing), default=1.0))
    best: dict[int, int] = {}
    for place in sorted(silent, key=near.__getitem__):
        best[candidates[place].passage] = place
    return {place for place in best.values() if near[place] >= least}


def _first(place: int, candidates: Sequence[Line]) -> int:
    """Return the place of the sentence that names what a sentence is on."""
    while _goes_on(place, candidates):
        place -= 1
    return place


def _is_of_another(question: Question, name: frozenset[str], sentence: Parsed, asked: Set[str] = frozenset()) -> bool:
    """Whether a sentence is on a thing that the name is only a part of: the bridge beside the Alder Academy.

    "The potter who made the bowl" is on who made it; what only a common word names may have a fuller name. A subject
    with one of the words `asked` is on the thing: her solo crossing of the sea.
    """
    subjects = [
        bag(sentence._replace(tokens=tuple(sentence.tokens[at] for at in part.subject)))
        for part in clauses(sentence, vague=True)
    ]
    named = [subject for subject in subjects if name and name <= subject and not question.key <= subject]
    named = [subject for subject in named if not subject & asked]
    return question.certain and bool(named) and all(subject - question.known for subject in named)


class _Choice:
    """Sentences, best first, each with its neighbours, until the room is full."""

    def __init__(
        self, question: Question, lines: Sequence[Line], ranking: Ranking, before: Sequence[Quote], bearing: set[int],
        parse: Parse,
    ) -> None:  # fmt: skip
        """`bearing`: places of the sentences that bear on the question."""
        self._question, self._lines, self._ranking, self._bearing = question, lines, ranking, bearing
        self._before = {place for place, line in enumerate(lines) if any(line.text in quote.text for quote in before)}
        self._taken: set[int] = set()
        """Places of the sentences that are quoted."""
        self._text = " ".join(["", *(token for quote in before for token in tokenize(quote.text)), ""])
        self._parse = parse

    def stretches(self, limit: int, length: Length) -> Iterator[tuple[int, int, float]]:
        """First and last place of each stretch, and its best sentence's score."""
        room, told = length.room, set[str]()
        waiting = [place for place in self._ranking.considered if self._lines[place].stands_alone]
        least = GOOD * max((self._score(place) for place in waiting if place in self._bearing), default=0.0)
        while waiting and limit:
            place = min(waiting, key=lambda at: (-self._score(at, told), at))
            waiting.remove(place)
            score, tells = self._score(place), self._tells(place)
            linked = place not in self._before and self._ranking.is_linked(place, self._text)
            bears = score > 0 and score >= least and (linked or place in self._bearing)
            fits = not self._taken or self._lines[place].size <= room
            if bears and fits and place not in self._taken and (not self._taken or tells - told):
                first, last = self._grown(place, min(room, length.stretch))
                limit -= 1
                for at in range(first, last + 1):
                    self._taken.add(at)
                    told |= self._tells(at)
                    self._text += " ".join(tokenize(self._lines[at].text)) + " "
                    room -= self._lines[at].size
                yield first, last, score

    def _score(self, place: int, told: Container[str] = ()) -> float:
        return self._ranking.score(place, told, self._text)

    def _tells(self, place: int) -> frozenset[str]:
        """Return the words of the question and the values that a sentence has; where who is asked, itself as one."""
        line = self._lines[place]
        named = {line.said} if "name" in self._question.wanted and place in self._bearing else set[str]()
        return line.words & self._question.words | keys(line.text) | named

    def _grown(self, place: int, room: int) -> tuple[int, int]:
        """Return the sentence with those after and before it, the better one first, while there is room."""
        first = last = place
        if place in self._before:
            return first, last
        if self._lines[place].leans and self._is_free(place - 1, place):
            first -= 1
        room -= sum(line.size for line in self._lines[first : last + 1])
        sides = [last + 1, first - 1]
        while fit := [
            at for at in sides if self._is_free(at, last if at > last else first) and self._lines[at].size <= room
        ]:
            at = max(fit, key=lambda side: (self._ranking.by_words(side), side))
            room -= self._lines[at].size
            first, last = min(first, at), max(last, at)
            sides = [last + 1, first - 1]
        return first, last

    def _is_free(self, at: int, beside: int) -> bool:
        in_text = 0 <= at < len(self._lines) and self._lines[at].run == self._lines[beside].run
        if not in_text or at in self._taken | self._before:
            return False
        parsed = self._parse([self._lines[at].said]) if self._question.names else ()
        return not any(_begins_with_another(self._question, sentence) for sentence in parsed)


# -- how much a sentence bears on a question, given what is quoted already ---------------------------------------------

# By its words and its title's (idf over the sentences at hand; a word that is quoted already counts less, after
# Carbonell and Goldstein 1998, "The Use of MMR"), by meaning, by whether it holds the kind of thing asked for, and by
# whether its title is something that a quoted sentence names: the second step of a question that takes two.


CONSIDERED = 24
"""The most sentences that the embedding model looks at, those with the most of the question's words."""
QUOTED = 0.5
"""The weight of a word that is quoted already."""
WANTED = 0.4
"""Bonus of a sentence that holds the kind of thing the question asks for, or a word of what it asks."""
NAMED = 0.3
"""Bonus of a sentence under a title that a quoted sentence names and the question does not."""


class Ranking:
    def __init__(self, question: Question, lines: Sequence[Line], embedder: Embedder, about: Set[int]) -> None:
        """`about`: places of the sentences on what the question names; the best of them are looked at in any case."""
        self._lines = lines
        self._words = [sorted((line.words | line.title_words) & question.words) for line in lines]
        seen = {word: sum(word in line.words for line in lines) for word in question.words}
        self._weight = {word: float(np.log(1 + len(lines) / (1 + count))) for word, count in seen.items()}  # rare: more
        self._total = sum(self._weight.values()) or 1.0
        self._titles = [_title(line, question) for line in lines]
        self.considered = _considered(np.array(list(map(self.by_words, range(len(lines))))), lines, about)
        self._embedder = embedder
        near = self._by_meaning(question.text, [lines[place].text for place in self.considered])
        self._near = dict(zip(self.considered, near, strict=True))
        self.wanted = {place for place in self.considered if question.is_held_by(lines[place].text)}
        """Places of the sentences that get the bonus."""

    def score(self, place: int, quoted: Container[str], text: str) -> float:
        """Return a score in [0, 1], plus the bonuses; 0 without a word of the question, what it wants or a link.

        `quoted`: words that count less; `text`: tokens of what is quoted.
        """
        named = self.is_linked(place, text)
        keyword = self.by_words(place, quoted)
        if keyword <= 0 and not named and place not in self.wanted:
            return 0.0
        score = 0.5 * keyword + 0.5 * self._near[place] + WANTED * (place in self.wanted) + NAMED * named
        return round(score * self._lines[place].weight, 6)

    def is_linked(self, place: int, text: str) -> bool:
        """Whether a quoted sentence names the title that a sentence stands under. `text`: tokens of what is quoted."""
        title = self._titles[place]
        return bool(title) and f" {title} " in text

    def by_words(self, place: int, quoted: Container[str] = ()) -> float:
        weights = (self._weight[word] * (QUOTED if word in quoted else 1) for word in self._words[place])
        return sum(weights) / self._total

    def nearness(self, question: Question, places: Sequence[int]) -> dict[int, float]:
        """Likeness in meaning of what is said and what is asked, whatever it is said of."""
        called = sorted({*question.names, question.subject} - {""}, key=len, reverse=True)
        name = "|".join(map(re.escape, called)) or r"(?!)"
        whole = re.compile(rf"(?:{name})(?:(?:\s*[(（][^)）]*[)）])?[:：])?")  # with the time and the colon of a turn
        it = "它" if is_han(question.own) else "it"
        texts = [whole.sub(it, self._lines[place].text) for place in places]
        return dict(zip(places, self._by_meaning(whole.sub(it, question.own), texts), strict=True))

    def _by_meaning(self, question: str, texts: Sequence[str]) -> list[float]:
        """Score the sentences, each in [0, 1]."""
        if not texts:
            return []
        embedder = self._embedder
        cosine = embedder.documents(list(texts)) @ embedder.queries([question])[0]
        return [float(nearness) for nearness in embedder.scale.stretched(cosine)]


def _considered(keyword: np.ndarray, lines: Sequence[Line], about: Set[int]) -> list[int]:
    """Return the best by words, of all and of those on the subject, and the best of each passage."""
    order = [int(place) for place in np.argsort(-keyword, kind="stable")]
    first: dict[int, int] = {}
    for place in order:
        first.setdefault(lines[place].passage, place)
    own = [place for place in order if place in about]
    return list(dict.fromkeys([*order[:CONSIDERED], *own[:CONSIDERED], *first.values()]))


def _title(line: Line, question: Question) -> str:
    """Return the tokens of the title over a sentence; empty where the question names it, or a single word."""
    tokens = tokenize(line.title.partition("(")[0])
    return "" if len(tokens) < 2 or question.words.issuperset(query_tokens(line.title)) else " ".join(tokens)
