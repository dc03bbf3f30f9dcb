"""The reader of claims: a text into frames, clause by clause, resolving what "it" stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memorybank.contradiction import clauses_en, clauses_zh, words_en, words_zh
from memorybank.contradiction.describe import claim_of, is_chinese
from memorybank.contradiction.frame import Frame, Reading
from memorybank.contradiction.phrases import NOTHING, Phrase, Predicate, Units, joined
from memorybank.contradiction.readers import measures, moments, names, places, states
from memorybank.contradiction.readers.statement import Statement
from memorybank.contradiction.sources import own_name
from memorybank.contradiction.tokens_en import capitalised
from memorybank.language.dates import Date
from memorybank.language.han import is_han
from memorybank.language.text import sentences
from memorybank.memory.types import Claim

_CACHE_SIZE = 4096
"""Parsed texts kept. A node's summary is compared with many others in a row, so parsing is paid once."""
_LONGEST_SENTENCE = 1_000
"""Characters; a longer "sentence" is a table or a dump, and is read up to here."""
_MAKING = frozenset("announce release build design develop make create write publish found introduce produce".split())
_ORGANISATION = re.compile(
    r"(?:compan|firm|corporat|startup|universit|institut|laborator|\blabs?\b|group|organi|team|society|agency|公司|大学|研究|团队|机构|集团|企业)"
)
_SETTING = frozenset({"in", "at", "by", "from", "near"})
_HERE_RE = re.compile("这里|那里|此处|此地")
"""The place that was spoken of last, whoever did something there."""
_LOWER_RE = re.compile(r"\b[a-z][\w-]+")


def extract(text: str) -> tuple[Claim, ...]:
    """Every claim of a text, in order. `Claim.value` is a verbatim piece of `Claim.text`, and that one of the text."""
    return tuple(claim_of(frame) for frame in read(text).frames)


@lru_cache(maxsize=_CACHE_SIZE)
def read(text: str, topic: str = "") -> Reading:
    """The frames of a text. `topic` names what it is about where the text itself only says "it"."""
    known = capitalised(text)
    common = frozenset(_LOWER_RE.findall(text))
    parsed: list[tuple[str, tuple[Predicate, ...]]] = []
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()[:_LONGEST_SENTENCE]
        if sentence:
            parsed.append((sentence, _predicates(sentence, known, common)))
    subject = _topic(text, parsed) or _names_of(topic)
    carrier = _Carrier(subject, text)
    frames: list[Frame] = []
    for sentence, predicates in parsed:
        stated = list(carrier.frames(sentence, predicates))  # also of a question: what it speaks of is carried on
        if not sentence.rstrip("”\"’')） ").endswith(("?", "？")):
            frames += stated
    keys = frozenset(key for frame in frames for key in frame.context)
    return Reading(text=text, frames=tuple(frames), keys=keys, topic=subject, sentences=len(parsed))


def _predicates(sentence: str, known: frozenset[str], common: frozenset[str]) -> tuple[Predicate, ...]:
    if is_chinese(sentence):
        return clauses_zh.read(sentence)
    return clauses_en.read(sentence, known, common)


def _phrases(predicate: Predicate) -> tuple[Phrase, ...]:
    return (predicate.subject, *predicate.phrases)


def _names_of(topic: str) -> Units:
    if not topic:
        return ()
    predicates = _predicates(topic, frozenset(), frozenset())
    return next((predicate.subject.units for predicate in predicates if predicate.subject.names), ()) or next(
        (phrase.units for predicate in predicates for phrase in predicate.phrases if phrase.names), ()
    )


def _topic(text: str, parsed: list[tuple[str, tuple[Predicate, ...]]]) -> Units:
    """The name a text is about: written most often, a subject or in the heading, not just a place or a maker."""
    low = text.lower()
    scores: dict[Units, int] = {}
    for at, (sentence, predicates) in enumerate(parsed):
        heading = at == 0 and len(sentence) < 60 and sentence[-1] not in ".。!?！？"
        if heading and is_han(sentence.strip("# ")) and not own_name(sentence.strip("# ")):
            continue  # 县志摘录, 勘测记录: what kind of text it is
        for predicate in predicates:
            for phrase in _phrases(predicate):
                weight = _weight(predicate, phrase, heading=heading)
                for name in phrase.names[: 1 if phrase is predicate.subject and not heading else None]:
                    count = low.count(joined(name.units))
                    if _may_be_topic(name.units) and (count > 1 or weight > 1):
                        score = 2 * count + weight
                        scores[name.units] = max(score, scores.get(name.units, score))
    best = max(scores, key=lambda units: scores[units], default=())
    if best and is_han(best[0]) and low.count(joined(best)) < 2 and scores[best] < _DEFINED:
        return _han_topic(text, parsed) or best
    return best


_DEFINED = 5
"""A score from here on: the text says what the thing is, which is as good as repeating its name."""


