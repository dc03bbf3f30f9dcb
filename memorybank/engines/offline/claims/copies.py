"""Copies with another value: two sentences that are one word for word, save a single number, day or name.

Chance does not write a long sentence twice, so neither its verb nor its subject has to be understood: whoever wrote the
one had the other before him, and the two cannot both be right. A second value that differs makes it a form that was
filled in twice (a report of each month), and a year alone may be that too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memorybank.engines.offline.claims import dates, values, words_en
from memorybank.engines.offline.claims.alignment.names import find_names, same_name
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.describe import is_chinese, quoted
from memorybank.engines.offline.claims.extract import read as read_facts
from memorybank.engines.offline.claims.phrases import Units, match_units
from memorybank.engines.offline.claims.tokens_en import capitalised
from memorybank.engines.offline.claims.values import Quantity
from memorybank.text import sentences
from memorybank.types import Claim, ClaimKind, Contradiction

MOST = 4
"""Contradictions told of one pair of texts."""
CONFIDENCE = 0.75
_FEWEST_WORDS = 5
"""Content words that two sentences must have in common to be copies; of Han characters twice as many."""
_LONGEST_SENTENCE = 600
_TOKEN_RE = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’][a-z]+)?|[\u3400-\u9fff]|\d+(?:[.,:/]\d+)*|[^\s\w]")
_NUMBERED_RE = re.compile(
    r"(?:\b[A-Z][\w.-]*|\b(?:No|no|number|line|route|chapter|part|version|page|grade)\.?)[ -]?$|[A-Za-z第]-?$"
)
"""Before a number that is part of a name: HD 35, Route 66, No. 4, 第3."""
_ORDINAL_RE = re.compile(r"(?:st|nd|rd|th)\b|[号届第]|\s?[–—-]{1,2}\s?\d|\s?:\s?\d")
_UNSURE_RE = re.compile(r"\b(?:[Ii]f|may|might|would|could|[Pp]erhaps)\b|如果|可能|或许")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A value at `start` to `end` of a sentence: one of the three."""

    start: int
    end: int
    quantity: Quantity | None = None
    date: Date | None = None
    name: Units = ()

    @property
    def kind(self) -> ClaimKind:
        return "number" if self.quantity else "date" if self.date else "name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A sentence with its values taken out; `words` are what is left, a value's kind where it stood."""

    sentence: str
    words: tuple[str, ...]
    slots: tuple[Slot, ...]
    topic: Units


def copied(left: str, right: str, left_topic: str = "", right_topic: str = "") -> tuple[Contradiction, ...]:
    """Where one text is the other with one value exchanged; symmetric in its verdict."""
    by_words: dict[tuple[str, ...], list[Form]] = defaultdict(list)
    for form in read(right, right_topic):
        by_words[form.words].append(form)
    found: list[Contradiction] = []
    for form in read(left, left_topic):
        for other in by_words[form.words]:
            at = _exchanged(form, other)
            if at is not None:
                found.append(_told(form, other, at))
    return tuple(found[:MOST])


@lru_cache(maxsize=4096)
def restates(left: str, right: str) -> bool:
    """Whether two sentences are one word for word and all their values agree, however they are written.

    Such a pair holds no contradiction, whatever a reader makes of its clauses: "10 aircraft" is "ten aircraft".
    """
    forms = []
    for sentence in (left, right):
        slots = tuple(_slots(sentence.strip().rstrip(" .。"), capitalised(left) | capitalised(right)))
        forms.append((tuple(_words(sentence.strip().rstrip(" .。"), slots)), slots))
    (words, slots), (other_words, others) = forms
    return words == other_words and all(_agree(one, other) for one, other in zip(slots, others, strict=True))


@lru_cache(maxsize=4096)
def read(text: str, topic: str = "") -> tuple[Form, ...]:
    """The sentences that hold a value and enough beside it."""
    about = read_facts(text, topic).topic
    return tuple(_forms(text, about))


