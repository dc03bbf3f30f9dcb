"""A small story for the tests of the graph layers."""

from __future__ import annotations

from memorybank_studio.types import (
    HAS_STATUS,
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

FIRST, SECOND = TaskId("task one"), TaskId("task two")


def origin(task: TaskId = FIRST, *, chapter: int | None = 3, turns: tuple[int, ...] = (1, 2)) -> Origin:
    return Origin(task=task, chapter=chapter, source="她把剑给了他。", turns=turns)


def entity(kind: EntityKind, name: str, **others: object) -> Entity:
    return Entity(kind=kind, name=name, **{"origin": origin(), **others})  # type: ignore[arg-type]


MEI = entity(EntityKind.CHARACTER, "Mei", aliases=("the Fox", "小梅"), note="a thief")
WEI = entity(EntityKind.CHARACTER, "Wei")
SWORD = entity(EntityKind.ITEM, "Sword")
CAVE = entity(EntityKind.LOCATION, "Cave")
PENDANT = entity(EntityKind.HOOK, "The pendant's secret")
LETTER = entity(EntityKind.HOOK, "The unread letter")
OPEN = entity(EntityKind.STATUS, UNRESOLVED)
DONE = entity(EntityKind.STATUS, RESOLVED)
DEAD = entity(EntityKind.STATUS, "dead")
CHAPTER = entity(EntityKind.CHAPTER, "3")
FIRE, FLIGHT, FAMINE = (entity(EntityKind.EVENT, name) for name in ("the fire", "the flight", "the famine"))
CAST = (MEI, WEI, SWORD, CAVE, PENDANT, LETTER, OPEN, DONE, DEAD, CHAPTER, FIRE, FLIGHT, FAMINE)


def fact(subject: Entity, predicate: str, object_: Entity, since: int = 1, **others: object) -> Fact:
    told = {"origin": origin(), **others}
    return Fact(subject=subject.key, predicate=predicate, object=object_.key, since=since, **told)  # type: ignore[arg-type]


def status(subject: Entity, value: Entity, since: int, **others: object) -> Fact:
    return fact(subject, HAS_STATUS, value, since, **others)


def plan(kind: PlanKind, title: str, parent: Plan | None = None, **others: object) -> Plan:
    told = {"origin": origin(), **others}
    return Plan(kind=kind, title=title, parent=parent.key if parent else None, **told)  # type: ignore[arg-type]


WHOLE = plan(PlanKind.GENERAL, "The whole story")
BOOK = plan(PlanKind.LONG, "Book one", WHOLE)
HERO = plan(PlanKind.SHORT, "Mei comes home", BOOK, storyline="Mei")
RIVAL = plan(PlanKind.SHORT, "Wei marches", BOOK, storyline="Wei")
OUTLINES = (WHOLE, BOOK, HERO, RIVAL)


def step(title: str, short: Plan, after: Plan | None = None, **others: object) -> Plan:
    return plan(PlanKind.STEP, title, short, after=after.key if after else None, **others)


START = step("start", HERO)
TURN = step("turn", HERO, START)
CLIMAX = step("climax", HERO, TURN, due=9)
MARCH = step("march", RIVAL)
SIEGE = step("siege", RIVAL, MARCH, due=4)
STEPS = (START, TURN, CLIMAX, MARCH, SIEGE)
EVERYTHING = (*OUTLINES, *STEPS)

PENDING, IN_PROGRESS, COMPLETED = PlanStatus.PENDING, PlanStatus.IN_PROGRESS, PlanStatus.COMPLETED
