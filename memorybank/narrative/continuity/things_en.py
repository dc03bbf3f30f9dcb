"""What an English sentence does with a thing or an ability: in use or at hand, not only spoken of, sought or missed."""

from __future__ import annotations

from memorybank.narrative.continuity.sentence_en import (
    NOT,
    REACH,
    Words,
    any_word,
    bases,
    is_subject,
    listed,
    past_or_denied,
)
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.verbs_en import BE, HAVE, base_of, finite_of, gerund_of, is_adverb


def in_use(said: Words, place: int) -> int | None:
    """Where the verb stands that has a thing at hand; None where it is only spoken of, sought, missed."""
    after = said.at(place + 1)
    first = _noun_phrase(said, place)
    if any_word("images").search(said.text(max(said.opening(place), first - 5), place)):
        return None
    if after in ("'s", "’s"):
        if said.at(place + 2) not in listed("parts"):
            return None
    elif _is_compound(said, place):
        return None
    before = said.at(first - 1)
    if before == "of":
        owner = said.at(first - 2)
        if owner == "use" and base_of(said.at(first - 3)) == "make":
            return None if past_or_denied(said, first - 3) else first - 3
        return handled(said, _noun_phrase(said, first - 2)) if owner in listed("parts") else None
    verb = handled(said, first)
    return verb if verb is not None else _lies_there(said, first, place)


def user_of(said: Words, verb: int) -> Named | None:
    """Who does what a verb says: the name before it, or at the beginning of its clause."""
    place = verb - 1
    while is_adverb(said.at(place)) or said.at(place) in BE:
        place -= 1
    if not said.is_person(place):
        place = said.opening(verb)
        before = said.at(verb - 1)
        if before not in ("and", "then") and gerund_of(said.at(verb)) is None:
            return None
    return said.named(place) if said.is_person(place) and is_subject(said, place) else None


def _noun_phrase(said: Words, place: int) -> int:
    """The first word of the phrase that ends in this noun."""
    while said.at(place - 1) in listed("object_front"):
        place -= 1
    if said.at(place - 1) in ("'s", "’s"):
        place -= 2
    return place


def _is_compound(said: Words, place: int) -> bool:
    """ "the Webley case": another noun follows, and the name only describes it."""
    word = said.at(place + 1)
    if not word.isalpha() or len(word) < 3 or is_adverb(word) or finite_of(word) or gerund_of(word) or word in BE:
        return False
    return word not in listed("prepositions") | listed("joins") | listed("particles") | listed("fronts") | {
        "had", "has", "could", "would", "did", "does", "he", "she", "they", "it", "was", "were", "again", "her", "him",
    }  # fmt: skip


def handled(said: Words, first: int) -> int | None:
    """The verb of which a noun phrase is the object, or that has it by a preposition."""
    place = first - 1
    if said.at(place) in listed("through"):
        return _with_it(said, place)
    while said.at(place) in listed("particles"):
        place -= 1
    word = said.at(place)
    if said.is_person(place) or word in ("him", "her", "them", "me", "us"):  # handed Priya the recorder
        place -= 1
        word = said.at(place)
    if finite_of(word) is None and gerund_of(word) is None and said.at(place - 1) != "to":
        return None
    if base_of(word) in bases("absent") or word in BE or word in HAVE or past_or_denied(said, place):
        return None
    return place


def _with_it(said: Words, place: int) -> int | None:
    if said.at(place - 1) in ("away", "apart", "different"):
        return None
    opening = said.opening(place)
    for verb in range(place - 1, max(opening, place - REACH) - 1, -1):
        word = said.low[verb]
        if finite_of(word) is None and gerund_of(word) is None:
            continue
        denied = any(one in NOT or one.endswith(("n't", "n’t")) for one in said.low[verb:place])  # did not rely on
        blocked = denied or base_of(word) in bases("absent") or word in BE or word in HAVE or past_or_denied(said, verb)
        return None if blocked else verb
    if said.at(place) in ("with", "aboard") and place == opening:  # With the chart in her hand, …
        return place
    return None


def _lies_there(said: Words, first: int, place: int) -> int | None:
    """ "The Webley lay on the desk": the thing as the subject."""
    if not is_subject(said, first):
        return None
    verb = place + 1
    while is_adverb(said.at(verb)):
        if said.at(verb) in NOT:
            return None
        verb += 1
    word = said.at(verb)
    rest = said.text(verb, said.closing(verb))
    if any_word("nowhere").search(rest):
        return None
    if word in BE:
        there = said.at(verb + 1) in ("in", "on", "at", "under", "inside", "beside", "back", "here", "there")
        return verb if there or gerund_of(said.at(verb + 1)) else None
    base = finite_of(word)
    return verb if base is not None and base not in bases("subject_absent") else None
