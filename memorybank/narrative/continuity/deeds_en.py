"""Deeds in English sentences; see `deeds`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from memorybank.narrative.continuity.deeds import DOES, HANDLED, KIN_DOES, PERFORMS, USES, Deed
from memorybank.narrative.continuity.sentence_en import (
    NOT,
    PERFECT,
    REACH,
    Words,
    any_word,
    bases,
    first_of_list,
    is_subject,
    is_verb,
    listed,
)
from memorybank.narrative.continuity.things_en import in_use, user_of
from memorybank.narrative.extraction.lists import lists, words
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.statements import Encoded
from memorybank.narrative.extraction.verbs_en import BE, HAVE, base_of, finite_of, gerund_of, is_adverb, is_participle
from memorybank.narrative.types import EntityKind

_APPOSITION: Final = 10
"""Words between two commas after a name that may stand before its verb."""


@cache
def _kin() -> frozenset[str]:
    return frozenset(words(lists("relations.en")["words"]["kin"]))


def deeds(encoded: Encoded) -> Iterator[Deed]:
    said = Words.of(encoded)
    for place in range(len(said.low)):
        named = said.named(place)
        if named is None:
            continue
        if named.kind is EntityKind.CHARACTER:
            told = (reading(said, place) for reading in (_acts, _met, _spoke, _limb))
            found = next((verb for verb in told if verb is not None), None)
            if found is not None:
                yield _deed(said, DOES, named, place, found)
            found = _kin_acts(said, place)
            if found is not None:
                yield _deed(said, KIN_DOES, named, place, found, said.at(_kin_place(said, place)))
        elif named.kind is EntityKind.ABILITY:
            found = in_use(said, place)
            user = user_of(said, found) if found is not None else None
            if found is not None and user is not None and base_of(said.low[found]) not in bases("no_ability"):
                yield _deed(said, PERFORMS, user, place, found)._replace(thing=named)
        elif named.kind is EntityKind.ITEM:
            found = in_use(said, place)
            if found is not None:
                yield _deed(said, HANDLED, named, place, found)
                user = user_of(said, found)
                if user is not None and base_of(said.low[found]) not in bases("no_use"):
                    yield _deed(said, USES, user, place, found)._replace(thing=named)


def _deed(said: Words, event: str, named: Named, place: int, verb: int, word: str = "") -> Deed:
    first, last = min(place, verb), max(place, verb)
    end = said.starts[last] + len(said.low[last])
    return Deed(event, named, said.starts[first], end, said.starts[verb], word or said.low[verb])


def _acts(said: Words, place: int) -> int | None:
    """Where the verb stands by which the one named here acts; None where it is no subject, or no such deed."""
    if not is_subject(said, place):
        return None
    verb = _verb_after(said, place + 1, _conjunction(said, place))
    return place + 1 if verb is None and _is_beside(said, place) else verb


def _is_beside(said: Words, place: int) -> bool:
    """ "They rode on, Doyle in front": a clause of a name and a place."""
    rest = said.low[place + 1 : said.closing(place)]
    beside = rest[:1] in (("behind",), ("ahead",), ("beside",), ("alongside",)) or rest[:2] == ("in", "front")
    return beside and said.at(place - 1) == "," and not any(finite_of(word) for word in rest)


def _conjunction(said: Words, place: int) -> str:
    place = first_of_list(said, place)
    while said.at(place - 1) in listed("titles"):
        place -= 1
    return said.at(place - 1)


def _verb_after(said: Words, place: int, conjunction: str = "") -> int | None:
    several = False
    while said.at(place) in ("and", ",") and (said.is_person(place + 1) or said.at(place + 1) == "and"):
        several = True
        place += 2 if said.is_person(place + 1) else 1
    place = _past_apposition(said, place)
    habitual = False
    if said.at(place) == "had" and said.at(place + 1) == "just" and is_participle(said.at(place + 2)):
        return place
    while is_adverb(said.at(place)):
        if said.at(place) in NOT:
            return None
        habitual = habitual or said.at(place) in listed("habit")
        place += 1
    if habitual or any_word("lasting").search(said.text(place, said.closing(place))):
        return None
    plural = several and said.at(place) + "s" in _PRESENTS
    return place if plural or _is_deed(said, place, conjunction) else None


_PRESENTS: Final = frozenset(
    "sits stands walks talks speaks eats drinks keeps runs works plays sings laughs waits watches".split()
)
"""Verbs in whose plural a present tense is told: Hedda and Tobias keep the inn."""


def _past_apposition(said: Words, place: int) -> int:
    """ "Doyle, still in his coat, sat": past the second comma, where a verb comes after it."""
    if said.at(place) != ",":
        return place
    end = said.closing(place + 1)
    inner = said.low[place + 1 : end]
    tells = any(finite_of(word) for word in inner) and inner[0] not in ("who", "whose", "now", "still")
    if said.at(end) != "," or end - place > _APPOSITION or tells:  # "Doyle, the stone said, …" has another subject
        return place
    after = end + 1
    while is_adverb(said.at(after)):
        after += 1
    return after if finite_of(said.at(after)) or said.at(after) in BE else place


def _is_deed(said: Words, place: int, conjunction: str) -> bool:
    verb, after = said.at(place), said.at(place + 1)
    while is_adverb(after) and after not in NOT:
        place += 1
        after = said.at(place + 1)
    if verb in BE:
        first = said.low[place + 1 : place + 3] == ("the", "first") or after in ("first", "last")
        return gerund_of(after) is not None or first or _stands_there(said, place + 1)
    if verb in HAVE:
        return not is_participle(after) and after not in ("to", "been", "no") and _has_at_hand(said, place + 1)
    if verb == "could":
        return after in ("see", "hear", "feel", "smell")
    if verb == "left" and (said.is_person(place + 1) or after in listed("bequeathed")):
        return False
    base = finite_of(verb)
    if base is None or base in bases("afterlife") or (base == "pass" and after in ("away", "on")):
        return False
    if base in ("say", "put") and conjunction == "as":
        return False
    return not (conjunction in ("when", "as", "while", "where", "because") and base in ("run", "lead", "rule", "work"))


def _stands_there(said: Words, place: int) -> bool:
    """After "was": at the door, back, there."""
    here = said.at(place) in ("back", "there", "here", "home", "outside", "inside", "upstairs", "downstairs", "awake")
    if here:
        return True
    if said.at(place) not in ("at", "in", "on", "by", "behind", "beside", "near", "under", "waiting"):
        return False
    return not any_word("grave_places").search(said.text(place, min(said.closing(place), place + 6)))


def _has_at_hand(said: Words, place: int) -> bool:
    """After "had": his feet on the desk, lunch with someone."""
    rest = said.low[place : min(said.closing(place), place + REACH)]
    return any(word in ("in", "on", "under", "over", "between", "around", "with", "ready") for word in rest[1:])


def _met(said: Words, place: int) -> int | None:
    """Where someone else's verb stands that has the one named here be there."""
    if said.at(place + 1) in ("'s", "’s"):
        return None
    first = first_of_list(said, place)
    while said.at(first - 1) in listed("titles"):
        first -= 1
    return _meets(said, first, place + 1)


