"""How fast the two graph layers are on a long novel's hub: `python -m memorybank.narrative.hub.bench [folder]`.

Made-up data: 50,000 facts over 3,000 entities and 120 chapters, spread as in a book (few characters in very many
facts), 300 plans in 4 storylines. Prints a table; times are of this machine, with whatever else it does.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memorybank.narrative.hub import fact_queries as queries
from memorybank.narrative.hub.connection import GraphConnection
from memorybank.narrative.hub.fact_records import entity_of, fact_of
from memorybank.narrative.hub.facts import Facts
from memorybank.narrative.hub.plans import Plans
from memorybank.narrative.types import (
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

ENTITIES = 3_000
FACTS = 50_000
CHAPTERS = 120
HOOKS = 300
STORYLINES = ("hero", "rival", "court", "sea")
AT_ONCE = 2_500
"""Facts in one settlement; an import's bulk review by chapter is of that size."""
ASKED = 200
SHOWN = 300
"""Entities that the page draws."""
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


def main(folder: Path) -> None:
    made = list(_entities())
    with _timed("engine started"):
        connection = GraphConnection(folder)
    with connection:
        facts, plans = Facts(connection.facts), Plans(connection.plans)
        with _timed(f"{len(made):,} entities written"):
            facts.apply(made, [])
        told = _facts(made)
        with _timed(f"{len(told):,} facts written, {AT_ONCE:,} at once"):
            for start in range(0, len(told), AT_ONCE):
                facts.apply([], told[start : start + AT_ONCE])
        with _timed("300 plans written"):
            plans.apply(list(_plans()), [], "board")
        _say(f"{'query':44}{'median ms':>12}{'p95 ms':>10}")
        _ask_all(facts, plans, made)
        _ask_for_the_page(connection, made)
        _say(f"on disk: {sum(file.stat().st_size for file in folder.rglob('*') if file.is_file()) / 1e6:.0f} MB")


def _ask_all(facts: Facts, plans: Plans, made: list[Entity]) -> None:
    draw = random.Random(2)  # noqa: S311 - a repeatable draw
    people = [entity for entity in made if entity.kind is EntityKind.CHARACTER]

    def chapter() -> int:
        return draw.randint(1, CHAPTERS)

    def anyone() -> Entity:
        return draw.choice(people)

    _ask("about(key, chapter=N), any character", lambda: facts.about(anyone().key, chapter=chapter()))
    _ask("about(key, chapter=N), the ten busiest", lambda: facts.about(draw.choice(people[:10]).key, chapter=chapter()))
    _ask("about(key), newest", lambda: facts.about(anyone().key))
    _ask("matching(key, KNOWS, chapter=N)", lambda: facts.matching(anyone().key, "KNOWS", chapter=chapter()))
    _ask("named(name)", lambda: facts.named(anyone().name))
    _ask("hooks(chapter=N), unresolved", lambda: facts.hooks(chapter=chapter()))
    _ask("pointer(chapter=N)", lambda: plans.pointer(chapter=chapter()))
    _ask("of_task(task)", lambda: facts.of_task(TaskId(f"t{draw.randrange(100)}")))
    _ask("names()", facts.names, 20)


def _ask_for_the_page(connection: GraphConnection, made: list[Entity]) -> None:
    """The page's question: its busiest entities and all between them, by the overview and by query."""
    draw = random.Random(3)  # noqa: S311 - a repeatable draw

    def chapter() -> int:
        return draw.randint(1, CHAPTERS)

    facts = Facts(connection.facts)
    with _timed("overview read, once a start"):
        facts.latest()
    quick = _ask(f"graph(chapter=N, limit={SHOWN})", lambda: facts.graph(chapter=chapter(), limit=SHOWN), 20)
    _ask("latest()", facts.latest, 20)
    person = made[-3]
    status = next(one for one in made if one.name == UNRESOLVED)

    def settled() -> object:
        origin = Origin(task=TaskId("t9"))
        told = Fact(subject=person.key, predicate="SAW", object=status.key, since=chapter(), origin=origin)
        facts.apply([], [told])
        return facts.graph(chapter=told.since, limit=SHOWN)

    _ask("a fact settled, then graph()", settled, 10)
    slow = _ask("the same by query", lambda: _by_query(connection, chapter()), 5)
    _say(f"{'by query / by overview':44}{slow / quick:12.1f}")


def _by_query(connection: GraphConnection, chapter: int) -> object:
    """As it is without the overview: the server counts every entity's facts."""
    held = queries.held(chapter)
    busiest = f"""
    MATCH (entity:Entity)-[fact]-() WHERE {held}
    WITH entity, count(fact) AS degree ORDER BY degree DESC LIMIT $limit {queries.ENTITY_ROWS.returned}
    """
    between = f"""
    UNWIND $keys AS key
    MATCH (:Entity {{key: key}})-[fact]->(other:Entity) WHERE $among[other.key] = true AND {held}
    {queries.FACT_ROWS.returned}
    """
    ask = connection.facts.rows
    shown = [entity_of(row) for row in queries.ENTITY_ROWS.read(ask(busiest, chapter=chapter, limit=SHOWN))]
    keys = [one.key for one in shown]
    rows = queries.FACT_ROWS.read(ask(between, keys=keys, among=dict.fromkeys(keys, True), chapter=chapter))
    return shown, [fact_of(row) for row in rows]


def _ask(name: str, question: Callable[[], object], times: int = ASKED) -> float:
    """Median milliseconds."""
    for _ in range(max(3, times // 10)):
        question()
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        question()
        spent.append((time.perf_counter() - start) * 1e3)
    median = statistics.median(spent)
    _say(f"{name:44}{median:12.1f}{sorted(spent)[int(times * 0.95)]:10.1f}")
    return median


# -- made-up story ----------------------------------------------------------------------------------------------------


def _entities() -> Iterator[Entity]:
    origin = Origin(task=TaskId("t0"))
    for number in range(1, CHAPTERS + 1):
        yield Entity(kind=EntityKind.CHAPTER, name=str(number), origin=origin)
    for kind, count in _KINDS.items():
        for number in range(count):
            name = f"{kind.value} {number}"
            yield Entity(kind=kind, name=name, aliases=(f"the {name}",), note="made up", origin=origin)
    for name in (UNRESOLVED, RESOLVED):
        yield Entity(kind=EntityKind.STATUS, name=name, origin=origin)


def _facts(made: list[Entity]) -> list[Fact]:
    draw = random.Random(1)  # noqa: S311 - a repeatable draw
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
        since = draw.randint(1, 60)
        until = draw.randint(61, CHAPTERS) if number % 2 else None
        add(hook, HAS_STATUS, open_, since, until)
        if until is not None:
            add(hook, HAS_STATUS, closed, until)
    while len(found) < FACTS:
        who, since = _busy(draw, people), draw.randint(1, CHAPTERS)
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


def _plans() -> Iterator[Plan]:
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


# -- table ------------------------------------------------------------------------------------------------------------


@contextmanager
def _timed(what: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    _say(f"{what:44}{time.perf_counter() - start:10.1f} s")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made_folder:
            main(Path(made_folder))
