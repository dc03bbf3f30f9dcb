"""By which other names those on record go in an author's turns: a first or last name alone, and names told as such.

    card "Mara Vale", then "Mara owns the Moon Lantern"     Mara is Mara Vale, while no other person is called so
    "Mara Vale is also called the Fox", 林霜又名霜儿          another name of hers, to be settled with her

Chinese given names are left alone: what follows a surname is as often a title (王夫人).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from memorybank.narrative.extraction.markers import also_called
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.types import EntityKind
from memorybank.types import Lang

_WORD_RE: Final = re.compile(r"[A-Z][\w’'-]+")
_TITLES: Final = frozenset(
    """
    king queen prince princess duke duchess count countess earl baron baroness lord lady sir dame emperor empress
    captain colonel general major sergeant lieutenant commander admiral marshal doctor dr mr mrs ms miss master
    mistress father mother brother sister uncle aunt saint st old young little great black white red grey gray blue
    green big the of
    """.split()
)


def short_names(people: Iterable[Named], others: Iterable[Named]) -> Iterator[Named]:
    """The words of longer names that are one person's alone, and no word of any other name."""
    full = {one.name: one for one in people if one.kind is EntityKind.CHARACTER}
    bearers: dict[str, set[str]] = {}
    for one in (*full.values(), *others):
        for word in set(one.name.split()):
            bearers.setdefault(word.lower(), set()).add(one.key)
    for one in full.values():
        parts = one.name.split()
        for word in dict.fromkeys((parts[0], parts[-1])) if len(parts) > 1 else ():
            alone = len(bearers[word.lower()]) == 1 and word.lower() not in _TITLES
            if alone and _WORD_RE.fullmatch(word):
                yield Named(one.key, one.kind, word)


def told_names(text: str, names: Names, lang: Lang) -> Iterator[tuple[Named, str]]:
    """Who of those known is said to be called otherwise as well, and how."""
    for also in also_called(text, lang):
        found = names.find(also.name)
        if found and found[-1].end == len(also.name):
            yield found[-1].named, also.alias
