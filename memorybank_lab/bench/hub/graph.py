"""The two graph layers of a made-up story, and what they are asked.

Spread as in a book: few characters are in very many facts. 300 plans stand in four storylines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.types import (
    HAS_STATUS,
    HAS_TRAIT,
    IN_CHAPTER,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    TaskId,
)

HOOKS = 300
STORYLINES = ("hero", "rival", "court", "sea")
AT_ONCE = 2_500
"""Facts in one settlement; an import's bulk review by chapter is of that size."""
_KINDS = {
    EntityKind.CHARACTER: 1_300,
    EntityKind.LOCATION: 400,
    EntityKind.ITEM: 400,
    EntityKind.EVENT: 380,
    EntityKind.HOOK: HOOKS,
    EntityKind.FACTION: 50,
    EntityKind.TRAIT: 38,
    EntityKind.STATUS: 12,
}
_PREDICATES = ("KNOWS", "OWNS", "HATES", "LOVES", "LOCATED_IN", "MEMBER_OF", "FOUGHT", "CAUSES", "BEFORE", "SAW")


Question = Callable[[], object]


# -- what is asked ----------------------------------------------------------------------------------------------------


def pointer(plans: Plans, chapters: int) -> Question:
    draw = random.Random(4)
    return lambda: plans.pointer(chapter=draw.randint(1, chapters))


def as_of_chapter(facts: Facts, made: Sequence[Entity], chapters: int) -> Question:
    """Facts about any character as of any chapter."""
    draw = random.Random(5)
    people = _people(made)
    return lambda: facts.about(draw.choice(people).key, chapter=draw.randint(1, chapters))


def questions(facts: Facts, plans: Plans, made: Sequence[Entity], chapters: int) -> Iterator[tuple[str, Question]]:
    draw = random.Random(2)
    people = _people(made)

    def chapter() -> int:
        return draw.randint(1, chapters)

    def anyone() -> Entity:
        return draw.choice(people)

    yield "about(key, chapter=N), any character", as_of_chapter(facts, made, chapters)
    yield "about(key, chapter=N), the ten busiest", lambda: facts.about(draw.choice(people[:10]).key, chapter=chapter())
    yield "about(key), newest", lambda: facts.about(anyone().key)
    yield "matching(key, KNOWS, chapter=N)", lambda: facts.matching(anyone().key, "KNOWS", chapter=chapter())
    yield "named(name)", lambda: facts.named(anyone().name)
    yield "hooks(chapter=N), unresolved", lambda: facts.hooks(chapter=chapter())
    yield "pointer(chapter=N)", pointer(plans, chapters)
    yield "of_task(task)", lambda: facts.of_task(TaskId(f"t{draw.randrange(100)}"))
    yield "names()", facts.names
    yield from _of_the_page(facts, made, chapter)


def _of_the_page(facts: Facts, made: Sequence[Entity], chapter: Callable[[], int]) -> Iterator[tuple[str, Question]]:
    """The map's question: all links, by the overview."""
    person, status = made[-3], next(one for one in made if one.name == UNRESOLVED)

    def settled() -> object:
        told = Fact(
            subject=person.key, predicate="SAW", object=status.key, since=chapter(), origin=Origin(task=TaskId("t9"))
        )
        facts.apply([], [told])
        return facts.links()

    yield "links(), of the map", facts.links
    yield "latest()", facts.latest
    yield "a fact settled, then links()", settled


# -- made-up story ----------------------------------------------------------------------------------------------------


def entities(chapters: int) -> Iterator[Entity]:
    origin = Origin(task=TaskId("t0"))
    for number in range(1, chapters + 1):
        yield Entity(kind=EntityKind.CHAPTER, name=str(number), origin=origin)
    for kind, count in _KINDS.items():
        for number in range(count):
            name = f"{kind.value} {number}"
            yield Entity(kind=kind, name=name, aliases=(f"the {name}",), note="made up", origin=origin)
    for name in (UNRESOLVED, RESOLVED):
        yield Entity(kind=EntityKind.STATUS, name=name, origin=origin)


def facts_of(made: Sequence[Entity], count: int, chapters: int) -> list[Fact]:
    draw = random.Random(1)
    of_kind = {kind: [entity for entity in made if entity.kind is kind] for kind in EntityKind}
    people, everything = of_kind[EntityKind.CHARACTER], [*of_kind[EntityKind.LOCATION], *of_kind[EntityKind.ITEM]]
    open_, closed = (entity for entity in made if entity.name in (UNRESOLVED, RESOLVED))
    found: dict[str, Fact] = {}

    def add(subject: Entity, predicate: str, object_: Entity, since: int, until: int | None = None) -> None:
        origin = Origin(
            task=TaskId(f"t{draw.randrange(100)}"), chapter=since, source="as it is told " * 4, turns=(3, 4)
        )
        fact = Fact(
            subject=subject.key,
            predicate=predicate,
            object=object_.key,
            properties={"reason": "made up"},
            since=since,
            until=until,
            origin=origin,
        )
        found[fact.key] = fact

    for number, hook in enumerate(of_kind[EntityKind.HOOK]):
        since = draw.randint(1, chapters // 2)
        until = draw.randint(chapters // 2 + 1, chapters) if number % 2 else None
        add(hook, HAS_STATUS, open_, since, until)
        if until is not None:
            add(hook, HAS_STATUS, closed, until)
    while len(found) < count:
        who, since = _busy(draw, people), draw.randint(1, chapters)
        match draw.randrange(10):
            case 0:
                add(who, HAS_TRAIT, draw.choice(of_kind[EntityKind.TRAIT]), since)
            case 1:
                add(who, IN_CHAPTER, of_kind[EntityKind.CHAPTER][since - 1], since)
            case 2 | 3 | 4:
                add(who, draw.choice(_PREDICATES), draw.choice(everything), since)
            case _:
                until = since + draw.randint(1, 20) if draw.random() < 0.3 else None
                add(who, draw.choice(_PREDICATES), draw.choice(people), since, until)
    return list(found.values())


def _busy(draw: random.Random, people: list[Entity]) -> Entity:
    """A few are in very many facts, as in any book."""
    return people[int(draw.random() ** 2 * len(people))]


def plans() -> Iterator[Plan]:
    origin = Origin(task=TaskId("t0"))
    general = Plan(kind=PlanKind.GENERAL, title="the whole", origin=origin)
    long = Plan(kind=PlanKind.LONG, title="book one", parent=general.key, origin=origin)
    yield general
    yield long
    for storyline in STORYLINES:
        short = Plan(kind=PlanKind.SHORT, title=storyline, parent=long.key, storyline=storyline, origin=origin)
        yield short
        before = None
        for number in range(73):
            done = PlanStatus.COMPLETED if number < 30 else PlanStatus.PENDING
            status = PlanStatus.IN_PROGRESS if number == 30 else done
            step = Plan(
                kind=PlanKind.STEP,
                title=f"step {number}",
                text="what is to happen " * 5,
                parent=short.key,
                after=before,
                due=number + 5,
                status=status,
                origin=origin,
            )
            yield step
            before = step.key
    yield Plan(kind=PlanKind.LONG, title="book two", parent=general.key, after=long.key, origin=origin)
    yield Plan(kind=PlanKind.LONG, title="book three", parent=general.key, origin=origin)


def _people(made: Sequence[Entity]) -> list[Entity]:
    return [entity for entity in made if entity.kind is EntityKind.CHARACTER]