def _meets(said: Words, first: int, after: int) -> int | None:
    """The verb that has someone be there whose phrase stands from `first` to before `after`."""
    before, base = said.at(first - 1), base_of(said.at(first - 1))
    if any_word("not_there").search(said.text(said.opening(first), said.closing(after))):
        return None
    if said.at(first - 2) == "it" and before in ("was", "is"):
        return _cleft(said, first - 1, after)
    if base in bases("perceive") and _seen(said, after) and not _elsewhen(said, first - 1):
        return first - 1
    if base in bases("perceive"):
        return None
    if base in bases("appear") and finite_of(before) and said.at(after) != "and":  # in walked Jonah
        return first - 1
    if base in bases("meet") and before != base and not _elsewhen(said, first - 1):
        return first - 1
    if before == "to":
        return _gives_to(said, first - 1)
    if before in listed("social_with"):
        return _governs(said, first - 1, bases("social"))
    return _governs(said, first - 1, bases("serve")) if before == "for" else None


def _gives_to(said: Words, place: int) -> int | None:
    """The verb that has something go to someone, whatever it is: slid a glass across to Eli."""
    for verb in range(place - 1, max(said.opening(place), place - REACH) - 1, -1):
        word = said.low[verb]
        if word in listed("joins") and word != "and":
            return None
        if finite_of(word) is None and gerund_of(word) is None:
            continue
        absent = base_of(word) in bases("not_to") or word in BE or word in HAVE
        return None if absent or _elsewhen(said, verb) else verb
    return None


