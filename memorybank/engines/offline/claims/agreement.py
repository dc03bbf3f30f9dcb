"""On which side of a contradiction a passage stands: only a sentence that names what is disputed speaks on it.

It says so by its own claims first, by what it mentions second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memorybank.engines.checks import names
from memorybank.engines.offline.claims import slots
from memorybank.engines.offline.claims.compare import clashes
from memorybank.engines.offline.claims.extract import Reading, read
from memorybank.engines.offline.claims.facts import Fact
from memorybank.engines.offline.claims.measures import same_noun
from memorybank.engines.offline.claims.names import share_a_name
from memorybank.engines.offline.claims.naming import names_subject
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.language import dates, values
from memorybank.language.text import sentences
from memorybank.memory.types import Claim, Contradiction


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    supports: Literal["left", "right", "other", "neither"]
    value: str = ""
    quote: str = ""
    fact: Fact | None = None
    """The claim of the passage that says so; None where it only mentions the value."""

    def agrees(self, other: Side) -> bool:
        """Whether two sides of the kind `other` state the same third value."""
        if self.fact is None or other.fact is None:
            return self.value.lower() == other.value.lower()
        return not values_differ(self.fact, other.fact)


_SILENT = Side(supports="neither")


_PRONOUN_RE = re.compile(r"\s*(?:(?:It|Its|He|His|She|Her|They|Their)\b|[它他她]们?|其(?![中他实余])|该)")


def side_of(passage: str, contradiction: Contradiction) -> Side:
    """The side of a sentence or document; silent when its sentences do not agree among themselves.

    A pronoun stands for what the sentence before it names; a third value has to be said by name.
    """
    said, before = list[Side](), False
    for sentence in _sentences(passage):
        named = names_subject(sentence, contradiction)
        meant = named or (before and _PRONOUN_RE.match(sentence) is not None)
        side = _side_of(sentence, contradiction, meant=meant)
        if side.supports != "neither" and (named or not meant or side.supports != "other"):
            said.append(side)
        before = meant
    return said[0] if len({side.supports for side in said}) == 1 else _SILENT


def _side_of(sentence: str, contradiction: Contradiction, *, meant: bool) -> Side:
    """`meant`: whether the sentence speaks of what is disputed."""
    slot = slots.disputed(contradiction)
    if slot:
        return _in_slot(sentence, slot) if meant or any(slots.mentions(sentence, one) for one in slot) else _SILENT
    side = _by_claims(sentence, contradiction) if meant else _SILENT
    slot = slots.filled_alike(contradiction) if meant and side is _SILENT else None
    return _in_slot(sentence, slot) if slot else side


def writes_value(text: str, contradiction: Contradiction, side: Literal["left", "right"]) -> bool:
    """Whether a text has a side's value, whatever it says of it."""
    claim = contradiction.left if side == "left" else contradiction.right
    if slot := slots.disputed(contradiction):
        return slots.writes(text, slot[0] if side == "left" else slot[1])
    fact = fact_of(claim)
    if fact is not None and (fact.measure or fact.date or fact.names):
        return any(_writes(one, fact) for one in _sentences(text))
    return names(text, claim.value)


def _in_slot(sentence: str, slot: tuple[Filling, Filling]) -> Side:
    """The side by a known relation."""
    position, value = slots.stance(sentence, *slot)
    return Side(supports=position, value=value, quote=sentence) if position != "neither" else _SILENT


def _by_claims(sentence: str, contradiction: Contradiction) -> Side:
    """The side by parsed claims; silent where they are not understood."""
    left, right = fact_of(contradiction.left), fact_of(contradiction.right)
    if left is None or right is None:
        return _SILENT
    reading = read(sentence, contradiction.left.subject)  # "it" is what the sentence names
    stated = [side for fact in reading.facts if (side := _stated(fact, left, right, reading)).supports != "neither"]
    if stated:
        return stated[0] if len({side.supports for side in stated}) == 1 else _SILENT
    return _mentioned(sentence, left, right)


def fact_of(claim: Claim) -> Fact | None:
    """The fact that a claim was made from: its sentence read again, with the subject it was said of."""
    found = [fact for fact in read(claim.text, claim.subject).facts if fact.value == claim.value]
    same_kind = [fact for fact in found if fact.kind == claim.kind]
    return next(iter(same_kind or found), None)


def _sentences(text: str) -> Iterator[str]:
    return (text[piece.start : piece.end].strip() for piece in sentences(text))


def _stated(fact: Fact, left: Fact, right: Fact, reading: Reading) -> Side:
    """What one fact of a sentence says: it clashes with one side, with both, or with neither."""
    if fact.kind != left.kind and {fact.kind, left.kind} - {"text", "negation"}:
        return _SILENT
    against_left = clashes(fact, left, reading, read(left.sentence))
    against_right = clashes(fact, right, reading, read(right.sentence))
    if not against_left and not against_right:
        return _SILENT
    supports: Literal["left", "right", "other"] = "right" if against_left else "left"
    if (against_left and against_right) or values_differ(fact, right if against_left else left):
        supports = "other"  # not against a side is not yet for it: "uses 3,000 fibres" does not rule 5,000 out
    return Side(supports=supports, value=fact.value, quote=fact.sentence, fact=fact)


