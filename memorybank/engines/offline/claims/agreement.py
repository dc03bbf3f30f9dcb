"""On which side of a contradiction a passage stands: by its own claims first, by what it mentions second."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memorybank.engines.offline.claims import dates, slots, values
from memorybank.engines.offline.claims.compare import clashes
from memorybank.engines.offline.claims.extract import Reading, read
from memorybank.engines.offline.claims.facts import Fact
from memorybank.engines.offline.claims.measures import same_noun
from memorybank.engines.offline.claims.names import share_a_name
from memorybank.engines.offline.claims.phrases import joined, match_units
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.text import sentences
from memorybank.types import Claim, Contradiction


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    supports: Literal["left", "right", "other", "neither"]
    value: str = ""
    quote: str = ""
    fact: Fact | None = None
    """The claim of the passage that says so; None where it only mentions the value."""
    may: frozenset[Literal["left", "right"]] = frozenset()
    """The sides it may stand on where it speaks of what is disputed in words that are not understood well enough."""

    def agrees(self, other: Side) -> bool:
        """Whether two sides of the kind `other` state the same third value."""
        if self.fact is None or other.fact is None:
            return self.value.lower() == other.value.lower()
        return not values_differ(self.fact, other.fact)


_SILENT = Side(supports="neither")
_MAY: dict[str, frozenset[Literal["left", "right"]]] = {
    "leans left": frozenset({"left"}), "leans right": frozenset({"right"}), "unclear": frozenset({"left", "right"}),
}  # fmt: skip


def side_of(passage: str, contradiction: Contradiction) -> Side:
    """The side of a sentence or document; silent when its sentences do not agree among themselves."""
    if slot := slots.disputed(contradiction):
        return _in_slot(passage, slot)
    side = _by_claims(passage, contradiction)
    slot = slots.filled_alike(contradiction) if side is _SILENT else None
    return _in_slot(passage, slot) if slot else side


def _in_slot(passage: str, slot: tuple[Filling, Filling]) -> Side:
    """The side by loose prose."""
    position, value, quote = slots.stance(passage, *slot)
    if position in _MAY:
        return Side(supports="neither", may=_MAY[position])
    return Side(supports=position, value=value, quote=quote)  # type: ignore[arg-type]


def _by_claims(passage: str, contradiction: Contradiction) -> Side:
    """The side by parsed claims; silent where they are not understood."""
    left, right = fact_of(contradiction.left), fact_of(contradiction.right)
    if left is None or right is None:
        return _SILENT
    reading = read(passage, contradiction.left.subject)
    stated = [side for fact in reading.facts if (side := _stated(fact, left, right, reading)).supports != "neither"]
    if stated:
        return stated[0] if len({side.supports for side in stated}) == 1 else _SILENT
    mentioned = [
        side for text in _sentences(passage) if (side := _mentioned(text, left, right, reading)).supports != "neither"
    ]
    if mentioned and len({side.supports for side in mentioned}) == 1:
        return mentioned[0]
    return _SILENT


def fact_of(claim: Claim) -> Fact | None:
    """The fact that a claim was made from: its sentence read again, with the subject it was said of."""
    found = [fact for fact in read(claim.text, claim.subject).facts if fact.value == claim.value]
    same_kind = [fact for fact in found if fact.kind == claim.kind]
    return next(iter(same_kind or found), None)


def _sentences(text: str) -> list[str]:
    return [text[piece.start : piece.end].strip() for piece in sentences(text)]


def _stated(fact: Fact, left: Fact, right: Fact, reading: Reading) -> Side:
    """What one fact of the passage says: it clashes with one side, with both, or with neither."""
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


def _mentioned(sentence: str, left: Fact, right: Fact, reading: Reading) -> Side:
    """A sentence on the same subject and matter that writes one of the two values and not the other."""
    if any(fact.hedges or not fact.polarity for fact in read(sentence).facts):
        return _SILENT
    if not _on_topic(sentence, left, right, reading):
        return _SILENT
    writes_left, writes_right = _writes(sentence, left), _writes(sentence, right)
    if bool(writes_left) == bool(writes_right):
        return _SILENT
    supports: Literal["left", "right"] = "left" if writes_left else "right"
    return Side(supports=supports, value=writes_left or writes_right, quote=sentence)


def _on_topic(sentence: str, left: Fact, right: Fact, reading: Reading) -> bool:
    if not _is_on_subject(sentence, left, right, reading):
        return False
    if left.measure is not None and left.measure.noun:
        return _counts(sentence, left.measure.noun)
    here = read(sentence)
    attribute = {key for key in left.attribute & right.attribute or left.attribute | right.attribute if len(key) > 1}
    return bool(attribute & (here.keys | frozenset(fact.verb for fact in here.facts)))


def _is_on_subject(sentence: str, left: Fact, right: Fact, reading: Reading) -> bool:
    """Whether a sentence names what is disputed, or its text is about that; true where nothing is named."""
    name = left.entity.name or right.entity.name
    return not name or joined(name) in sentence.lower() or match_units(name, reading.topic) == "same"


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
    reading = read(passage, contradiction.left.subject)
    for sentence in _sentences(passage):
        if not _TELLS_APART_RE.search(sentence) or _DISPUTES_RE.search(sentence):
            continue
        one, other = _writes(sentence, left), _writes(sentence, right)
        if one and other and one != other and _is_about(sentence, left, right, reading):  # "in 2017" is no two days
            return sentence
    return ""


def _is_about(sentence: str, left: Fact, right: Fact, reading: Reading) -> bool:
    if not _is_on_subject(sentence, left, right, reading):
        return False
    if left.measure is None or not left.measure.noun:
        return bool(left.entity.name or right.entity.name)
    return _counts(sentence, left.measure.noun)
