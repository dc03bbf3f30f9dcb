"""By which other names those on record go in an author's turns: a first or last name alone, and names told as such.

    card "Mara Vale", then "Mara owns the Moon Lantern"     Mara is Mara Vale, while nobody else is called so
    card 林秋棠, then 秋棠来到北门; 欧阳修远, then 修远        the same of a given name of two characters
    "Mara Vale is also called the Fox", 林霜又名霜儿          another name of hers, to be settled with her
    "Mara Vale changed her name to Vera", 文澜本名林霜         the same: one bearer, told by either name

What follows a Chinese surname may be a title (王夫人), and a given name an ordinary word (平安): those are nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.engines.offline.claims.words_zh import SURNAMES
from memorybank.narrative.extraction.coming import Past, past_of_clause
from memorybank.narrative.extraction.discussing import Discussion, Shade
from memorybank.narrative.extraction.lists import lists, words
from memorybank.narrative.extraction.markers import also_called, is_kind
from memorybank.narrative.extraction.mentions import TITLES, Named, Names
from memorybank.narrative.extraction.narration import Telling, read, without
from memorybank.narrative.extraction.renaming import Renaming, is_name, may_rename, planned, renamings
from memorybank.narrative.extraction.statements import is_denied, told_at
from memorybank.narrative.types import EntityKind, entity_key
from memorybank.text import CJK, Piece
from memorybank.types import Lang

_WORD_RE: Final = re.compile(r"[A-Z][\w’'-]+")


def short_names(people: Iterable[Named], others: Iterable[Named]) -> Iterator[Named]:
    """The parts of longer names that are one person's alone, and no word of any other name."""
    for short, bearers in _bearers(people, others).items():
        if len({one.key for one in bearers}) == 1:
            yield Named(bearers[0].key, bearers[0].kind, short, part=True)


def shared_names(people: Iterable[Named]) -> dict[str, tuple[str, ...]]:
    """The parts of names that more than one person goes by, with the names of all of them."""
    shared = {short: tuple(dict.fromkeys(one.name for one in many)) for short, many in _bearers(people, ()).items()}
    return {short: names for short, names in shared.items() if len(names) > 1}


def _bearers(people: Iterable[Named], others: Iterable[Named]) -> dict[str, list[Named]]:
    """By which part of whose name; not those that are, or are within, another name of their own."""
    full = {one.name: one for one in people if one.kind is EntityKind.CHARACTER}
    own = {word.lower(): one.key for one in (*full.values(), *others) for word in (one.name, *one.name.split())}
    found: dict[str, list[Named]] = {}
    for one in full.values():
        for short in _parts(one.name):
            found.setdefault(short, []).append(one)
    keys = {short: {one.key for one in many} for short, many in found.items()}
    return {short: many for short, many in found.items() if own.get(short.lower(), many[0].key) in keys[short]}


def _parts(name: str) -> Iterator[str]:
    """By which a person may be called alone: first and last name, or the given name."""
    words = name.split()
    if len(words) > 1:
        yield from (
            word
            for word in dict.fromkeys((words[0], words[-1]))
            if word.lower() not in TITLES and _WORD_RE.fullmatch(word)
        )
    elif "·" in name:
        yield from (part for part in dict.fromkeys(name.split("·")) if len(part) > 1)
    elif given := given_name(name):
        yield given


def given_name(name: str) -> str:
    """The given name of a Chinese name with its surname, where it can stand alone; else empty."""
    match = _CHINESE_RE.fullmatch(name)
    if match is None:
        return ""
    compound = name[:2] in _listed("compound_surnames")
    given = name[2 if compound else 1 :]
    whole = compound or name[0] in SURNAMES
    if not whole or len(given) != 2 or _NO_GIVEN_RE.search(given) or is_kind(given):
        return ""
    return "" if given in _listed("ordinary_words") else given


