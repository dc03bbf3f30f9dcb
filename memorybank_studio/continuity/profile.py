"""All that is on record of a character as of a chapter, and where the archive's own words name them.

A character is known by every name and alias. Of two names that overlap in a text the longer one is meant, so 林家 names
nobody called 林, and "Annabel" no Ann; a name that two characters share counts for both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memorybank.language.han import is_han
from memorybank.language.text import sentences
from memorybank.memory.types import Value
from memorybank_studio.hub.contracts import EpisodicArchive, FactLayer
from memorybank_studio.hub.stores import Stores
from memorybank_studio.names import Cast
from memorybank_studio.reading.mentions import written_forms
from memorybank_studio.types import HAS_TRAIT, Chunk, Entity, EntityKey, EntityKind, Fact, Plan, PlanStatus

KNOWS_OF, UNAWARE_OF = "KNOWS_OF", "UNAWARE_OF"
MOST_QUOTES = 2
"""Of a chapter."""
_LONGEST_QUOTE = 240
_SHORTEST_ASKED = 3
"""Letters of a name that the archive's list of names answers for; for a shorter one the chapters are looked through."""


_NAMED = (EntityKind.CHARACTER, EntityKind.LOCATION, EntityKind.ITEM, EntityKind.FACTION, EntityKind.ABILITY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote(Value):
    """A sentence that names them: `text[start:end]` is the name as it stands there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance(Value):
    """A chapter whose text names them."""

    chapter: int
    title: str
    count: int
    quotes: tuple[Quote, ...]
    """The first few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Value):
    """As of one chapter, each group oldest first."""

    entity: Entity
    traits: tuple[Fact, ...]
    knows: tuple[Fact, ...]
    unaware: tuple[Fact, ...]
    known_by: tuple[Fact, ...]
    """Who else knows of them, or does not."""
    facts: tuple[Fact, ...]
    """All others that hold."""
    other: tuple[Fact, ...]
    """Those that do not hold in this chapter: ended by then, or from a later one on."""
    hooks: tuple[Entity, ...]
    """Open ones that have to do with them, by a fact or by name."""
    plans: tuple[Plan, ...]
    """Not completed ones whose words name them."""


def story_cast(facts: FactLayer) -> Cast:
    """Every name of who and what there is in the story, each with the key of whose it is. The name of a hook or an
    event is a sentence that names somebody itself."""
    entities = facts.entities(facts.names(_NAMED).values()).values()
    return Cast((form, str(entity.key)) for entity in entities for form in _forms(entity))


def _forms(entity: Entity) -> Iterator[str]:
    """As the names may stand in a text: "the Fox" begins a sentence as "The Fox"."""
    for name in (entity.name, *entity.aliases):
        yield from written_forms(name)


def profile(stores: Stores, key: EntityKey, chapter: int | None) -> Profile | None:
    """None for a key that is nobody's. Raises StoreUnavailableError."""
    entity = stores.facts.entity(key)
    if entity is None:
        return None
    history = stores.facts.history(key)
    holding = [fact for fact in history if fact.holds(chapter)]
    groups: dict[str, list[Fact]] = defaultdict(list)
    for fact in holding:
        groups[_group(fact, key)].append(fact)
    cast = story_cast(stores.facts)
    return Profile(
        entity=entity,
        traits=tuple(groups["traits"]),
        knows=tuple(groups["knows"]),
        unaware=tuple(groups["unaware"]),
        known_by=tuple(groups["known_by"]),
        facts=tuple(groups["facts"]),
        other=tuple(fact for fact in history if not fact.holds(chapter)),
        hooks=_hooks(stores.facts, key, chapter, cast),
        plans=tuple(
            plan
            for plan in stores.plans.all()
            if plan.status is not PlanStatus.COMPLETED and str(key) in cast.names_in(f"{plan.title}\n{plan.text}")
        ),
    )


def _group(fact: Fact, key: EntityKey) -> str:
    if fact.predicate in (KNOWS_OF, UNAWARE_OF):
        if fact.subject != key:
            return "known_by"
        return "knows" if fact.predicate == KNOWS_OF else "unaware"
    return "traits" if fact.predicate == HAS_TRAIT and fact.subject == key else "facts"


def _hooks(facts: FactLayer, key: EntityKey, chapter: int | None, cast: Cast) -> tuple[Entity, ...]:
    tied = {end for fact in facts.about(key, chapter=chapter) for end in (fact.subject, fact.object)}
    pairs = facts.hooks(resolved=False, chapter=chapter)
    return tuple(
        hook
        for hook, status in pairs
        if hook.key in tied or str(key) in cast.names_in(f"{hook.name}\n{hook.note}\n{status.origin.source}")
    )


# -- appearances ------------------------------------------------------------------------------------------------------


def chapters_naming(stores: Stores, key: EntityKey, chapter: int | None) -> tuple[tuple[int, str], ...]:
    """Numbers and titles of the chapters, up to this one, that may name them, the newest first."""
    entity = stores.facts.entity(key)
    forms = list(_forms(entity)) if entity is not None else []
    known = [(number, title) for number, title in stores.archive.chapters() if chapter is None or number <= chapter]
    if all(len(form) >= _SHORTEST_ASKED or is_han(form) for form in forms):
        where = frozenset[int]().union(*stores.archive.naming(forms).values())
        known = [(number, title) for number, title in known if number in where]
    return tuple(reversed(known))


def appearances(
    stores: Stores, key: EntityKey, chapters: Sequence[tuple[int, str]], most: int
) -> tuple[tuple[Appearance, ...], int]:
    """The first so many of the chapters that do name them, and how many of the chapters were looked through for it."""
    cast = story_cast(stores.facts)
    appearing: list[Appearance] = []
    for looked, (number, title) in enumerate(chapters):
        if len(appearing) == most:
            return tuple(appearing), looked
        quotes = list(_quotes(stores.archive, number, str(key), cast))
        if quotes:
            by_sentence = {quote.text: quote for quote in reversed(quotes)}
            first = tuple(by_sentence.values())[::-1][:MOST_QUOTES]
            appearing.append(Appearance(chapter=number, title=title, count=len(quotes), quotes=first))
    return tuple(appearing), len(chapters)


def _quotes(archive: EpisodicArchive, chapter: int, key: str, cast: Cast) -> Iterator[Quote]:
    for chunk in archive.chapter(chapter):
        mentions = [mention for mention in cast.mentions(chunk.text) if key in mention.names]
        if mentions:
            pieces = sentences(chunk.text)
            for mention in mentions:
                piece = next(piece for piece in pieces if piece.start <= mention.start < piece.end)
                yield _quote(chunk, piece.start, max(piece.end, mention.end), mention.start, mention.end)


def _quote(chunk: Chunk, start: int, end: int, name_start: int, name_end: int) -> Quote:
    """Of a long sentence what is near the name."""
    if end - start > _LONGEST_QUOTE:
        start = max(start, name_start - _LONGEST_QUOTE // 2)
        end = max(name_end, min(end, start + _LONGEST_QUOTE))
    text = chunk.text[start:end]
    lead = len(text) - len(text.lstrip())
    return Quote(text=text.strip(), start=name_start - start - lead, end=name_end - start - lead)


def others_named(profile_: Profile) -> Mapping[EntityKey, None]:
    """Every end of the facts, to be asked for at once."""
    groups = (profile_.traits, profile_.knows, profile_.unaware, profile_.known_by, profile_.facts, profile_.other)
    return dict.fromkeys(end for group in groups for fact in group for end in (fact.subject, fact.object))
