"""Entities of the story that a text names, with their kinds. The names are found by `memorybank_studio.names`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from memorybank.language.han import HAN
from memorybank_studio.hub.contracts import FactLayer
from memorybank_studio.names import Cast
from memorybank_studio.types import EntityKey, EntityKind, entity_key

NAMED: Final = (
    EntityKind.CHARACTER,
    EntityKind.LOCATION,
    EntityKind.ITEM,
    EntityKind.FACTION,
    EntityKind.ABILITY,
)
"""Kinds whose names a text may mention; hooks and events are told in sentences, not by a name."""


@dataclass(frozen=True, slots=True)
class Named:
    key: EntityKey
    kind: EntityKind
    name: str
    """As it stands on record: its own name or one of its aliases."""


@dataclass(frozen=True, slots=True)
class Mention:
    """`text[start:end]`."""

    start: int
    end: int
    named: Named


class Names:
    """Names to look for. Built once for a check or an extraction."""

    def __init__(self, known: Iterable[Named]) -> None:
        self._known: dict[str, Named] = {}
        for named in known:
            for written in written_forms(named.name):
                self._known.setdefault(written, named)
        self._cast = Cast((written, written) for written in self._known)

    @property
    def all(self) -> tuple[Named, ...]:
        """Every name with whose it is; one of several spellings once."""
        return tuple(dict.fromkeys(self._known.values()))

    @classmethod
    def of(cls, facts: FactLayer) -> Names:
        """Every name on record of the kinds in `NAMED`."""
        return cls(Named(key, kind, name) for kind in NAMED for name, key in facts.names((kind,)).items())

    def named(self, name: str) -> Named | None:
        """Whose name it is, as it is written."""
        return self._known.get(name)

    def whole(self, who: Named, facts: FactLayer) -> str:
        """The name of which somebody's key is made."""
        entity = facts.entity(who.key)
        own = (named.name for named in self._known.values() if entity_key(named.kind, named.name) == who.key)
        return entity.name if entity is not None else next(own, who.name)

    def find(self, text: str) -> tuple[Mention, ...]:
        """In order, none within another; a name that two bear is the one on record first."""
        return tuple(
            Mention(match.start, match.end, self._known[match.names[0]]) for match in self._cast.mentions(text)
        )

    def with_short(self) -> Names:
        """Add the parts of people's names that are one person's alone, and no other name: to look up who may be
        meant, never to settle it."""
        parts = [
            Named(named.key, named.kind, part)
            for named in self.all
            if named.kind is EntityKind.CHARACTER
            for part in parts_of(named.name)
        ]
        bearers = Counter(part for part, _ in {(part.name, part.key) for part in parts})
        return Names([*self.all, *(part for part in parts if bearers[part.name] == 1 and part.name not in self._known)])


_ARTICLE_RE: Final = re.compile(r"(?:the|a|an)\s+(?=\S)", re.IGNORECASE)
_WORD_RE: Final = re.compile(r"[A-Z][\w’'-]+")
_CHINESE_RE: Final = re.compile(rf"[{HAN}]{{3,4}}")


def written_forms(name: str) -> Iterable[str]:
    """As it may stand in a text: an English name with an article also without it, and at a sentence's beginning."""
    yield name
    bare = _ARTICLE_RE.sub("", name, count=1) if _ARTICLE_RE.match(name) else name
    if bare != name and (" " in bare or bare[:1].isupper()):
        yield bare
    if name[:1].islower():
        yield name[:1].upper() + name[1:]


def parts_of(name: str) -> Iterator[str]:
    """Return what a person may be called alone: first and last name, or the last two characters of a Chinese name."""
    words = name.split()
    if len(words) > 1:
        yield from (word for word in dict.fromkeys((words[0], words[-1])) if _WORD_RE.fullmatch(word))
    elif "·" in name:
        yield from (part for part in dict.fromkeys(name.split("·")) if len(part) > 1)
    elif _CHINESE_RE.fullmatch(name):
        yield name[-2:]
