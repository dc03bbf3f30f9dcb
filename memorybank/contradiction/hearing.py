"""What a passage says on a contradiction, by its own claims: what it states of the same thing, and with which value.

A passage may say more than the claim does, never less: every word of what is disputed, but the value, has to stand in
the clause that gives a value. Nothing is heard where no parser is at hand, or where a passage disagrees with itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from memorybank.contradiction.claims import ParsedClaim, Readings, ReadText, Value, read
from memorybank.contradiction.differences import agree, clash
from memorybank.language import values
from memorybank.language.parse import Parse
from memorybank.language.quotation import names
from memorybank.language.text import sentences
from memorybank.language.values import Quantity
from memorybank.memory.types import Claim, Contradiction

Supports = Literal["left", "right", "other", "neither"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a passage says on the disputed claim."""

    supports: Supports
    value: str = ""
    """The value it states, verbatim; empty for `neither`."""
    quote: str = ""
    """The sentence that says so."""
    stated: Value | None = None
    """The value as it is compared; None of yes or no."""

    def agrees(self, other: Heard) -> bool:
        """Whether two stances of the kind `other` state the same third value."""
        return same(self.stated, other.stated)


_SILENT: Final = Heard(supports="neither")
_APART_RE: Final = re.compile(
    r"\b(?:after|before|including|excluding|later|now|of which|only|originally|respectively|since|then|until|upgrad\w+|"
    r"when|whereas|while|without)\b|起初|原[先来]|后来?|[之以此][前后]|如今|现在|目前|升级|扩建|[包不]含|包括|其中|只|分别|而",
    re.IGNORECASE,
)
"""Words that tell two values of one thing apart: by time, or by what is counted."""
_DOUBTED_RE: Final = re.compile(
    r"\b(?:wrong|incorrect|mistake|false|disput|disagree|claim|error|some say|others say)\w*"
    r"|错误|有误|争议|有人|另一些|说法",
    re.IGNORECASE,
)


class Hearing:
    """A contradiction, read once, with the passages that are heard on it."""

    def __init__(self, contradiction: Contradiction, parse: Parse, readings: Readings | None = None) -> None:
        self._pair, self._parse, self._readings = contradiction, parse, readings or Readings(parse)
        self._left, self._right = (self._of(claim) for claim in (contradiction.left, contradiction.right))

    def stance(self, passage: str) -> Heard:
        """What a sentence or a document says on it; silent where its sentences do not agree among themselves."""
        stances = list(self._stances(passage))
        return stances[0] if len({(stance.supports) for stance in stances}) == 1 else _SILENT

    def explains_both(self, passage: str) -> str:
        """The sentence that states both numbers or dates of the same thing and tells them apart; empty without one."""
        left, right = self._left, self._right
        if left is None or right is None or isinstance(left.value, frozenset) or left.value is None:
            return ""
        subject = left.subject & right.subject
        for start, end in sentences(passage):
            sentence = passage[start:end].strip()
            if _APART_RE.search(sentence) and not _DOUBTED_RE.search(sentence):
                said = [*values.scan(sentence)] if isinstance(left.value, Quantity) else [*_dates(self._read(sentence))]
                agreeing = [(same(value, left.value), same(value, right.value)) for value in said]
                both = (True, False) in agreeing and (False, True) in agreeing  # "in 2017" is no two days
                if both and subject <= _bag(self._read(passage)):
                    return sentence
        return ""

    def writes(self, passage: str, side: Literal["left", "right"]) -> bool:
        """Whether a text has a side's value, whatever it says of it."""
        stated, claim = (self._left, self._pair.left) if side == "left" else (self._right, self._pair.right)
        if stated is None or isinstance(stated.value, frozenset):
            return bool(claim.value) and names(passage, claim.value)
        return any(same(own.value, stated.value) for own in self._read(passage).statements)

    def _read(self, passage: str) -> ReadText:
        return self._readings.of([(passage, "")])[0]

    def _of(self, claim: Claim) -> ParsedClaim | None:
        """The statement that a claim was made of; None where it was made by a model in words of its own."""
        reading = read(claim.text, self._parse, subject=claim.subject)
        stated = (item for item in reading.statements if item.claim.kind == claim.kind)
        return next((item for item in stated if item.claim.value == claim.value), None)

    def _stances(self, passage: str) -> Iterator[Heard]:
        for stated in self._read(passage).statements:
            sides = [side for side in (self._left, self._right) if side is not None and _is_on(stated, side)]
            if not sides:
                continue
            agreeing = [side for side in sides if _says(stated, side)]
            if len(agreeing) == 1:
                yield _heard("left" if agreeing[0] is self._left else "right", stated)
            elif stated.value is not None and not any(same(stated.value, side.value) for side in sides):
                yield _heard("other", stated)


def _heard(supports: Supports, stated: ParsedClaim) -> Heard:
    return Heard(supports=supports, value=stated.claim.value, quote=stated.claim.text, stated=stated.value)


def _is_on(stated: ParsedClaim, side: ParsedClaim) -> bool:
    """Whether a statement gives a value to what is disputed, at the same time."""
    return (
        stated.claim.kind == side.claim.kind
        and side.key <= stated.key | stated.aside
        and not clash(stated.when, side.when)
        and (side.once or bool(stated.when) <= bool(side.when))
    )


def _says(stated: ParsedClaim, side: ParsedClaim) -> bool:
    return same(stated.value, side.value) and stated.claim.polarity == side.claim.polarity


def same(left: Value | None, right: Value | None) -> bool:
    """Whether two values may be one; None is that of a claim that is no more than yes or no."""
    return (left is None and right is None) or agree(left, right)


def _dates(reading: ReadText) -> Iterator[Value]:
    for item in reading.statements:
        yield from item.when
        if item.claim.kind == "date" and item.value is not None:
            yield item.value


def _bag(reading: ReadText) -> frozenset[str]:
    return frozenset().union(*(item.key for item in reading.statements))
