"""By which shorter names those on record go: a first or last name alone, or a Chinese given name.

    card "Mara Vale", then "Mara owns the Moon Lantern"     Mara is Mara Vale, while nobody else is called so
    card 林秋棠, then 秋棠来到北门; 欧阳修远, then 修远        the same of a given name of two characters

What follows a Chinese surname may be a title (王夫人), and a given name an ordinary word (平安): those are nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from memorybank.contradiction.words_zh import SURNAMES
from memorybank.language.han import HAN
from memorybank.narrative.reading.lists import lists
from memorybank.narrative.reading.markers import is_kind
from memorybank.narrative.reading.mentions import NAMED, TITLES, Named, Names
from memorybank.narrative.types import EntityKind

_WORD_RE: Final = re.compile(r"[A-Z][\w’'-]+")


def with_short_names(on_record: Names, more: Iterable[Named]) -> Names:
    """Names on record, and more of the same kinds, with the parts of people's longer names that are one person's alone,
    and no word of any other name."""
    whole = (*on_record.all, *(named for named in more if named.kind in NAMED))
    short = {name: many[0] for name, many in _bearers(whole, whole).items() if len({named.key for named in many}) == 1}
    return Names([*whole, *(Named(named.key, named.kind, name, part=True) for name, named in short.items())])


def shared_names(people: Iterable[Named]) -> dict[str, tuple[str, ...]]:
    """The parts of names that more than one person goes by, with the names of all of them."""
    shared = {short: tuple(dict.fromkeys(named.name for named in many)) for short, many in _bearers(people, ()).items()}
    return {short: names for short, names in shared.items() if len(names) > 1}


def _bearers(people: Iterable[Named], others: Iterable[Named]) -> dict[str, list[Named]]:
    """By which part of whose name; not those that are, or are within, another name of their own."""
    full = {person.name: person for person in people if person.kind is EntityKind.CHARACTER}
    own = {
        word.lower(): person.key for person in (*full.values(), *others) for word in (person.name, *person.name.split())
    }
    bearers: dict[str, list[Named]] = {}
    for person in full.values():
        for short in parts_of(person.name):
            bearers.setdefault(short, []).append(person)
    keys = {short: {person.key for person in many} for short, many in bearers.items()}
    return {short: many for short, many in bearers.items() if own.get(short.lower(), many[0].key) in keys[short]}


def parts_of(name: str) -> Iterator[str]:
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
    elif short := given_name(name):
        yield short


def given_name(name: str) -> str:
    """The given name of a Chinese name with its surname, where it can stand alone; else empty."""
    match = _CHINESE_RE.fullmatch(name)
    if match is None:
        return ""
    compound = name[:2] in _listed("compound_surnames")
    rest = name[2 if compound else 1 :]
    whole = compound or name[0] in SURNAMES
    if not whole or len(rest) != 2 or _NO_GIVEN_RE.search(rest) or is_kind(rest):
        return ""
    return "" if rest in _listed("ordinary_words") else rest


_CHINESE_RE: Final = re.compile(rf"[{HAN}]{{3,4}}")
_NO_GIVEN_RE: Final = re.compile(r"^[老二三四五六七八九十]|[爷娘妈嫂婶叔伯姑姨奶氏]$|[家的]$")
"""What is a title, or kin: 王老爷, 李二娘, 周大嫂."""


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(lists("markers.zh")[name].split())