def _forms(text: str, topic: Units) -> Iterator[Form]:
    known = capitalised(text)
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip().rstrip(" .。")
        if len(sentence) > _LONGEST_SENTENCE or _UNSURE_RE.search(sentence):
            continue
        slots = tuple(_slots(sentence, known))
        words = tuple(_words(sentence, slots))
        if slots and _tells_enough(words, len(slots) - 1):
            yield Form(sentence=sentence, words=words, slots=slots, topic=topic)


def _slots(sentence: str, known: frozenset[str]) -> Iterator[Slot]:
    days = dates.scan(sentence)
    found = [Slot(start=day.start, end=day.end, date=day) for day in days]
    for quantity in values.scan(sentence, dates=days):
        before, after = sentence[: quantity.start], sentence[quantity.end :]
        if before and not _NUMBERED_RE.search(before) and not _ORDINAL_RE.match(after):
            found.append(Slot(start=quantity.start, end=quantity.end, quantity=quantity))
    for start, end, units in find_names(sentence, known):
        if not any(slot.start < end and start < slot.end for slot in found):
            found.append(Slot(start=start, end=end, name=units))
    return iter(sorted(found, key=lambda slot: slot.start))


def _words(sentence: str, slots: tuple[Slot, ...]) -> Iterator[str]:
    at = 0
    for slot in slots:
        yield from (match[0].lower() for match in _TOKEN_RE.finditer(sentence, at, slot.start))
        yield f"<{slot.kind}>"
        at = slot.end
    yield from (match[0].lower() for match in _TOKEN_RE.finditer(sentence, at))


def _tells_enough(words: tuple[str, ...], others: int) -> bool:
    """Whether a sentence has so many words, and other values, that it is not written twice by chance."""
    told = [word for word in words if word[0].isalpha() and word not in words_en.FUNCTION]
    han = sum("\u3400" <= word[0] <= "\u9fff" for word in told)
    return len(told) - han + han / 2 + others >= _FEWEST_WORDS


def _exchanged(left: Form, right: Form) -> int | None:
    """The place of the one slot whose values exclude each other while all others agree."""
    if match_units(left.topic, right.topic) == "different" and not _same_names(left, right):
        return None
    found: int | None = None
    for place, (one, other) in enumerate(zip(left.slots, right.slots, strict=True)):
        if _agree(one, other):
            continue
        if found is not None or not _exclude(one, other, place):
            return None
        found = place
    return found


def _same_names(left: Form, right: Form) -> bool:
    names = [slot.name for slot in left.slots if slot.name]
    return bool(names) and names == [slot.name for slot in right.slots if slot.name]


def _agree(one: Slot, other: Slot) -> bool:
    if one.quantity and other.quantity:
        return values.relate(one.quantity, other.quantity) in ("equal", "compatible")
    if one.date and other.date:
        return dates.relate(one.date, other.date) != "different"
    return same_name(one.name, other.name)


def _exclude(one: Slot, other: Slot, place: int) -> bool:
    """Whether two values that do not agree cannot both hold, wherever the sentence comes from."""
    if one.quantity and other.quantity:
        return values.relate(one.quantity, other.quantity) == "different"
    if one.date and other.date:
        return not (one.date.bare or other.date.bare) and one.date.year > 0 and other.date.year > 0
    return place > 0 and not set(one.name) & set(other.name)


def _told(left: Form, right: Form, place: int) -> Contradiction:
    one, other = (form.sentence[form.slots[place].start : form.slots[place].end] for form in (left, right))
    if is_chinese(left.sentence):
        reason = f"同一句话，一方为{quoted(one)}，另一方为{quoted(other)}"
    else:
        reason = f"the same sentence with {quoted(one)} and with {quoted(other)}"
    return Contradiction(left=_claim(left, place), right=_claim(right, place), reason=reason, confidence=CONFIDENCE)


def _claim(form: Form, place: int) -> Claim:
    slot = form.slots[place]
    named = next((each for each in form.slots if each.name and each is not slot), None)
    unit = slot.quantity.unit.name if slot.quantity and slot.quantity.unit else ""
    return Claim(
        text=form.sentence, kind=slot.kind, subject=form.sentence[named.start : named.end] if named else "",
        attribute=" ".join(form.words[-3:]) if not named else "", value=form.sentence[slot.start : slot.end], unit=unit,
    )  # fmt: skip