_CHINESE_RE: Final = re.compile(rf"[{CJK}]{{3,4}}")
_NO_GIVEN_RE: Final = re.compile(r"^[老二三四五六七八九十]|[爷娘妈嫂婶叔伯姑姨奶氏]$|[家的]$")
"""What is a title, or kin: 王老爷, 李二娘, 周大嫂."""


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(lists("markers.zh")[name].split())


def told_names(text: str, names: Names, lang: Lang) -> Iterator[tuple[Named, str]]:
    """Who of those known is said to be called otherwise as well, and how."""
    for also in also_called(text, lang):
        found = names.find(also.name)
        if found and found[-1].end == len(also.name):
            yield found[-1].named, also.alias


@dataclass(frozen=True, slots=True)
class Renamed:
    """Of two names that one bearer is told to have had, the one that is not on record."""

    who: Named
    alias: str
    taken: bool
    """The other name is on record as well, as somebody else's."""
    shade: Shade | None
    """Why it is not to be taken as happened."""
    past: Past


def renamed(text: str, names: Names, lang: Lang) -> Iterator[Renamed]:
    """Who of those known is told to have another name now, or to have had one."""
    if not may_rename(text, lang):
        return
    found = {(one.start, one.end): one.named for one in names.find(text)}
    pieces = [Piece(start, end) for start, end in found]
    for one in renamings(text, lang, pieces):
        first, second = (found.get((part.start, part.end)) for part in (one.first, one.second))
        who, told = (first, one.second) if first is not None else (second, one.first)
        if first is not None and second is not None and _is_own(text[one.second.start : one.second.end], second):
            told = one.first if first.key == second.key else told
        alias = text[told.start : told.end]
        if who is None or is_denied(text[one.first.end : one.second.start], lang):
            continue
        if first is not None and second is not None:
            again = _renamed(text, lang, one, pieces, who, alias, taken=first.key != second.key)
        elif _is_new_name(alias, who, lang):
            again = _renamed(text, lang, one, pieces, who, alias, taken=False)
        else:
            continue
        if again.shade is None or again.shade.mark != "?":
            yield again


def _renamed(
    text: str, lang: Lang, one: Renaming, names: list[Piece], who: Named, alias: str, *, taken: bool
) -> Renamed:
    story, plain = read(text, lang, names), without(text, names)
    shade, past = Discussion(text, plain, lang).shade(one.said), Past.CHANGED
    at = told_at(story, one.verb)
    if at is not None:
        place = one.verb - at.clause.start
        telling = at.telling_at(place)
        if shade is None and telling is not Telling.HAPPENED:
            shade = Shade(telling, at.mark)
        told = past_of_clause(plain[at.clause.start : at.clause.end], place, lang)
        past = told if lang == "en" else max(past, told)
    if (mark := planned(text, one, lang)) and (shade is None or shade.telling is Telling.TOLD):
        shade = Shade(Telling.INTENDED, mark)
    return Renamed(who, alias, taken, shade, past)


def _is_own(name: str, who: Named) -> bool:
    """Whether it is the name on record, and no alias of it."""
    return entity_key(who.kind, name) == who.key


def _is_new_name(name: str, who: Named, lang: Lang) -> bool:
    """No title ("is now called Captain"), and no name with what its bearer does next: 文澜隐居."""
    if lang == "en":
        first, _, rest = re.sub(r"^(?:the|a|an)\s+", "", name, flags=re.IGNORECASE).lower().partition(" ")
        return first not in _titles() or (bool(rest) and not rest.startswith("of "))
    person = who.kind is EntityKind.CHARACTER
    longest = 4 if name[:2] in _listed("compound_surnames") else 3
    return is_name(name, lang) and not (person and (len(name) > longest or is_kind(name)))


@cache
def _titles() -> frozenset[str]:
    listed = lists("relations.en")["words"]
    return frozenset((*TITLES, *(word for name in ("head", "rank") for word in words(listed[name]))))
