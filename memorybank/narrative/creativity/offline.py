"""Generators without a language model: outline patterns filled from the author's own material. They say what they are.

A pattern is a shape of a story's next turn (a loss, a debt called in, a truth that comes out) with places for people,
things and hooks. Places are filled from what the request names and the hub holds, never with anything invented; a
pattern whose places cannot be filled is not offered.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, get_args

from memorybank.language.lexicon import load
from memorybank.language.text import fold_space
from memorybank.memory.types import Lang
from memorybank.narrative.continuity.scene import word_re
from memorybank.narrative.creativity.accepted import BY_PATTERN
from memorybank.narrative.creativity.allowance import Allowance
from memorybank.narrative.creativity.lookups import Lookups
from memorybank.narrative.creativity.options import Draft, Request
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.types import HAS_STATUS, Entity, EntityKind, Plan, Pointer, normal

_PLACE_RE = re.compile(r"\{(\w+)\}")
_BUSIEST: Final = 60
"""Of those who are on record, by their facts; behind them come those of whom there is none yet."""
_UNTOLD: Final = 12
"""Of each kind, of whom nothing is on record but the name."""
_FILLING: Final = (EntityKind.CHARACTER, EntityKind.ITEM, EntityKind.LOCATION)
"""Kinds that fill the places of patterns; hooks are looked up by their status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    name: str
    brief: str
    text: str
    anyones: bool = False
    """Its item may be somebody else's than the hero's."""

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_PLACE_RE.findall(self.text)))


@cache
def patterns(lang: Lang) -> tuple[Pattern, ...]:
    raw: dict[str, list[dict[str, Any]]] = load(__package__, f"patterns.{lang}")
    return tuple(
        Pattern(
            name=entry["name"],
            brief=brief,
            text=" ".join(entry["text"].split()) if lang == "en" else entry["text"].strip(),
            anyones=entry.get("anyones", False),
        )
        for brief, many in raw.items()
        for entry in many
    )


@dataclass(frozen=True, slots=True)
class Material:
    """What may stand in a pattern's places, most fitting first."""

    people: tuple[Entity, ...]
    items: tuple[Entity, ...]
    locations: tuple[Entity, ...]
    hooks: tuple[Entity, ...]
    steps: tuple[Plan, ...]
    owners: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Who is on record as the owner of an item, by name; an item of which nobody is stands not in it."""

    def fits(self, names: Mapping[str, str]) -> bool:
        """Whether the hero may have the item: it is theirs, or nobody's."""
        owners = self.owners.get(names.get("item", ""))
        return not owners or names.get("hero", "") in owners

    def choices(self, place: str) -> tuple[str, ...]:
        """Names for `hero`, `other`, `item`, `place`, `hook` or `step`."""
        names = {
            "hero": self.people,
            "other": self.people,
            "item": self.items,
            "place": self.locations,
            "hook": self.hooks,
        }
        return (
            tuple(plan.title for plan in self.steps)
            if place == "step"
            else tuple(entity.name for entity in names[place])
        )


class PatternGenerator:
    """One brief: a family of patterns."""

    def __init__(self, brief: str, stores: Stores) -> None:
        self.brief = brief
        self._stores = stores

    def drafts(self, request: Request, calls: Allowance | None = None) -> tuple[Draft, ...]:
        """One for each pattern that can be filled in a way that was not offered before.

        The same material and the same earlier offers give the same drafts: asked again and again, a pattern goes
        through its fillings one by one, the most fitting first.
        """
        del calls  # patterns need none
        lookups = Lookups(self._stores, request.chapter, request.lang)
        material = gathered(request, self._stores, lookups)
        own = [pattern for pattern in patterns(request.lang) if pattern.brief == self.brief]
        before = {fold_space(text) for text in request.before}
        filled = [(pattern, _first_other(pattern, material, before)) for pattern in own]
        return tuple(
            Draft(brief=self.brief, text=text, lookups=tuple(lookups.made), made_by=f"{BY_PATTERN}{pattern.name}")
            for pattern, text in filled
            if text
        )


def gathered(request: Request, stores: Stores, lookups: Lookups) -> Material:
    """The request's own names first, then those whom most is known of; who is gone takes no part."""
    named = _named(request, stores)
    ranked = [*named, *_known(stores, request)]
    present = list(dict.fromkeys(entity for entity in ranked if not _gone(entity, stores, request.chapter)))
    for entity in [entity for entity in present if entity.kind is not EntityKind.STATUS][:4]:
        lookups.facts(entity.name)
    lookups.plans(request.storyline)
    hooks = tuple(hook for hook, _ in stores.facts.hooks(resolved=False, chapter=request.chapter))
    items = _of(EntityKind.ITEM, present)
    return Material(
        people=_of(EntityKind.CHARACTER, present),
        items=items,
        owners={item.name: owners for item in items if (owners := _owners(item, stores, request.chapter))},
        locations=_of(EntityKind.LOCATION, present),
        hooks=tuple(dict.fromkeys([*_of(EntityKind.HOOK, named), *hooks])),
        steps=tuple(_steps(stores.plans.pointer(chapter=request.chapter), request.storyline)),
    )


