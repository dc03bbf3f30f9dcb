"""The stance of a passage on a contradiction: only a sentence that names what is disputed speaks on it.

It says so by its own frames first, by what it mentions second. (Stance: Mohammad et al. 2016, SemEval task 6.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memorybank.contradiction.compare import clash
from memorybank.contradiction.describe import attribute_of, is_chinese
from memorybank.contradiction.exclusion import share_a_name, writes
from memorybank.contradiction.frame import Frame, Reading
from memorybank.contradiction.measure_exclusion import same_noun
from memorybank.contradiction.naming import names_subject
from memorybank.contradiction.readers import read
from memorybank.contradiction.relation_words import triggers
from memorybank.contradiction.same_topic import mentions
from memorybank.language import dates, values
from memorybank.language.quotation import names
from memorybank.language.text import sentences
from memorybank.memory.types import Claim, Contradiction

Supports = Literal["left", "right", "other", "neither"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """What a passage says on the disputed claim."""

    supports: Supports
    value: str = ""
    """The value it states, verbatim; empty for `neither`."""
    quote: str = ""
    """The sentence that says so."""
    frame: Frame | None = None
    """The frame of the passage that says so; None where it only mentions the value."""

    def agrees(self, other: Stance) -> bool:
        """Whether two stances of the kind `other` state the same third value."""
        if self.frame is None or other.frame is None:
            return self.value.lower() == other.value.lower()
        return not _values_differ(self.frame, other.frame)


_SILENT = Stance(supports="neither")


_PRONOUN_RE = re.compile(r"\s*(?:(?:It|Its|He|His|She|Her|They|Their)\b|[它他她]们?|其(?![中他实余])|该)")


def stance(passage: str, contradiction: Contradiction) -> Stance:
    """The stance of a sentence or document; silent when its sentences do not agree among themselves.

    A pronoun stands for what the sentence before it names; a third value has to be said by name.
    """
    stances, before = list[Stance](), False
    for sentence in _sentences(passage):
        named = names_subject(sentence, contradiction)
        meant = named or (before and _PRONOUN_RE.match(sentence) is not None)
        side = _of_sentence(sentence, contradiction, meant=meant)
        if side.supports != "neither" and (named or not meant or side.supports != "other"):
            stances.append(side)
        before = meant
    return stances[0] if len({side.supports for side in stances}) == 1 else _SILENT


def _of_sentence(sentence: str, contradiction: Contradiction, *, meant: bool) -> Stance:
    """`meant`: whether the sentence speaks of what is disputed."""
    disputed = _disputed(contradiction)
    if disputed and disputed[0].found_by == "relations":
        named = meant or any(mentions(sentence, frame) for frame in disputed)
        return _by_relation(sentence, *disputed) if named else _SILENT
    side = _by_claims(sentence, contradiction.left.subject, *disputed) if meant and disputed else _SILENT
    alike = _filled_alike(contradiction) if meant and side is _SILENT else None
    return _by_relation(sentence, *alike) if alike else side


def _disputed(contradiction: Contradiction) -> tuple[Frame, Frame] | None:
    """The two frames that a contradiction was told from."""
    left, right = frame_of(contradiction.left), frame_of(contradiction.right)
    if contradiction.found_by == "relations":
        left, right = _relation_of(contradiction.left), _relation_of(contradiction.right)
    return (left, right) if left is not None and right is not None else None


def frame_of(claim: Claim) -> Frame | None:
    """The frame that a claim was made from: its sentence read again, with the subject it was said of."""
    frames = read(claim.text, claim.subject).frames
    matching = [frame for frame in frames if frame.found_by == "claims" and frame.value == claim.value]
    same_kind = [frame for frame in matching if frame.kind == claim.kind]
    return next(iter(same_kind or matching), None)


def _relations_of(claim: Claim) -> Iterator[Frame]:
    return (frame for frame in read(claim.text).frames if frame.found_by == "relations")


def _relation_of(claim: Claim) -> Frame | None:
    frames = (
        frame for frame in _relations_of(claim) if frame.value == claim.value and attribute_of(frame) == claim.attribute
    )
    return next(frames, None)


def _filled_alike(contradiction: Contradiction) -> tuple[Frame, Frame] | None:
    """The frames of one relation that two claims come to, though the contradiction was found in another way."""
    left, right = (
        [frame for frame in _relations_of(claim) if frame.value in claim.value or claim.value in frame.value]
        for claim in (contradiction.left, contradiction.right)
    )
    return next(
        (
            (left_frame, right_frame)
            for left_frame in left
            for right_frame in right
            if left_frame.relation == right_frame.relation
        ),
        None,
    )


def writes_value(text: str, contradiction: Contradiction, side: Literal["left", "right"]) -> bool:
    """Whether a text has a side's value, whatever it says of it."""
    disputed = _disputed(contradiction)
    claim, frame = (
        (contradiction.left, disputed and disputed[0])
        if side == "left"
        else (contradiction.right, disputed and disputed[1])
    )
    if frame and frame.found_by == "relations":
        return writes(text, frame)
    if frame and (frame.measure or frame.date or frame.names):
        return any(_writes(sentence, frame) for sentence in _sentences(text))
    return names(text, claim.value)


