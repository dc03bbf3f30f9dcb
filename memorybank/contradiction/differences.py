"""The differences of two texts, which cannot both hold, by three readers, the surest first; nothing else reads.

1. Corrections ("Correction: 14, not 12", "should read 46", 更正：…不是…), which supersede what they correct.
2. Claims that are equal in everything but the value: subject, predicate, complements, times and places.
3. Near copies: long sentences that are equal but for one name or number that the parse does not give to the subject.

Two statements of one speaker at two times are no contradiction but an update.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, Literal

from memorybank.contradiction.claims import ParsedClaim, Sentence, Value, claim_of, content, written
from memorybank.contradiction.clauses import Clause, clauses
from memorybank.contradiction.reading import ReadText
from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.parse import Parsed, meet
from memorybank.language.text import HAN_RE, Piece, remembered
from memorybank.language.values import Quantity
from memorybank.memory.types import Claim, ClaimKind, Contradiction, Reader, Side
from memorybank.prompts.claim_words import GAP


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two claims that cannot both hold."""

    left: Claim
    right: Claim
    found_by: Reader
    newer: Side = ""
    """The side that corrects the other, or by whose speaker the older was said before; empty where neither does."""
    update: bool = False
    """Whether one speaker said both, one after the other: then nothing is wrong."""

    def contradiction(self) -> Contradiction:
        """Return the difference as the memory keeps it."""
        return Contradiction(
            left=self.left, right=self.right, reason=f"{self.left.text} ≠ {self.right.text}",
            confidence=_SURE[self.found_by], found_by=self.found_by, newer=self.newer,
        )  # fmt: skip


_SURE: Final = {"claims": 0.9, "copies": 0.7, "corrections": 0.95}
MOST: Final = 12
"""Differences of one pair of texts that are kept."""


def differences(left: ReadText, right: ReadText) -> tuple[Difference, ...]:
    """Return what two texts state that cannot both hold, each pair of sentences by one reader, the surest."""
    found: dict[tuple[str, ...], Difference] = {}
    for reader in (_corrected, _claimed, _copied):
        surer = {key[:2] for key in found}
        for difference in reader(left, right):
            ours, theirs = difference.left, difference.right
            if (ours.text, theirs.text) not in surer and len(found) < MOST:
                found.setdefault((ours.text, theirs.text, ours.value, theirs.value), difference)
    return tuple(found.values())


# -- claims -----------------------------------------------------------------------------------------------------------


def _claimed(left: ReadText, right: ReadText) -> Iterator[Difference]:
    by_key = defaultdict[frozenset[str], list[ParsedClaim]](list)
    for item in right.statements:
        by_key[item.key].append(item)
    for ours in left.statements:
        for theirs in by_key[ours.key]:
            if not (_same_but_value(ours, theirs) and _excludes(ours, theirs)):
                continue
            named = ours.subject & theirs.anchor or theirs.subject & ours.anchor
            known = bool(ours.anchor) == bool(theirs.anchor) or (ours.anchored and theirs.anchored)
            on_one = alike_anchors(ours.anchor, theirs.anchor)
            if not on_one or not (named or known) or not (ours.anchored or alike_anchors(left.topic, right.topic)):
                continue
            sentence, other = ours.said, theirs.said
            corrects: Side = "left" if sentence.corrects else "right" if other.corrects else ""
            update = bool(sentence.speaker) and sentence.speaker == other.speaker and sentence.moment != other.moment
            yield Difference(
                left=ours.claim, right=theirs.claim, found_by="corrections" if corrects else "claims", newer=corrects,
                update=update,
            )  # fmt: skip


