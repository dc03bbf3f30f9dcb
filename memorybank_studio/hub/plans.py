"""The planning layer as a graph: outlines and steps, their order and status. Nothing in it is a fact.

(GeneralOutline)-[:CONTAINS]->(LongOutline)-[:CONTAINS]->(ShortOutline)-[:CONTAINS]->(Step). The first of a parent's
plans in a storyline has FIRST_STEP from the parent, each other one NEXT from the one before it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence

from memorybank.errors import InputError
from memorybank_studio.hub.connection import Ask, LayerDatabase
from memorybank_studio.hub.labels import Layer, Row, Table, define, held_by, increment, revision
from memorybank_studio.hub.plan_rules import children, in_order, planned, pointers
from memorybank_studio.hub.records import check_plans, plan_of, plan_properties
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus, Pointer
from memorybank_studio.writes import Placement, StatusChange

PLANS = Table(
    {
        "labels": "labels(plan)",
        "parent": "parent.key",
        "after": "before.key",
        **held_by("plan", *"key title text storyline due status keyed_as task chapter source turns".split()),
    }
)

DEFINE = ("CREATE CONSTRAINT plan_key IF NOT EXISTS FOR (plan:Plan) REQUIRE plan.key IS UNIQUE",)

ALL = f"""
MATCH (plan:Plan)
OPTIONAL MATCH (parent:Plan)-[:CONTAINS]->(plan)
OPTIONAL MATCH (before:Plan)-[:NEXT]->(plan)
{PLANS.returned}
"""

UPDATE = """
UNWIND $rows AS row
MATCH (plan:Plan {key: row.key})
SET plan = row
"""

UNPLACE = """
UNWIND $keys AS key
MATCH (:Plan)-[place:NEXT|FIRST_STEP]->(plan:Plan {key: key})
DELETE place
"""


def tie(relation: str) -> str:
    """Return the query that ties plans to the one above or before them, by this relation."""
    return f"""
    UNWIND $rows AS row
    MATCH (first:Plan {{key: row.first}})
    MATCH (plan:Plan {{key: row.key}})
    CREATE (first)-[:{relation}]->(plan)
    """


def create(kind: PlanKind) -> str:
    return f"UNWIND $rows AS row CREATE (plan:Plan:`{kind.value}`) SET plan = row"


_Board = tuple[int, Mapping[PlanKey, Plan]]
"""All plans as of a revision of the layer."""


class Plans:
    """The plans: what is to happen. Thread-safe; only `apply` writes."""

    def __init__(self, database: LayerDatabase) -> None:
        if database.layer is not Layer.PLANS:
            raise InputError("hub.no_plans_here", layer=database.layer.notice)
        self._database = database
        self._writing = threading.Lock()
        self._board: _Board | None = None
        database.define((*DEFINE, define(Layer.PLANS)))

    def apply(
        self, plans: Sequence[Plan], statuses: Sequence[StatusChange] = (), places: Sequence[Placement] = ()
    ) -> None:
        """Write in one transaction, idempotent. A step that goes into progress sets back the one that was (to Pending),
        and its parents follow: in progress as soon as a child is, completed when all children are. Raises InputError
        for an unknown parent, a wrong parent's kind, a cycle of `after`, a plan that would be deleted, or a place that
        a step cannot have. `places`: steps that go elsewhere, before any status is changed."""
        check_plans(plans)

        def work(ask: Ask) -> _Board:
            stored = _by_key(PLANS.read(ask(ALL)))
            after = planned(stored, plans, statuses, places)
            _write(ask, stored, after)
            return increment(Layer.PLANS, ask), after

        with self._writing:  # two writers that both read first would each write over the other
            self._board = None  # whatever becomes of the write
            self._board = self._database.write(work)

    def plan(self, key: PlanKey) -> Plan | None:
        return self._all().get(key)

    def children(self, key: PlanKey | None) -> tuple[Plan, ...]:
        """Return the children in their order (`FIRST_STEP`, `NEXT`); None: the general outlines."""
        return children(self._all().values(), key)

    def parents(self, key: PlanKey) -> tuple[Plan, ...]:
        """Return the plans above this one, from the general outline down."""
        plans, outlines = self._all(), list[Plan]()
        plan = plans.get(key)
        while plan is not None and plan.parent is not None and (plan := plans.get(plan.parent)) is not None:
            outlines.append(plan)
        return tuple(reversed(outlines))

    def all(self, *, kind: PlanKind | None = None, status: PlanStatus | None = None) -> tuple[Plan, ...]:
        plans = in_order(self._all().values())
        return tuple(plan for plan in plans if kind in (None, plan.kind) and status in (None, plan.status))

    def pointer(self, *, chapter: int) -> tuple[Pointer, ...]:
        """Return where each storyline stands before this chapter is written, sorted by its name."""
        return pointers(self._all().values(), chapter)

    def _all(self) -> Mapping[PlanKey, Plan]:
        """Return all plans as they are now; they are read again only after somebody else's write."""

        def work(ask: Ask) -> _Board:
            known, as_of = self._board, _revision(ask)
            if known is not None and known[0] == as_of:
                return known
            return as_of, _by_key(PLANS.read(ask(ALL)))

        self._board = board = self._database.read(work)
        return board[1]


_revision = revision(Layer.PLANS)


def _by_key(rows: Iterable[Row]) -> dict[PlanKey, Plan]:
    return {PlanKey(row["key"]): plan_of(row) for row in rows}


def _write(ask: Ask, before: Mapping[PlanKey, Plan], after: Mapping[PlanKey, Plan]) -> None:
    """Write the plans that differ."""
    new = {key: plan for key, plan in after.items() if key not in before}
    changed = {key: plan for key, plan in after.items() if key in before and plan != before[key]}
    for kind in PlanKind:
        if rows := [plan_properties(plan) for plan in new.values() if plan.kind is kind]:
            ask(create(kind), rows=rows)
    if changed:
        ask(UPDATE, rows=[plan_properties(plan) for plan in changed.values()])
    _tie(ask, "CONTAINS", {key: plan.parent for key, plan in new.items()})
    _place(ask, {**{key: plan for key, plan in changed.items() if plan.after != before[key].after}, **new})


def _place(ask: Ask, moved: Mapping[PlanKey, Plan]) -> None:
    """Tie each of these to the one before it, or to its parent as the first; never to both."""
    if moved:
        ask(UNPLACE, keys=list(moved))
    _tie(ask, "NEXT", {key: plan.after for key, plan in moved.items()})
    _tie(ask, "FIRST_STEP", {key: plan.parent for key, plan in moved.items() if plan.after is None})


def _tie(ask: Ask, relation: str, firsts: Mapping[PlanKey, PlanKey | None]) -> None:
    rows = [{"key": key, "first": first} for key, first in firsts.items() if first is not None]
    if rows:
        ask(tie(relation), rows=rows)