# -- known relations --------------------------------------------------------------------------------------------------

_Side = Literal["left", "right"]


def _by_relation(sentence: str, left: Frame, right: Frame) -> Stance:
    """What the sentence fills the slot with decides; else which of the values it writes beside the words of the
    relation.
    """
    stated = [frame for frame in read(sentence).frames if frame.slot == left.slot]
    agreeing = {side: frame for frame in reversed(stated) for side in _agreeing(frame, left, right)}
    if len(agreeing) == 1:
        side, frame = agreeing.popitem()
        return Stance(supports=side, value=frame.value, quote=sentence)
    written = [side for side, frame in _sides(left, right) if writes(sentence, frame)]
    if len(written) == 1 and _names_relation(sentence, left.relation):
        value = (left if written[0] == "left" else right).value
        return Stance(supports=written[0], value=value, quote=sentence)
    another = next(
        (frame for frame in stated if not writes(frame.value, left) and not writes(frame.value, right)), None
    )
    if another is None or agreeing or written:
        return _SILENT
    return Stance(supports="other", value=another.value, quote=sentence)


def _names_relation(sentence: str, relation: str) -> bool:
    lang: Literal["en", "zh"] = "zh" if is_chinese(sentence) else "en"
    return any(trigger.relation == relation and trigger.pattern.search(sentence) for trigger in triggers(lang))


def _agreeing(frame: Frame, left: Frame, right: Frame) -> tuple[_Side, ...]:
    """The side that a frame agrees with; none where it agrees with both."""
    sides = tuple(side for side, against in _sides(left, right) if writes(frame.value, against))
    return sides if len(sides) == 1 else ()


def _sides(left: Frame, right: Frame) -> tuple[tuple[_Side, Frame], tuple[_Side, Frame]]:
    return ("left", left), ("right", right)


# -- parsed claims ----------------------------------------------------------------------------------------------------


def _by_claims(sentence: str, subject: str, left: Frame, right: Frame) -> Stance:
    reading = read(sentence, subject)  # "it" is what the sentence names
    stated = [side for frame in reading.frames if (side := _stated(frame, left, right, reading)).supports != "neither"]
    if stated:
        return stated[0] if len({side.supports for side in stated}) == 1 else _SILENT
    return _mentioned(sentence, left, right)


def _sentences(text: str) -> Iterator[str]:
    return (text[piece.start : piece.end].strip() for piece in sentences(text))


def _claims(sentence: str) -> list[Frame]:
    return [frame for frame in read(sentence).frames if frame.found_by == "claims"]


