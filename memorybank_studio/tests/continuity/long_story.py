"""A made-up long story: entities, facts and plans, spread as in a book: few characters are in very many facts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from memorybank_studio.types import (
    HAS_STATUS,
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

CHAPTERS, FACTS = 120, 50_000
_KINDS = {
    EntityKind.CHARACTER: 1_300,
    EntityKind.LOCATION: 400,
    EntityKind.ITEM: 400,
    EntityKind.EVENT: 380,
    EntityKind.HOOK: 300,
    EntityKind.FACTION: 50,
    EntityKind.TRAIT: 38,
    EntityKind.STATUS: 12,
}
_PREDICATES = ("KNOWS", "OWNS", "HATES", "LOVES", "LOCATED_IN", "MEMBER_OF", "FOUGHT", "CAUSES", "BEFORE", "SAW")
_MADE_UP = Origin(task=TaskId("t0"))


def entities() -> Iterator[Entity]:
    for number in range(1, CHAPTERS + 1):
        yield Entity(kind=EntityKind.CHAPTER, name=str(number), origin=_MADE_UP)
    for kind, count in _KINDS.items():
        for number in range(count):
            name = f"{kind.value} {number}"
            yield Entity(kind=kind, name=name, aliases=(f"the {name}",), note="made up", origin=_MADE_UP)
    for name in (UNRESOLVED, RESOLVED):
        yield Entity(kind=EntityKind.STATUS, name=name, origin=_MADE_UP)


def facts_of(made: Sequence[Entity]) -> list[Fact]:
    """So many facts, each hook's state among them; a third of those between people end."""
    draw = random.Random(1)
    of_kind = {kind: [entity for entity in made if entity.kind is kind] for kind in EntityKind}
    people, things = of_kind[EntityKind.CHARACTER], [*of_kind[EntityKind.LOCATION], *of_kind[EntityKind.ITEM]]
    unresolved, resolved = (entity for entity in made if entity.name in (UNRESOLVED, RESOLVED))
    facts: dict[str, Fact] = {}

    def add(subject: Entity, predicate: str, object_: Entity, since: int, until: int | None = None) -> None:
        task = TaskId(f"t{draw.randrange(100)}")
        fact = Fact(
            subject=subject.key,
            predicate=predicate,
            object=object_.key,
            properties={"reason": "made up"},
            since=since,
            until=until,
            origin=Origin(task=task, chapter=since, source="as it is told " * 4, turns=(3, 4)),
        )
        facts[fact.key] = fact

    for number, hook in enumerate(of_kind[EntityKind.HOOK]):
        until = draw.randint(CHAPTERS // 2 + 1, CHAPTERS) if number % 2 else None
        add(hook, HAS_STATUS, unresolved, draw.randint(1, CHAPTERS // 2), until)
        if until is not None:
            add(hook, HAS_STATUS, resolved, until)
    while len(facts) < FACTS:
        # The square makes a few busy, as in any book.
        who, since = people[int(draw.random() ** 2 * len(people))], draw.randint(1, CHAPTERS)
        match draw.randrange(10):
            case 0:
                add(who, IN_CHAPTER, of_kind[EntityKind.CHAPTER][since - 1], since)
            case 1 | 2 | 3:
                add(who, draw.choice(_PREDICATES), draw.choice(things), since)
            case _:
                until = since + draw.randint(1, 20) if draw.random() < 0.3 else None
                add(who, draw.choice(_PREDICATES), draw.choice(people), since, until)
    return list(facts.values())


def plans() -> Iterator[Plan]:
    """A long plan with four storylines, of 73 steps, of which one is under way."""
    general = Plan(kind=PlanKind.GENERAL, title="the whole", origin=_MADE_UP)
    long = Plan(kind=PlanKind.LONG, title="book one", parent=general.key, origin=_MADE_UP)
    yield from (general, long)
    for storyline in ("hero", "rival", "court", "sea"):
        short = Plan(kind=PlanKind.SHORT, title=storyline, parent=long.key, storyline=storyline, origin=_MADE_UP)
        yield short
        before = None
        for number in range(73):
            done = PlanStatus.COMPLETED if number < 30 else PlanStatus.PENDING
            step = Plan(
                kind=PlanKind.STEP,
                title=f"step {number}",
                text="what is to happen " * 5,
                parent=short.key,
                after=before,
                due=number + 5,
                status=PlanStatus.IN_PROGRESS if number == 30 else done,
                origin=_MADE_UP,
            )
            yield step
            before = step.key