def _weight(predicate: Predicate, phrase: Phrase, *, heading: bool) -> int:
    if phrase is predicate.subject and predicate.verb == "be" and is_han(phrase.text) and not phrase.attributes:
        return 3  # 青鸾是量子处理器
    if heading or phrase is predicate.subject:
        return 2
    return -1 if phrase.role in _SETTING else 0


def _may_be_topic(units: Units) -> bool:
    written = joined(units)
    return (
        len(written) > 1
        and written not in words_zh.GENERIC
        and not (not is_han(units[0]) and set(units) <= words_en.GENERIC_NOUNS)
    )


def _tells(piece: str) -> bool:
    return piece not in words_zh.GENERIC and piece not in words_zh.PLAIN and piece[-1] not in "的了是在和与"


def _han_topic(text: str, parsed: list[tuple[str, tuple[Predicate, ...]]]) -> Units:
    """The piece of a Chinese text's names that it repeats most: 墨羽 in 墨羽芯片, 量子芯片墨羽; else empty."""
    runs = [
        name.text.strip("《》“”「」")
        for _, predicates in parsed
        for predicate in predicates
        for phrase in _phrases(predicate)
        for name in phrase.names
        if is_han(name.text)
    ]
    pieces = dict.fromkeys(
        run[i:j] for run in runs for i in range(len(run)) for j in range(i + 2, min(len(run), i + 8) + 1)
    )
    counts = {piece: text.count(piece) for piece in pieces if _tells(piece)}
    best = max(counts, key=lambda piece: (counts[piece], len(piece)), default="")
    return tuple(best) if counts.get(best, 0) >= 2 else ()


class _Carrier:
    """Walks the sentences of one text and knows what a reference back stands for."""

    def __init__(self, topic: Units, text: str) -> None:
        self.topic = topic
        self.text = text.lower()
        self.subject: Units = topic
        self.made: Units = ()
        self.shown: Units = ()
        """What the last subject made, and what it did anything with."""
        self.fresh = False
        """Whether `subject` was named in this very sentence."""

    def frames(self, sentence: str, predicates: tuple[Predicate, ...]) -> Iterator[Frame]:
        phrases = [phrase for predicate in predicates for phrase in (predicate.subject, *predicate.phrases)]
        context = frozenset(key for phrase in phrases for key in phrase.keys) | frozenset(
            unit for phrase in phrases for unit in phrase.units
        )
        opening = _opening(predicates)
        self.fresh = False
        for predicate in predicates:
            times = tuple(date for phrase in (predicate.subject, *predicate.phrases) for date in phrase.dates)
            times += tuple(date for date in opening if date not in times)
            yield from _build(
                Statement(
                    sentence=sentence, predicate=predicate, siblings=predicates, topic=self.topic,
                    carried=self._carried(predicate.subject), times=times, context=context,
                )
            )  # fmt: skip
            self._remember(predicate)
        main = next((predicate.subject.units for predicate in predicates if predicate.subject.names), ())
        if main:  # "Willow is a chip that Google announced. It has …": the next sentence's "it" is the main subject
            self.subject = main

    def _carried(self, subject: Phrase) -> Units:
        if subject.names:
            return self.subject or self.topic
        if _HERE_RE.match(subject.text) and self.shown:
            return self.shown
        if not subject.back and subject is not NOTHING:
            return self.topic
        if subject.keys and not _ORGANISATION.search(subject.text.lower()):  # "the chip" is not its maker
            if self.made:
                return self.made
            if self.shown and _ORGANISATION.search(joined(self.subject)):
                return self.shown
        if not self.fresh and self.text.count(joined(self.topic)) > 1 >= self.text.count(joined(self.subject)):
            return self.topic  # "it" is rather what the text keeps coming back to than a passing subject
        return self.subject or self.topic

    def _remember(self, predicate: Predicate) -> None:
        if predicate.subject.names:
            self.subject = predicate.subject.units
            self.made = self.shown = ()
            self.fresh = True
        if not predicate.passive:
            direct = next((_last_of(phrase) for phrase in predicate.phrases if not phrase.role and phrase.names), ())
            self.made = direct if predicate.verb in _MAKING and direct else self.made
            self.shown = direct or self.shown


def _last_of(phrase: Phrase) -> Units:
    """The names of a phrase; of several things joined by and, the last."""
    return phrase.names[-1].units if phrase.listed else phrase.units


def _opening(predicates: tuple[Predicate, ...]) -> tuple[Date, ...]:
    """The date a sentence opens with; it holds for all of it."""
    return next(
        (
            phrase.dates
            for predicate in predicates[:1]
            for phrase in predicate.phrases
            if phrase.dates and phrase.start < predicate.subject.start
        ),
        (),
    )


def _build(statement: Statement) -> Iterator[Frame]:
    """All frames of one predicate. Of a negated one only the state: "was not built by X" names no builder."""
    yield from states.build(statement)
    if not statement.predicate.negated:
        for kind in (measures, moments, names, places):
            yield from kind.build(statement)