def _stated(frame: Frame, left: Frame, right: Frame, reading: Reading) -> Stance:
    """What one frame of a sentence says: it clashes with one side, with both, or with neither."""
    if frame.kind != left.kind and {frame.kind, left.kind} - {"text", "negation"}:
        return _SILENT
    against_left = clash(frame, left, reading, read(left.sentence)) > 0
    against_right = clash(frame, right, reading, read(right.sentence)) > 0
    if not against_left and not against_right:
        return _SILENT
    supports: Literal["left", "right", "other"] = "right" if against_left else "left"
    if (against_left and against_right) or _values_differ(frame, right if against_left else left):
        supports = "other"  # not against a side is not yet for it: "uses 3,000 fibres" does not rule 5,000 out
    return Stance(supports=supports, value=frame.value, quote=frame.sentence, frame=frame)


def _values_differ(left: Frame, right: Frame) -> bool:
    """Whether two values of one kind exclude each other, whatever they are said of."""
    if left.measure is not None and right.measure is not None:
        return values.relate(left.measure.quantity, right.measure.quantity) in ("different", "unrelated")
    if left.date is not None and right.date is not None:
        return dates.relate(left.date, right.date) == "different"
    if left.names and right.names:
        return not share_a_name(left, right)
    return left.polarity != right.polarity


def _mentioned(sentence: str, left: Frame, right: Frame) -> Stance:
    """A sentence on the same matter that writes one of the two values and not the other."""
    if any(frame.hedges or not frame.polarity for frame in _claims(sentence)) or not _on_matter(sentence, left, right):
        return _SILENT
    writes_left, writes_right = _writes(sentence, left), _writes(sentence, right)
    if bool(writes_left) == bool(writes_right):
        return _SILENT
    supports: Literal["left", "right"] = "left" if writes_left else "right"
    return Stance(supports=supports, value=writes_left or writes_right, quote=sentence)


def _on_matter(sentence: str, left: Frame, right: Frame) -> bool:
    """Whether a sentence names the disputed attribute."""
    if left.measure is not None and left.measure.noun:
        return _counts(sentence, left.measure.noun)
    here = read(sentence)
    attribute = {key for key in left.attribute & right.attribute or left.attribute | right.attribute if len(key) > 1}
    return bool(attribute & (here.keys | frozenset(frame.verb for frame in here.frames)))


def _counts(sentence: str, noun: str) -> bool:
    return any(frame.measure and same_noun(frame.measure.noun, noun) for frame in _claims(sentence))


def _writes(sentence: str, frame: Frame) -> str:
    """How the sentence writes the value of a frame; empty if it does not."""
    if frame.measure is not None:
        quantity = frame.measure.quantity
        for candidate in values.scan(sentence, dates=dates.scan(sentence)):
            if values.relate(candidate, quantity) == "equal":
                return sentence[candidate.start : candidate.end]
        return ""
    if frame.date is not None:
        for date in dates.scan(sentence):
            if dates.relate(date, frame.date) != "different" and date.year:
                return sentence[date.start : date.end]
        return ""
    if frame.names:
        return next(
            (plain for name in frame.names if (plain := _TITLE_RE.sub("", name.text)).lower() in sentence.lower()), ""
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
    left, right = frame_of(contradiction.left), frame_of(contradiction.right)
    if left is None or right is None or left.kind not in ("number", "date"):
        return ""
    for sentence in _sentences(passage):
        if not _TELLS_APART_RE.search(sentence) or _DISPUTES_RE.search(sentence):
            continue
        left_written, right_written = _writes(sentence, left), _writes(sentence, right)
        if (
            left_written and right_written and left_written != right_written and names_subject(sentence, contradiction)
        ):  # "in 2017" is no two days
            noun = left.measure.noun if left.measure is not None else ""
            if not noun or _counts(sentence, noun):
                return sentence
    return ""
