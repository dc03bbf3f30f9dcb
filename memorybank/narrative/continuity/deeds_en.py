"""Deeds in English sentences: the subject of a verb that tells of something going on, the object of a verb of use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.language.inflection import BE, HAVE, base_of, finite_of, gerund_of, is_adverb
from memorybank.language.negation import ALMOST, NEGATIVE_ADVERBS
from memorybank.narrative.continuity.deed import DOES, HANDLED, Deed, deed_words
from memorybank.narrative.reading.lists import any_of
from memorybank.narrative.reading.mentions import Named
from memorybank.narrative.reading.statements import ANY_NAME, PERSON, Encoded
from memorybank.narrative.types import EntityKind

_TOKEN_RE: Final = re.compile(rf"[{ANY_NAME}]|['’]s\b|[A-Za-z][\w-]*(?:['’](?!s\b)\w+)?|\d+|[^\w\s]")
_BREAKS: Final = frozenset(',;:.!?“”"—–()')
_NAME_RE: Final = re.compile(f"[{ANY_NAME}]")
_PERSON_RE: Final = re.compile(f"[{PERSON}]")
_NOT: Final = NEGATIVE_ADVERBS | ALMOST
_PERFECT: Final = frozenset({"had", "has", "have", "having", "'d", "’d", "d"})
_PRONOUNS: Final = frozenset({"him", "her", "them", "me", "us"})


def deeds(encoded: Encoded) -> Iterator[Deed]:
    words = _Words.of(encoded)
    for place in range(len(words.low)):
        named = words.named(place)
        if named is None:
            continue
        if named.kind is EntityKind.CHARACTER:
            verb, event = _acts(words, place) or _spoke(words, place), DOES
        elif named.kind is EntityKind.ITEM:
            verb, event = _in_use(words, place), HANDLED
        else:
            continue
        if verb is not None:
            first, last = min(place, verb), max(place, verb)
            end = words.starts[last] + len(words.low[last])
            yield Deed(event, named, words.starts[first], end, words.starts[verb])


# -- words ------------------------------------------------------------------------------------------------------------


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(deed_words("en")[name])


@cache
def _bases(name: str) -> frozenset[str]:
    """The words of a list as a base may be told: without the e or with the second l that an ending hides."""
    words = {base_of(word) for word in _listed(name)} | _listed(name)
    return frozenset(
        words | {word.removesuffix("e") for word in words} | {word + "l" for word in words if word[-1] == "l"}
    )


@cache
def _image_re() -> re.Pattern[str]:
    return re.compile(any_of(deed_words("en")["images"], "en"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Words:
    """A sentence as words and marks; a name is one private character."""

    encoded: Encoded
    low: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, encoded: Encoded) -> _Words:
        tokens = list(_TOKEN_RE.finditer(encoded.text))
        return cls(encoded, tuple(token[0].lower() for token in tokens), tuple(token.start() for token in tokens))

    def at(self, place: int) -> str:
        return self.low[place] if 0 <= place < len(self.low) else ""

    def named(self, place: int) -> Named | None:
        return self.encoded.named(self.low[place]) if _NAME_RE.fullmatch(self.at(place)) else None

    def is_person(self, place: int) -> bool:
        return _PERSON_RE.fullmatch(self.at(place)) is not None

    def opening(self, place: int) -> int:
        """The first word of the clause in which a word stands."""
        while place > 0 and self.low[place - 1] not in _BREAKS:
            place -= 1
        return place

    def text(self, first: int, last: int) -> str:
        """Of the words from one to before another."""
        if first >= last:
            return ""
        end = self.starts[last] if last < len(self.starts) else len(self.encoded.text)
        return self.encoded.text[self.starts[first] : end]


def _past_or_denied(words: _Words, verb: int) -> bool:
    near = words.low[max(0, verb - 3) : verb]
    return any(word in _PERFECT or word in _NOT or word.endswith(("n't", "n’t")) for word in near)


# -- who acts ---------------------------------------------------------------------------------------------------------


def _acts(words: _Words, place: int) -> int | None:
    """Where the verb stands by which the one named here acts; None where it is no subject, or no such deed."""
    if not _is_subject(words, place):
        return None
    verb = place + 1
    while words.at(verb) in ("and", ",") and (words.is_person(verb + 1) or words.at(verb + 1) == "and"):
        verb += 2 if words.is_person(verb + 1) else 1
    while is_adverb(words.at(verb)):
        if words.at(verb) in _NOT or words.at(verb) in _listed("habit"):
            return None
        verb += 1
    return verb if _is_deed(words, verb) else None


def _is_deed(words: _Words, place: int) -> bool:
    verb = words.at(place)
    if verb in BE:
        after = place + 1
        while is_adverb(words.at(after)) and words.at(after) not in _NOT:
            after += 1
        return gerund_of(words.at(after)) is not None
    base = finite_of(verb)
    return base is not None and verb not in HAVE and base not in _bases("afterlife")


def _is_subject(words: _Words, place: int) -> bool:
    """Whether the name begins its clause, or stands after words that leave it the subject: "At dawn Jonah"."""
    place = _first_of_list(words, place)
    first = place
    while words.at(first - 1) in _listed("titles") or (first > 0 and is_adverb(words.at(first - 1))):
        first -= 1
    opening = first
    while opening > 0 and words.low[opening - 1] not in _BREAKS and words.low[opening - 1] not in _listed("joins"):
        opening -= 1
    if opening == first:
        return True
    last = words.at(first - 1)
    if last in _listed("prepositions") or _NAME_RE.fullmatch(last):
        return False
    return words.low[opening] in _listed("fronts") or last in _listed("times")


def _first_of_list(words: _Words, place: int) -> int:
    """ "Juno and Teo": the first of the names joined before this one."""
    while words.at(place - 1) in ("and", ",") and words.is_person(place - 2):
        place -= 2
    return place


def _spoke(words: _Words, place: int) -> int | None:
    """ "…,” said Doyle."""
    while words.at(place - 1) in _listed("titles"):
        place -= 1
    spoken = words.at(place - 2) in ("”", '"', "’", "'", ",", "!", "?")
    says = finite_of(words.at(place - 1)) is not None and base_of(words.at(place - 1)) in _bases("say")
    return place - 1 if spoken and says else None


# -- things in use ----------------------------------------------------------------------------------------------------


def _in_use(words: _Words, place: int) -> int | None:
    """Where the verb stands whose object the thing is; None where it is only spoken of, sought, missed."""
    first = _noun_phrase(words, place)
    if words.at(place + 1) in ("'s", "’s"):
        return None
    if _image_re().search(words.text(max(words.opening(place), first - 5), place)):
        return None
    return _handled(words, first)


def _noun_phrase(words: _Words, place: int) -> int:
    """The first word of the phrase that ends in this noun."""
    while words.at(place - 1) in _listed("object_front"):
        place -= 1
    return place - 2 if words.at(place - 1) in ("'s", "’s") else place


def _handled(words: _Words, first: int) -> int | None:
    """The verb of which a noun phrase is the object."""
    place = first - 1
    while words.at(place) in _listed("particles"):
        place -= 1
    if words.is_person(place) or words.at(place) in _PRONOUNS:  # handed Priya the recorder
        place -= 1
    word = words.at(place)
    if finite_of(word) is None and gerund_of(word) is None:
        return None
    if base_of(word) in _bases("absent") or word in BE or word in HAVE or _past_or_denied(words, place):
        return None
    return place
