"""When two texts fill one slot with values that exclude each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from memorybank.engines.offline.claims import dates
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.slots import chinese, english
from memorybank.engines.offline.claims.slots.english import fold
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.engines.offline.claims.slots.question import Asked
from memorybank.engines.offline.claims.slots.question import read as read_question
from memorybank.engines.offline.claims.slots.telling import attribute, told
from memorybank.engines.offline.claims.slots.topics import (
    mentions,
    same_subject,
    same_time,
    same_topic,
    shares_topic,
    topic_of,
    years,
)
from memorybank.text import sentences
from memorybank.types import Claim, Contradiction

MOST = 2
"""Contradictions told of one pair of texts."""
_CACHE_SIZE = 4096
_LONGEST_SENTENCE = 500
_FORM_RE = re.compile(
    r"\b(?:[Dd]ate|[Dd]irector|[Aa]uthor|[Ww]inner|CEO|[Pp]resident)s?\.\s*$|(?:导演|作者|编剧|时间|日期|原名)[.。]\s*$"
)
"""Words of a form that a value follows, as in a table that was made flat."""
_UNSURE_RE = re.compile(r"\b(?:if|may|might|could|would|perhaps|possibly|rumou?r\w*)\b|如果|可能|或许|也许")


def filled(left: str, right: str, question: str = "") -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, symmetric in its verdict.

    `question` is what the session is to answer: it tells what a text speaks of that does not name it.
    """
    asked = read_question(question) if question else None
    found: dict[str, Contradiction] = {}
    for one in read(left):
        for other in read(right):
            if one.relation != other.relation or one.relation in found:
                continue
            if _excluded(one, other, left, right) and _of_one_thing(one, other, left, right, asked):
                found[one.relation] = told(one, other, topic_of(one, other, left, right))
    told_once = tuple(found.values())[:MOST]
    return (*told_once, *(one for each in told_once for one in _elsewhere(each, left, right)))


def _elsewhere(contradiction: Contradiction, left: str, right: str) -> Iterator[Contradiction]:
    """The same two values in the other sentences that write them: what settles one is to be written in all."""
    one, other = contradiction.left, contradiction.right
    for sentence in _joined(left):
        if one.value in sentence and sentence != one.text:
            yield replace(contradiction, left=replace(one, text=sentence))
    for sentence in _joined(right):
        if other.value in sentence and sentence != other.text:
            yield replace(contradiction, right=replace(other, text=sentence))


@lru_cache(maxsize=_CACHE_SIZE)
def read(text: str) -> tuple[Filling, ...]:
    """The fillings of a text; the nearest value of each relation in a sentence first."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[Filling]:
    for sentence in _joined(text):
        if not sentence or len(sentence) > _LONGEST_SENTENCE or sentence.endswith(("?", "？")):
            continue
        if _UNSURE_RE.search(sentence):
            continue
        reader = chinese if is_chinese(sentence) else english
        yield from sorted(reader.fillings(sentence), key=lambda filling: filling.gap)


def _joined(text: str) -> Iterator[str]:
    """The sentences; one that ends in a word of a form ("Release date.") goes on in the next."""
    start: int | None = None
    for piece in sentences(text):
        start = piece.start if start is None else start
        if not _FORM_RE.search(text[start : piece.end]):
            yield text[start : piece.end].strip()
            start = None
    if start is not None:
        yield text[start:].strip()


def _excluded(one: Filling, other: Filling, left: str, right: str) -> bool:
    """Whether the values differ, and neither text knows the other's."""
    if one.date is not None and other.date is not None:
        return dates.relate(one.date, other.date) == "different" and not (
            _dated(one.date, right) or _dated(other.date, left)
        )
    return not _written(one, right) and not _written(other, left)


def _dated(day: dates.Date, text: str) -> bool:
    """Whether a text states this date, or one that it lies in, other than its own dateline."""
    return any(dates.relate(day, other) != "different" for other in dates.scan(text) if not other.range)


def _written(filling: Filling, text: str) -> bool:
    """Whether any telling part of the value stands in a text."""
    if is_chinese(filling.value):
        han = "".join(filling.key)
        return any(han[at : at + 2] in text for at in range(len(han) - 1))
    low = fold(text)
    return any(re.search(rf"\b{re.escape(word)}\b", low) for word in filling.key if len(word) > 2)


