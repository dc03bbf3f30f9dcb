"""Places: where it is, was made, was held."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.contradiction import words_zh
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.phrases import NOTHING, Phrase
from memorybank.contradiction.readers.names import parties
from memorybank.contradiction.readers.statement import Statement
from memorybank.language.han import HAN, is_han

_ROLES = frozenset({"in", "at", "on", "near", "outside", "inside", "from", "to"})
_RELATIONS = {
    word: place
    for place, listed in {
        "locate": "locate build house find visit travel see stay keep store",
        "born": "born",
        "die": "die",
        "bury": "bury",
        "found": "found",
        "happen": "happen hold stage host",
        "open": "open",
        "make": "make assemble produce",
        "originate": "originate",
        "raise": "raise",
        "grow": "grow",
        "film": "film",
        "control": "control command",
        "launch": "release launch",
        "live": "live",
        "land": "land",
        "invent": "invent",
        "discover": "discover",
        "sign": "sign",
        "record": "record",
        "design": "design",
    }.items()
    for word in listed.split()
}
"""Verb or noun: which place it speaks of."""
_FROM = frozenset({"control", "originate", "launch"})
"""Places that a "from" may give: launched from, controlled from."""
_PLACE_WORDS = frozenset({"place", "locate", "site", "town", "citi", "seat", "headquarters", "home"})
_INSIDE = ("里", "内", "中", "上", "下", "旁")
_NOUNS = ("headquarters", "control", "make", "born", "die", "happen", "release", "locate")
"""Nouns that say which place a sentence speaks of, whatever its verb: "its fabrication took place in"."""


def build(statement: Statement) -> Iterator[Frame]:
    """The place a predicate gives for its patient, at most one."""
    predicate = statement.predicate
    relation = _relation(statement)
    if not relation:
        return
    patient, _ = parties(predicate)
    travelled = predicate.verb in ("travel", "visit", "find", "see", "locate")
    for phrase in predicate.phrases:
        stated = phrase.role in _ROLES or (
            not phrase.role and predicate.verb == "be" and bool(predicate.subject.keys & _PLACE_WORDS)
        )
        if not stated or not phrase.names or phrase.dates or phrase.measures:
            continue
        if phrase.role in ("from", "to") and not (travelled or relation in _FROM or "headquarters" in phrase.keys):
            continue
        if is_han(phrase.text) and ("的" in phrase.text or len(phrase.names) > 2):
            phrase = _before_de(phrase)
            if not phrase.names:
                continue
        if is_han(phrase.text) and statement.sentence[phrase.names[-1].end :][:1] in _INSIDE:
            continue  # 放在长抽屉里: a thing to put things in
        if is_han(phrase.text) and _is_no_place(statement.sentence, phrase.names[0].start, phrase.names[-1].end):
            continue
        based = "headquarters" in statement.predicate_keys(
            NOTHING
        )  # "from its headquarters in X, it runs three stations"
        entity = statement.entity(statement.subject) if based else statement.party(patient)
        if based or predicate.subject.keys & _PLACE_WORDS:
            entity = replace(entity, nouns=entity.nouns - _PLACE_WORDS)
        frame = statement.frame("place", f"in:{relation}", entity, (phrase.names[0].start, phrase.names[-1].end))
        yield replace(
            frame, names=phrase.names, attribute=statement.predicate_keys(phrase) | patient.keys, verb=relation
        )
        return


def _relation(statement: Statement) -> str:
    predicate = statement.predicate
    keys = predicate.subject.keys | frozenset(key for phrase in predicate.phrases for key in phrase.keys)
    if "headquarters" in keys:
        return "locate"
    if predicate.verb == "have" and predicate.passive:
        return "locate"  # housed in
    if predicate.verb in ("be", "", "happen", "send", "lie", "locate", "have"):
        noun = next((noun for noun in _NOUNS if noun in keys), "") or (
            "locate" if predicate.subject.keys & {"place"} else ""
        )
        if noun:
            return _RELATIONS.get(noun, "locate")
        if predicate.verb in ("", "have") or (predicate.verb == "be" and not _leads_with_place(statement)):
            return ""
    return "locate" if predicate.verb == "be" else _RELATIONS.get(predicate.verb, "")


def _leads_with_place(statement: Statement) -> bool:
    """ "X is in Y": the place comes first, in English; a Chinese copula gives no place."""
    first = next(iter(statement.predicate.phrases), None)
    return first is not None and first.role == "in" and bool(first.names) and not is_han(statement.sentence)


def _before_de(phrase: Phrase) -> Phrase:
    """云南大理的一座旧粮仓里: the place is what stands before 的."""
    stop = phrase.start + phrase.text.index("的") if "的" in phrase.text else phrase.end
    return replace(phrase, names=tuple(name for name in phrase.names if name.end <= stop)[:1])


_IN_NAME_RE = re.compile(rf"(?:^|[^{HAN}]|[由被是和与])[{''.join(sorted(words_zh.SURNAMES))}]在$")
_MEANS_RE = re.compile(f"的[{HAN}]{{2,3}}下")


def _is_no_place(sentence: str, start: int, end: int) -> bool:
    """Whether 在 belongs to a person's name (由龙在野创办), or to what somebody did for it (在某协会的资助下)."""
    return bool(_IN_NAME_RE.search(sentence[:start]) or _MEANS_RE.match(sentence[end:]))
