"""When two texts fill one slot with values that exclude each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.slots import english
from memorybank.engines.offline.claims.slots.english import fold
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.engines.offline.claims.slots.telling import told
from memorybank.engines.offline.claims.slots.topics import (
    is_match,
    of_other_parts,
    opens_with_subject,
    same_contest,
    same_opponent,
    same_subject,
    same_time,
    same_topic,
    topic_of,
)
from memorybank.language import dates
from memorybank.language.text import sentences
from memorybank.memory.types import Contradiction

MOST = 2
"""Contradictions told of one pair of texts."""
_CACHE_SIZE = 4096
_LONGEST_SENTENCE = 500
_FORM_RE = re.compile(
    r"\b(?:[Dd]ate|[Dd]irector|[Aa]uthor|[Ww]inner|CEO|[Pp]resident)s?\.\s*$|(?:导演|作者|编剧|时间|日期|原名)[.。]\s*$"
)
"""Words of a form that a value follows, as in a table that was made flat."""
_UNSURE_RE = re.compile(r"\b(?:if|may|might|could|would|perhaps|possibly|rumou?r\w*)\b|如果|可能|或许|也许")


def filled(left: str, right: str) -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, symmetric in its verdict."""
    clashes: dict[str, Contradiction] = {}
    for one in read(left):
        for other in read(right):
            if one.relation != other.relation or one.relation in clashes:
                continue
            if _excluded(one, other, left, right) and _of_one_thing(one, other, left, right):
                clashes[one.relation] = told(one, other, _topic(one, other, left, right))
    told_once = tuple(clashes.values())[:MOST]
    return (*told_once, *(one for each in told_once for one in _elsewhere(each, left, right)))


def _topic(one: Filling, other: Filling, left: str, right: str) -> str:
    """What both are said of, as the one writes it that has the longer name: that may be of something else."""
    written = topic_of(one, other, left, right), topic_of(other, one, right, left)
    return max(sorted(written), key=len)


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
        found = sorted(_fillings(sentence), key=lambda filling: filling.gap)
        yield from (one for one in found if not _is_wider(one, text))


def _fillings(sentence: str) -> Iterator[Filling]:
    if not is_chinese(sentence):
        return english.fillings(sentence)
    from memorybank.engines.offline.claims.slots import chinese  # its patterns take long to compile

    return chinese.fillings(sentence)


def _is_wider(filling: Filling, text: str) -> bool:
    """Whether a text writes a place within this one: "Bergen, Norway ... was held in Norway"."""
    if filling.kind != "place":
        return False
    return re.search(rf"\b[A-Z][\w’'-]*, {re.escape(filling.value)}(?=[,.;)]|\s*$)", text) is not None


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
            is_dated(one.date, right) or is_dated(other.date, left)
        )
    return not is_written(one, right) and not is_written(other, left)


def is_dated(day: dates.Date, text: str) -> bool:
    """Whether a text states this date, or one that it lies in, other than its own dateline."""
    return any(dates.relate(day, other) != "different" for other in dates.scan(text) if not other.range)


def is_written(filling: Filling, text: str) -> bool:
    """Whether any telling part of the value stands in a text."""
    if is_chinese(filling.value):
        han = "".join(filling.key)
        return any(han[at : at + 2] in text for at in range(len(han) - 1))
    low = fold(text)
    return any(re.search(rf"\b{re.escape(word)}\b", low) for word in filling.key if len(word) > 2)


def _of_one_thing(one: Filling, other: Filling, left: str, right: str) -> bool:
    if one.marks and other.marks and not one.marks & other.marks:
        return False
    if _is_made_anew(one, left) != _is_made_anew(other, right):
        return False
    if of_other_parts(one, other):
        return False
    if (is_match(one) or is_match(other)) and not same_opponent(one, other, left, right):
        return False
    return same_time(one, other, left, right) and (
        same_subject(one, other)
        or same_topic(one, other, left, right)
        or same_contest(one, left, right)
        or opens_with_subject(one, other, right)
        or opens_with_subject(other, one, left)
    )


_ANEW_RE = re.compile(r"\b(?:remakes?|remade|reboot)\b|翻拍|重拍", re.IGNORECASE)
_ADAPTED_RE = re.compile(
    r"\badapt(?:ed|ation)\b|\b(?:stage|radio|television|musical) (?:version|production)\b|改编|同名", re.IGNORECASE
)


_SCRIPT_RE = re.compile(r"\bscreenplay|\bscreenwriter|\bscript|编剧|剧本", re.IGNORECASE)


def _is_made_anew(filling: Filling, text: str) -> bool:
    """Whether a text speaks of a remake, or a sentence of what was made after a work of the same name.

    Who wrote a book stays the same when it is adapted; who wrote the script is another matter.
    """
    if filling.relation == "write" and not _SCRIPT_RE.search(filling.sentence):
        return False
    return bool(_ANEW_RE.search(text) or _ADAPTED_RE.search(filling.sentence))