def _of_one_thing(one: Filling, other: Filling, left: str, right: str, asked: Asked | None) -> bool:
    if one.marks and other.marks and not one.marks & other.marks:
        return False
    if asked is not None and one.relation in asked.relations and _on_question(one, other, left, right, asked):
        return asked.fits(years(left)) and asked.fits(years(right))
    return same_time(one, other, left, right) and (same_subject(one, other) or same_topic(one, other, left, right))


def _on_question(one: Filling, other: Filling, left: str, right: str, asked: Asked) -> bool:
    """Whether both texts name what is asked about, or one does and they share their names."""
    if asked.names_in_both(left, right):
        return True
    if asked.names(left):
        return same_topic(one, other, left, right) or _leaves_out(other, left, right, one)
    return asked.names(right) and (same_topic(one, other, left, right) or _leaves_out(one, right, left, other))


def _leaves_out(filling: Filling, named: str, unnamed: str, against: Filling) -> bool:
    """Whether a text says it of nothing by name ("It was released on ..."), and shares a name with one that does.

    What was read in search of an answer is then taken to speak of what was asked.
    """
    return not filling.subjects and shares_topic(unnamed, named, (*filling.key, *against.key))


# -- what a third text says -------------------------------------------------------------------------------------------


def disputed(contradiction: Contradiction) -> tuple[Filling, Filling] | None:
    """The two fillings that a contradiction was told from; None when it was found in another way."""
    found = tuple(_filling_of(claim) for claim in (contradiction.left, contradiction.right))
    return (found[0], found[1]) if found[0] and found[1] and found[0].relation == found[1].relation else None


def _filling_of(claim: Claim) -> Filling | None:
    return next(
        (one for one in read(claim.text) if one.value == claim.value and attribute(one) == claim.attribute), None
    )


def stance(
    passage: str, left: Filling, right: Filling
) -> tuple[Literal["left", "right", "other", "unclear", "neither"], str, str]:
    """Which of two disputed values a passage stands for, the value as it writes it, and the sentence.

    What it fills the slot with decides; else which of the two values it mentions, where it speaks of the same thing.
    It is unclear where it speaks of that and writes both values or none, or writes one and names nothing else of it.
    """
    stated = [one for one in read(passage) if one.relation == left.relation and _of_that(one, passage, left, right)]
    for one in stated:
        for side, against in _sides(left, right):
            if _agree(one, against):
                return side, one.value, one.sentence
    topical = any(_topical(passage, one) for one in (left, right))
    writes = [side for side, one in _sides(left, right) if _states(one, passage)]
    if topical and len(writes) == 1:
        one = left if writes[0] == "left" else right
        return writes[0], one.value, _sentence_with(passage, one)
    if stated and not writes and stated[0].kind != "person":
        return "other", stated[0].value, stated[0].sentence
    return ("unclear" if topical or writes else "neither"), "", ""


def _sides(left: Filling, right: Filling) -> tuple[tuple[Literal["left"], Filling], tuple[Literal["right"], Filling]]:
    return ("left", left), ("right", right)


def _of_that(one: Filling, passage: str, left: Filling, right: Filling) -> bool:
    """Whether a filling of a passage may be one of the disputed slot: it names no other subject."""
    return not one.subjects or any(same_subject(one, side) or _topical(passage, side) for side in (left, right))


def _topical(passage: str, filling: Filling) -> bool:
    """Whether a passage names what a filling is said of, or shares its names."""
    return mentions(passage, filling) or shares_topic(passage, filling.sentence, filling.key)


def _agree(one: Filling, other: Filling) -> bool:
    if one.date is not None and other.date is not None:
        return dates.relate(one.date, other.date) != "different"
    return _written(other, one.value)


def _states(filling: Filling, passage: str) -> bool:
    return _dated(filling.date, passage) if filling.date is not None else _written(filling, passage)


def _sentence_with(passage: str, filling: Filling) -> str:
    found = (passage[piece.start : piece.end].strip() for piece in sentences(passage))
    return next((sentence for sentence in found if _states(filling, sentence)), "")