def values_differ(left: Fact, right: Fact) -> bool:
    """Whether two values of one kind exclude each other, whatever they are said of."""
    if left.measure is not None and right.measure is not None:
        return values.relate(left.measure.quantity, right.measure.quantity) in ("different", "unrelated")
    if left.date is not None and right.date is not None:
        return dates.relate(left.date, right.date) == "different"
    if left.names and right.names:
        return not share_a_name(left, right)
    return left.polarity != right.polarity


def _mentioned(sentence: str, left: Fact, right: Fact) -> Side:
    """A sentence on the same matter that writes one of the two values and not the other."""
    if any(fact.hedges or not fact.polarity for fact in read(sentence).facts) or not _on_matter(sentence, left, right):
        return _SILENT
    writes_left, writes_right = _writes(sentence, left), _writes(sentence, right)
    if bool(writes_left) == bool(writes_right):
        return _SILENT
    supports: Literal["left", "right"] = "left" if writes_left else "right"
    return Side(supports=supports, value=writes_left or writes_right, quote=sentence)


def _on_matter(sentence: str, left: Fact, right: Fact) -> bool:
    """Whether a sentence names the disputed attribute."""
    if left.measure is not None and left.measure.noun:
        return _counts(sentence, left.measure.noun)
    here = read(sentence)
    attribute = {key for key in left.attribute & right.attribute or left.attribute | right.attribute if len(key) > 1}
    return bool(attribute & (here.keys | frozenset(fact.verb for fact in here.facts)))


def _counts(sentence: str, noun: str) -> bool:
    return any(fact.measure and same_noun(fact.measure.noun, noun) for fact in read(sentence).facts)


def _writes(sentence: str, fact: Fact) -> str:
    """How the sentence writes the value of a fact; empty if it does not."""
    if fact.measure is not None:
        quantity = fact.measure.quantity
        for candidate in values.scan(sentence, dates=dates.scan(sentence)):
            if values.relate(candidate, quantity) == "equal":
                return sentence[candidate.start : candidate.end]
        return ""
    if fact.date is not None:
        for date in dates.scan(sentence):
            if dates.relate(date, fact.date) != "different" and date.year:
                return sentence[date.start : date.end]
        return ""
    if fact.names:
        return next(
            (plain for name in fact.names if (plain := _TITLE_RE.sub("", name.text)).lower() in sentence.lower()), ""
        )
    return ""


_TITLE_RE = re.compile(r"^(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms|Sir|Dame)\b\.?\s*)+|(?:博士|教授|院士|先生|女士)$")


# -- both hold --------------------------------------------------------------------------------------------------------

_TELLS_APART_RE = re.compile(
    r"\b(?:since|after|before|until|later|now|then|originally|initially|at first|when|if|including|included|excluding|"
    r"excluded|without|counting|counted|only|upgrade|upgraded|expanded|extension|respectively|while|whereas|the rest|"
    r"of which|of these|of them|year-round)\b"
    r"|起初|最初|原先|原来|后来|之后|以后|此后|之前|以前|如今|现在|目前|当时|时|起|自|升级|扩建|改造"
    r"|包括|不包括|不含|含|算上|计入|其中|只|分别|而|如果|若",
    re.IGNORECASE,
)  # fmt: skip
_DISPUTES_RE = re.compile(
    r"\b(?:not|wrong(?:ly)?|incorrect(?:ly)?|mistake(?:nly)?|false(?:ly)?|contrary|instead|rather than|disput\w+|"
    r"disagree\w*|claims?|error|some say|others say)\b"
    r"|不是|而非|并非|错误|误|有人|另一些|争议|说法",
    re.IGNORECASE,
)  # fmt: skip


def explains_both(passage: str, contradiction: Contradiction) -> str:
    """The sentence that states both values for the same thing and tells them apart (another year, another way of
    counting); empty if there is none. Only numbers and dates: two names side by side explain nothing."""
    left, right = fact_of(contradiction.left), fact_of(contradiction.right)
    if left is None or right is None or left.kind not in ("number", "date"):
        return ""
    for sentence in _sentences(passage):
        if not _TELLS_APART_RE.search(sentence) or _DISPUTES_RE.search(sentence):
            continue
        one, other = _writes(sentence, left), _writes(sentence, right)
        if one and other and one != other and names_subject(sentence, contradiction):  # "in 2017" is no two days
            noun = left.measure.noun if left.measure is not None else ""
            if not noun or _counts(sentence, noun):
                return sentence
    return ""