def _cleft(said: Words, verb: int, after: int) -> int | None:
    """ "It was Jonah" at the door; "it is Jonah who opens": what was done long ago stays out."""
    if said.at(after) not in ("who", "that"):
        return None if said.at(after) == "whom" else verb
    base = finite_of(said.at(after + 1))
    deed = _is_deed(said, after + 1, "") and base not in bases("once_for_all")
    return after + 1 if deed else None


def _seen(said: Words, place: int) -> bool:
    while is_adverb(said.at(place)):
        place += 1
    word = said.at(place)
    if gerund_of(word) or word in ("at", "in", "on", "by", "there", "alone", "asleep"):
        return not any_word("grave_places").search(said.text(place, min(said.closing(place), place + 6)))
    plain = word.isalpha() and word not in listed("prepositions") and word not in listed("joins")
    return plain and word not in bases("afterlife") and finite_of(word) is None and word not in ("dead", "guilty")


def _elsewhen(said: Words, verb: int) -> bool:
    """Whether a verb is in the perfect, denied, or an infinitive."""
    near = said.low[max(0, verb - 3) : verb]
    unreal = any(word in PERFECT or word in NOT or word.endswith(("n't", "n’t")) for word in near)
    return unreal or near[-1:] == ("to",) or bool({"still", "almost"} & {*near})


def _governs(said: Words, place: int, wanted: frozenset[str]) -> int | None:
    """The nearest verb before a preposition, when it is one of these."""
    opening = said.opening(place)
    for verb in range(place - 1, max(opening, place - REACH) - 1, -1):
        word = said.low[verb]
        if word in listed("joins") and word != "and":
            return None
        if finite_of(word) is None and gerund_of(word) is None:
            continue
        base = base_of(word)
        if base in wanted:
            return None if _elsewhen(said, verb) else verb
        if finite_of(word) and word not in BE:
            return None
    return None


def _spoke(said: Words, place: int) -> int | None:
    """ "…,” said Doyle."""
    first = place
    while said.at(first - 1) in listed("titles"):
        first -= 1
    spoken = said.at(first - 2) in ("”", '"', "’", "'", ",", "!", "?")
    says = finite_of(said.at(first - 1)) is not None and base_of(said.at(first - 1)) in bases("say")
    return first - 1 if spoken and says else None


def _limb(said: Words, place: int) -> int | None:
    """ "Doyle's hands moved", "Doyle's voice came from the hall"."""
    if said.at(place + 1) not in ("'s", "’s"):
        return None
    noun = place + 2
    while noun < place + 4 and said.at(noun) not in listed("body"):
        noun += 1
    if said.at(noun) not in listed("body"):
        return None
    if is_subject(said, place):
        return _verb_after(said, noun + 1)
    return _touched(said, place)


def _touched(said: Words, place: int) -> int | None:
    """ "She bandaged Doyle's wrist", "laid a hand on Doyle's shoulder": the verb."""
    if any_word("not_there").search(said.text(said.opening(place), said.closing(place))):
        return None
    word = said.at(place - 1)
    if word in listed("through") or word in listed("social_with"):
        verb = next((at for at in range(place - 2, said.opening(place) - 1, -1) if is_verb(said.at(at))), None)
    else:
        verb = place - 1 if is_verb(word) else None
    if verb is None or base_of(said.at(verb)) in bases("in_mind") or _elsewhen(said, verb):
        return None
    return None if said.at(verb) in BE or said.at(verb) in HAVE else verb


def _kin_place(said: Words, place: int) -> int:
    """Of the kinship term after "her" or "Kate's"; -1 where there is none."""
    if said.at(place + 1) not in ("'s", "’s"):
        return -1
    noun = place + 2
    while said.at(noun) in ("own", "old", "dear", "elder", "older", "younger", "little", "big"):
        noun += 1
    return noun if said.at(noun) in _kin() and said.named(noun + 1) is None else -1


def _kin_acts(said: Words, place: int) -> int | None:
    noun = _kin_place(said, place)
    if noun < 0:
        return None
    if is_subject(said, place):
        return _verb_after(said, noun + 1)
    return None if said.at(noun + 1) in ("'s", "’s") else _meets(said, place, noun + 1)
