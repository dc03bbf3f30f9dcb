"""Entities of the story that a text names, with their kinds. The names are found by `memorybank.narrative.names`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.names import Cast
from memorybank.narrative.types import EntityKey, EntityKind

NAMED: Final = (
    EntityKind.CHARACTER,
    EntityKind.LOCATION,
    EntityKind.ITEM,
    EntityKind.FACTION,
    EntityKind.ABILITY,
)
"""Kinds whose names a text may mention; hooks and events are told in sentences, not by a name."""
EVENTS: Final = (EntityKind.EVENT,)
"""What `causes` looks for: an event by its own words."""


@dataclass(frozen=True, slots=True)
class Named:
    key: EntityKey
    kind: EntityKind
    name: str
    """As it stands on record: its own name or one of its aliases."""


@dataclass(frozen=True, slots=True)
class Mention:
    """`text[start:end]`. A pronoun, or a subject left out, mentions whom it stands for."""

    start: int
    end: int
    named: Named


class Names:
    """Names to look for. Built once for a check or an extraction."""

    def __init__(self, known: Iterable[Named]) -> None:
        self._known: dict[str, Named] = {}
        for named in known:
            for written in _written(named.name, named.kind):
                self._known.setdefault(written, named)
        self._cast = Cast((written, written) for written in self._known)

    @property
    def all(self) -> tuple[Named, ...]:
        """Every name with whose it is; one of several spellings once."""
        return tuple(dict.fromkeys(self._known.values()))

    @classmethod
    def of(cls, facts: FactLayer, more: Iterable[Named] = (), kinds: Iterable[EntityKind] = NAMED) -> Names:
        """Every name on record of these kinds, and those of `more` that are of them."""
        kinds = tuple(kinds)
        known = [Named(key, kind, name) for kind in kinds for name, key in facts.names((kind,)).items()]
        return cls([*known, *(one for one in more if one.kind in kinds)])

    def knows(self, name: str) -> bool:
        """Whether it is one of the names, as they are written."""
        return name in self._known

    def named(self, name: str) -> Named | None:
        """Whose name it is, as it is written."""
        return self._known.get(name)

    def find(self, text: str) -> tuple[Mention, ...]:
        """In order, none within another; a name that two bear is the one on record first."""
        return tuple(Mention(one.start, one.end, self._known[one.names[0]]) for one in self._cast.mentions(text))


_ARTICLE_RE: Final = re.compile(r"(?:the|a|an)\s+(?=\S)", re.IGNORECASE)


def _written(name: str, kind: EntityKind) -> Iterable[str]:
    """As it may stand in a text: an English name with an article also without it, and at a sentence's beginning; an
    event, which is no proper name, also in the middle of one."""
    yield name
    if kind is EntityKind.EVENT:
        told = _ARTICLE_RE.sub("", name, count=1)
        yield from (told, told[:1].lower() + told[1:], f"the {told[:1].lower()}{told[1:]}")
    bare = _ARTICLE_RE.sub("", name, count=1) if _ARTICLE_RE.match(name) else name
    if bare != name and (" " in bare or bare[:1].isupper()):
        yield bare
    if name[:1].islower():
        yield name[:1].upper() + name[1:]
