"""An English sentence as its words, with what the readers of deeds ask of it: who is a subject, where a clause ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.narrative.continuity.deeds import deed_words
from memorybank.narrative.extraction.lists import any_of
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.statements import Encoded
from memorybank.narrative.extraction.verbs_en import base_of, finite_of, gerund_of, is_adverb

_TOKEN_RE: Final = re.compile(r"[\ue000-\uf3ff]|['’]s\b|[A-Za-z][\w-]*(?:['’](?!s\b)\w+)?|\d+|[^\w\s]")
BREAKS: Final = frozenset(',;:.!?“”"—–()')
NAME_RE: Final = re.compile("[\ue000-\uf3ff]")
_PERSON_RE: Final = re.compile("[\ue000-\ue3ff]")
REACH: Final = 8
"""Words back from a name within which the verb that governs it stands."""
NOT: Final = frozenset({"not", "never", "nor", "n't", "without", "hardly", "scarcely", "almost", "nearly"})
PERFECT: Final = frozenset({"had", "has", "have", "having", "'d", "’d", "d"})


@cache
def listed(name: str) -> frozenset[str]:
    return frozenset(deed_words("en")[name])


@cache
def bases(name: str) -> frozenset[str]:
    """The words of a list as a base may be told: without the e or with the second l that an ending hides."""
    told = {base_of(word) for word in listed(name)} | listed(name)
    return frozenset(
        told | {word.removesuffix("e") for word in told} | {word + "l" for word in told if word[-1] == "l"}
    )


@cache
def any_word(name: str) -> re.Pattern[str]:
    return re.compile(any_of(deed_words("en")[name], "en"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence as words and marks; a name is one private character."""

    encoded: Encoded
    low: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, encoded: Encoded) -> Words:
        found = list(_TOKEN_RE.finditer(encoded.text))
        return cls(encoded, tuple(one[0].lower() for one in found), tuple(one.start() for one in found))

    def at(self, place: int) -> str:
        return self.low[place] if 0 <= place < len(self.low) else ""

    def named(self, place: int) -> Named | None:
        return self.encoded.named(self.low[place]) if NAME_RE.fullmatch(self.at(place)) else None

    def is_person(self, place: int) -> bool:
        return _PERSON_RE.fullmatch(self.at(place)) is not None

    def opening(self, place: int) -> int:
        """The first word of the clause in which a word stands."""
        while place > 0 and self.low[place - 1] not in BREAKS:
            place -= 1
        return place

    def text(self, first: int, last: int) -> str:
        """Of the words from one to before another."""
        if first >= last:
            return ""
        end = self.starts[last] if last < len(self.starts) else len(self.encoded.text)
        return self.encoded.text[self.starts[first] : end]

    def closing(self, place: int) -> int:
        """Past the last word of the clause."""
        while place < len(self.low) and self.low[place] not in BREAKS:
            place += 1
        return place


def is_verb(word: str) -> bool:
    return finite_of(word) is not None or gerund_of(word) is not None


def past_or_denied(said: Words, verb: int) -> bool:
    near = said.low[max(0, verb - 3) : verb]
    return any(word in PERFECT or word in NOT or word.endswith(("n't", "n’t")) for word in near)


def is_subject(said: Words, place: int) -> bool:
    place = first_of_list(said, place)
    first = place
    while said.at(first - 1) in listed("titles") or (first > 0 and is_adverb(said.at(first - 1))):
        first -= 1
    opening = first
    while opening > 0 and said.low[opening - 1] not in BREAKS and said.low[opening - 1] not in listed("joins"):
        opening -= 1
    if opening == first:
        return True
    last = said.at(first - 1)
    if last == "that":
        return base_of(said.at(first - 2)) in bases("perceive")
    if last in listed("prepositions") or NAME_RE.fullmatch(last):
        return False
    return said.low[opening] in listed("fronts") or last in listed("times")


def first_of_list(said: Words, place: int) -> int:
    """ "Juno and Teo": the first of the names joined before this one."""
    while said.at(place - 1) in ("and", ",") and said.is_person(place - 2):
        place -= 2
    return place