def _owners(item: Entity, stores: Stores, chapter: int) -> frozenset[str]:
    """By the names they have on record."""
    facts = stores.facts.about(item.key, chapter=chapter)
    keys = {fact.subject for fact in facts if fact.predicate == "OWNS" and fact.object == item.key}
    keys |= {fact.object for fact in facts if fact.predicate == "OWNED_BY" and fact.subject == item.key}
    return frozenset(owner.name for owner in stores.facts.entities(keys).values())


def missing_places(request: Request, stores: Stores) -> tuple[str, ...]:
    """The patterns' places that nothing on record fills, most often needed first. Raises StoreUnavailableError."""
    material = gathered(request, stores, Lookups(stores, request.chapter, request.lang))
    needed = Counter(place for pattern in patterns(request.lang) for place in pattern.places)
    held = {place: len(material.choices(place)) for place in needed}
    return tuple(place for place, _ in needed.most_common() if held[place] < (2 if place == "other" else 1))


def _named(request: Request, stores: Stores) -> list[Entity]:
    """Whoever and whatever the author's words name, in the order of the words."""
    request_text = normal(request.asked)
    spots = {
        key: request_text.find(normal(name))
        for name, key in stores.facts.names().items()
        if normal(name) in request_text
    }
    entities = (stores.facts.entity(key) for key in sorted(spots, key=spots.__getitem__))
    return [entity for entity in entities if entity is not None]


def _known(stores: Stores, request: Request) -> tuple[Entity, ...]:
    """Those of whom most is known, then names of which nothing else is."""
    busiest, _ = stores.facts.graph(chapter=request.chapter, limit=_BUSIEST)
    busiest_keys = {entity.key for entity in busiest}
    names = (dict.fromkeys(stores.facts.names([kind]).values()) for kind in _FILLING)
    untold = [
        key for keys in names for key in itertools.islice((key for key in keys if key not in busiest_keys), _UNTOLD)
    ]
    entities = stores.facts.entities(untold)
    return (*busiest, *(entities[key] for key in untold if key in entities))


def _gone(entity: Entity, stores: Stores, chapter: int) -> bool:
    """Whether who or what it is takes no part in what comes next, by the words of the continuity check."""
    facts = stores.facts.matching(entity.key, HAS_STATUS, chapter=chapter)
    statuses = (stores.facts.entity(fact.object) for fact in facts if fact.subject == entity.key)
    words = _gone_re(entity.kind is EntityKind.CHARACTER)
    return any(status is not None and words.search(status.name) for status in statuses)


@cache
def _gone_re(is_person: bool) -> re.Pattern[str]:
    """People die or are missing; things are lost or destroyed. A story's statuses may be in either language."""
    lists = ("dead", "lost") if is_person else ("lost", "destroyed")
    return re.compile("|".join(word_re(name, lang).pattern for name in lists for lang in get_args(Lang)), re.IGNORECASE)


def _of(kind: EntityKind, entities: Sequence[Entity]) -> tuple[Entity, ...]:
    return tuple(entity for entity in entities if entity.kind is kind)


def _steps(pointers: Sequence[Pointer], storyline: str) -> Iterator[Plan]:
    for pointer in sorted(pointers, key=lambda pointer: pointer.storyline != storyline):
        yield from (step for step in (pointer.current, pointer.next) if step is not None)


def _first_other(pattern: Pattern, material: Material, before: Set[str]) -> str:
    """The pattern's most fitting filling that is not among those; empty when there is none left."""
    return next((text for text in _filled(pattern, material) if fold_space(text) not in before), "")


def _filled(pattern: Pattern, material: Material) -> Iterator[str]:
    """The pattern with its places filled, the most fitting choice first; nobody stands in two places, and nobody is
    given what another owns."""
    choices = [material.choices(place) for place in pattern.places]
    for chosen in itertools.product(*choices):
        names = dict(zip(pattern.places, chosen, strict=True))
        if len(set(chosen)) == len(chosen) and (pattern.anyones or material.fits(names)):
            yield _put(pattern.text, names)


def _put(text: str, names: Mapping[str, str]) -> str:
    return _PLACE_RE.sub(lambda match: names[match[1]], text)