def alike_anchors(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether what two sentences are about may be one thing, by the names and numbers their texts call it by:
    Chinese names may lie in each other, for they are cut now 马恩 大桥 and now 马恩大桥."""
    return not left or not right or any(
        all(word in more or (HAN_RE.match(word) and any(word in other for other in more)) for word in fewer)
        for fewer, more in ((left, right), (right, left))
    )  # fmt: skip


def compared(left: Value | None, right: Value | None) -> Literal["same", "different", "unrelated"]:
    """Whether two values may be one, cannot, or are of two sorts; names that share a word may. None is that of a claim
    that is no more than yes or no."""
    if left is None and right is None:
        return "same"
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        relation = values.relate(left, right)
        return relation if relation == "different" or relation == "unrelated" else "same"
    if isinstance(left, Date) and isinstance(right, Date):
        return "different" if dates.relate(left, right) == "different" else "same"
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return "same" if left & right else "different"
    return "unrelated"


def agree(left: Value | None, right: Value | None) -> bool:
    return compared(left, right) == "same"


def _same_but_value(left: ParsedClaim, right: ParsedClaim) -> bool:
    if left.claim.kind != right.claim.kind or left.key != right.key or left.key <= _MARKS:
        return False
    if left.once and right.once and left.claim.kind in ("date", "name", "place"):
        alone = left.claim.kind == "date" and not _ALONE.isdisjoint(left.key)
        known = alone or left.where <= right.where or right.where <= left.where
        return not clash(left.when, right.when) and known
    return bool(left.when) == bool(right.when) and not clash(left.when, right.when)


_ALONE: Final = frozenset("bear discover invent die 诞".split())
"""Acts that no other can do again: found in 1844 by one ship, it was not found in 1847 by another."""
_MARKS: Final = frozenset(("@agent", "@place", "@is"))
"""Marks in keys for the role of a name."""


def clash(left: Sequence[Date], right: Sequence[Date]) -> bool:
    """Whether two sets of times are of different times: both are given, and none of them agrees."""
    different = (dates.relate(day, other) == "different" for day in left for other in right)
    return bool(left and right) and all(different)


def _excludes(left: ParsedClaim, right: ParsedClaim) -> bool:
    """Whether the two values cannot both hold."""
    if left.value is None or right.value is None:
        return left.claim.polarity != right.claim.polarity
    if left.claim.kind == "place" and isinstance(left.value, frozenset) and isinstance(right.value, frozenset):
        nested = left.value & right.within or right.value & left.within
        apart = (left.within and right.within) or left.once  # "located in Brenn" may be "located in Veldania"
        if nested or not apart:
            return False
    only = left.only and right.only if left.claim.kind == "date" else left.only or right.only
    return only and compared(left.value, right.value) == "different"


# -- near copies ------------------------------------------------------------------------------------------------------

_WORD_RE: Final = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*|\d+(?:[.,:]\d+)*|[^\s\w]|\w")
_LEAST_SHARED: Final = {"en": 8, "zh": 14}
"""Words, or characters, that two sentences must share to be copies of each other."""
_LONGEST_CHANGE: Final = {"en": 6, "zh": 8}
_SLIP: Final = 0.85
"""Likeness at which two words are taken for one, of which one has a slip of the pen."""
_FUNCTION: Final = frozenset("a an the of in on at by to and or as for with from that which who also".split())


def _copied(left: ReadText, right: ReadText) -> Iterator[Difference]:
    if not alike_anchors(left.topic, right.topic):
        return
    alike = defaultdict[tuple[str, ...], list[Sentence]](list)
    for sentence in right.said:
        for end in _ends(sentence):
            alike[end].append(sentence)
    for ours in left.said:
        for theirs in {id(sentence): sentence for end in _ends(ours) for sentence in alike[end]}.values():
            places = _changed(ours, theirs) if alike_anchors(ours.anchor, theirs.anchor) else []
            told_of_one = (ours.anchor and theirs.anchor) or (left.topic and right.topic)  # and not of any two things
            may_differ = all(_may_differ(ours, own) and _may_differ(theirs, other) for own, other in places)
            if not (places and told_of_one and may_differ):
                continue
            own, other = places[0]
            excluded = _exclude(_written(ours, own), _written(theirs, other))
            two_things = (  # also where the one text is on what the other does not name
                content(_written(ours, own)) & left.topic or content(_written(theirs, other)) & right.topic
                or (_is_about(left, ours, own) and _is_about(right, theirs, other))
            )  # fmt: skip
            if excluded and not two_things and not _may_be_both(left, ours, right, theirs):
                yield Difference(left=_cited(ours, own), right=_cited(theirs, other), found_by="copies")


def _written(sentence: Sentence, place: Piece) -> str:
    return sentence.parsed.text[slice(*place)].strip()


def _may_be_both(left: ReadText, ours: Sentence, right: ReadText, theirs: Sentence) -> bool:
    """Whether the claims of two sentences are of names that do not exclude each other: who visited, where it lies."""
    return any(
        own.claim.kind in ("name", "place") and _same_but_value(own, other) and not _excludes(own, other)
        and not agree(own.value, other.value)
        for own in left.statements if own.claim.text == ours.text
        for other in right.statements if other.claim.text == theirs.text
    )  # fmt: skip


def _is_about(reading: ReadText, sentence: Sentence, place: Piece) -> bool:
    """Whether what a sentence names is what its own text speaks of: then the two texts speak of two things."""
    return any(_written(sentence, place) in item.claim.subject for item in reading.statements)


def _ends(sentence: Sentence) -> tuple[tuple[str, ...], ...]:
    """Return the words that a sentence begins and ends with: two that differ in one place share the one or the
    other. Who speaks copies nobody."""
    words = tuple(word for word, _, _ in _cut(sentence.parsed.text))
    count = _LEAST_SHARED[sentence.parsed.lang] // 2
    copied = sentence.parsed.tokens and not (sentence.speaker or sentence.entry) and len(words) > count
    return (("^", *words[:count]), ("$", *words[-count:])) if copied else ()


@remembered
def _cut(text: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((match[0].casefold(), *match.span()) for match in _WORD_RE.finditer(text))


def _changed(left: Sentence, right: Sentence) -> list[tuple[Piece, Piece]]:
    """Return the places in which one thing is put for another, in both; none where more differs than that one thing.

    Function words, marks and a slip of the pen are no difference.
    """
    ours, theirs = _cut(left.parsed.text), _cut(right.parsed.text)
    words, others = [word for word, _, _ in ours], [word for word, _, _ in theirs]
    lang, places = left.parsed.lang, list[list[int]]()
    for kind, start, end, begin, stop in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        own, other = words[start:end], others[begin:stop]
        if kind == "equal" or _is_slip(own, other):
            continue
        if places and start - places[-1][1] <= 1 and begin - places[-1][3] <= 1:  # "March 15, 1870"
            places[-1][1::2] = [end, stop]
        else:
            places.append([start, end, begin, stop])
    changed = sum(end - start for start, end, _, _ in places)
    put = {(tuple(words[start:end]), tuple(others[begin:stop])) for start, end, begin, stop in places}
    shared = sum(word.isalnum() for word in words) - changed
    sizes = [len(part) for pair in put for part in pair]
    if len(put) != 1 or shared < _LEAST_SHARED[lang] or 0 in sizes or max(sizes) > _LONGEST_CHANGE[lang]:
        return []
    return [
        (Piece(ours[start][1], ours[end - 1][2]), Piece(theirs[begin][1], theirs[stop - 1][2]))
        for start, end, begin, stop in places
    ]


def _is_slip(own: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the difference is one of function words and marks alone, or of a letter in a word."""
    if all(not word.isalnum() or word in _FUNCTION for word in (*own, *other)):
        return True
    left, right = " ".join(own), " ".join(other)
    return left.isalpha() and right.isalpha() and len(left) > 4 and SequenceMatcher(None, left, right).ratio() >= _SLIP


def _may_differ(sentence: Sentence, place: Piece) -> bool:
    """Whether a name, a number or what a made thing is stands at a place, and no part of what a clause is about. What
    has a capital within a sentence is a name, whatever the parser takes it for."""
    text, words = sentence.parsed.text, sentence.parsed.tokens
    touched = {at for at, word in enumerate(words) if meet(word, place)}
    named = {at for at in touched if at and text[words[at].start].isupper()}
    kinds = {words[at].pos for at in touched - named} - {"DET", "ADP", "PUNCT", "CCONJ", "SYM", "PART"}
    stated = clauses(sentence.parsed) if named or kinds else ()
    if any(touched & set(clause.subject) for clause in stated):
        return False
    return bool(stated) and (kinds <= {"PROPN", "NUM", "TIME"} or _is_kind(sentence.parsed, touched, stated))


def _is_kind(sentence: Parsed, places: set[int], stated: Sequence[Clause]) -> bool:
    """Whether words say what a thing is that somebody made: "a short film directed by", "a documentary directed by"."""
    words = sentence.tokens
    by = any(role == "agent" and phrase != clause.subject for clause in stated for role, phrase in clause.names)
    ends = words[max(places) + 1 :][:1] if any(word.lemma == "是" for word in words[: min(places)]) else ()
    is_last = any(words[at].role == "attr" for at in places) or any(word.pos == "PUNCT" for word in ends)
    there_is = any(word.role == "expl" for word in words)
    return by and is_last and not there_is and {words[at].pos for at in places} <= {"PROPN", "NOUN", "ADJ", "DET"}


def _exclude(left: str, right: str) -> bool:
    if bool(re.search(r"\d", left)) != bool(re.search(r"\d", right)):
        return False
    for scan in (dates.scan, values.scan):
        if (ours := scan(left)) and (theirs := scan(right)):
            return compared(ours[0], theirs[0]) == "different"
    return not content(left) & content(right)


def _cited(sentence: Sentence, place: Piece) -> Claim:
    kind: ClaimKind = "number" if re.search(r"\d", _written(sentence, place)) else "name"
    stated = [claim_of(clause, kind, place, written(clause, clause.subject)) for clause in clauses(sentence.parsed)]
    claim = next((claim for claim in stated if GAP in claim.attribute), replace(stated[0], attribute=""))
    return replace(claim, text=sentence.text, polarity=True)


# -- corrections ------------------------------------------------------------------------------------------------------


def _corrected(left: ReadText, right: ReadText) -> Iterator[Difference]:
    """Yield what a correction puts right in the other text: the value it takes back, or the only one of its sort."""
    sides: tuple[tuple[ReadText, ReadText, Side], ...] = ((left, right, "left"), (right, left, "right"))
    for reading, other, side in sides:
        for place, sentence in enumerate(reading.said):
            value = _only_value(sentence.parsed.text) if sentence.corrects else None
            if value is None:
                continue
            about = content(" ".join(item.text for item in reading.said[max(0, place - 1) : place + 1]))
            wrong = _only_value(sentence.denied)
            claims = [
                item for item in other.statements
                if item.subject and item.subject <= about and compared(item.value, value) != "unrelated"
                and (agree(item.value, wrong) if wrong else item.key == item.subject or item.key & about - item.subject)
            ]  # fmt: skip
            if len({item.claim.text for item in claims}) == 1 and compared(claims[0].value, value) == "different":
                corrected, written_out = claims[0].claim, sentence.parsed.text[value.start : value.end].strip()
                claim = replace(corrected, text=sentence.text, value=written_out, unit="", time="", polarity=True)
                ours, theirs = (claim, corrected) if side == "left" else (corrected, claim)
                yield Difference(left=ours, right=theirs, found_by="corrections", newer=side)


def _only_value(text: str) -> Quantity | Date | None:
    days = [day for day in dates.scan(text) if not day.bare]
    found: list[Quantity | Date] = [*days, *values.scan(text, dates=days)]
    return found[0] if len(found) == 1 else None
