"""Entities of the story that a text names, with their kinds. The names are found by `memorybank.narrative.names`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memorybank.contradiction.words_zh import SURNAMES
from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.names import Cast
from memorybank.narrative.types import EntityKey, EntityKind, entity_key

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
    part: bool = False
    """It is a part of the name on record, by which nobody else goes: within another name it is somebody else's."""


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
        mentions = (Mention(match.start, match.end, self._known[match.names[0]]) for match in self._cast.mentions(text))
        return tuple(
            mention
            for mention in mentions
            if not mention.named.part or not _within_a_name(text, mention.start, mention.end)
        )


TITLES: Final = frozenset(
    """
    king queen prince princess duke duchess count countess earl baron baroness lord lady sir dame emperor empress
    captain colonel general major sergeant lieutenant commander admiral marshal doctor dr mr mrs ms miss master
    mistress father mother brother sister uncle aunt saint st old young little great black white red grey gray blue
    green big the of
    """.split()
)
OPENERS: Final = frozenset(
    """
    a after all also an and as at because before both but by chapter each every finally first for from he her here
    his how i if in it its later let my never next no not now of on once one only or our she since so some soon
    that the their then there these they this those though three to today two until we what when where while who
    why with yes yet you your settled decided agreed
    """.split()
)
"""Words that open a sentence with a capital and name nobody."""
_ALSO_WORDS: Final = frozenset("和向于从连任时应同成常全安方明平单关易许章")
"""Surnames that end other words as well: 当时, 也许, 变成."""
_SURNAME_RE: Final = re.compile(f"[{''.join(sorted(set(SURNAMES) - _ALSO_WORDS))}]$")
_AHEAD_RE: Final = re.compile(r"(?<![\w’'])([A-Z][\w’-]+)\s$")
_BEHIND_RE: Final = re.compile(r"\s[A-Z][a-z]")
_TITLE_LOOKBACK: Final = 30
"""Characters before a name in which the word ahead of it stands."""


def _within_a_name(text: str, start: int, end: int) -> bool:
    """Whether what stands around it makes it somebody else's name: 张秋棠, "Odo Stone", "Jack Reed"."""
    before = text[max(0, start - _TITLE_LOOKBACK) : start]
    if not text[start].isascii():
        return _SURNAME_RE.search(before) is not None
    ahead = _AHEAD_RE.search(before)
    stands_alone = ahead is None or ahead[1].lower() in TITLES or ahead[1].lower() in OPENERS
    return _BEHIND_RE.match(text, end) is not None or not stands_alone


_ARTICLE_RE: Final = re.compile(r"(?:the|a|an)\s+(?=\S)", re.IGNORECASE)


def written_forms(name: str) -> Iterable[str]:
    """As it may stand in a text: an English name with an article also without it, and at a sentence's beginning."""
    yield name
    bare = _ARTICLE_RE.sub("", name, count=1) if _ARTICLE_RE.match(name) else name
    if bare != name and (" " in bare or bare[:1].isupper()):
        yield bare
    if name[:1].islower():
        yield name[:1].upper() + name[1:]
