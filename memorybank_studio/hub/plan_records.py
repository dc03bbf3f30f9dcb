"""A plan as a node's properties, and back. Its parent and its place are relationships, its kind is a label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from memorybank.errors import InputError
from memorybank_studio.hub import labels
from memorybank_studio.hub.labels import PLAN, Layer, guard
from memorybank_studio.types import ChangedBy, Origin, Plan, PlanKey, PlanKind, PlanStatus, TaskId

Record = Mapping[str, Any]


def check_plans(plans: Iterable[Plan], by: ChangedBy) -> None:
    """Raises InputError for a writer that may not change plans, and for plans that no store takes."""
    if by not in get_args(ChangedBy):
        raise InputError("hub.status_elsewhere", who=str(by)[:40])
    for plan in plans:
        labels_of(plan)
        properties_of(plan)


def labels_of(plan: Plan) -> tuple[str, str]:
    """Raises InputError for what is no plan."""
    if not isinstance(plan, Plan):
        raise InputError("hub.not_plans", layer=Layer.PLANS.notice, kind=type(plan).__name__)
    labels = (PLAN, str(plan.kind))
    guard(Layer.PLANS, labels)
    return labels


def properties_of(plan: Plan) -> dict[str, Any]:
    """What the node holds. Raises InputError for text or numbers that no store takes."""
    name = f"plan {plan.title[:40]!r}"
    held = {
        "key": plan.key,
        "title": labels.text(plan.title, f"the title of {name}"),
        "text": labels.text(plan.text, f"the text of {name}"),
        "storyline": labels.text(plan.storyline, f"the storyline of {name}"),
        "due": labels.optional_number(plan.due, f"the due chapter of {name}"),
        "status": str(plan.status),
        "keyed_as": labels.text(plan.keyed_as, f"the first title of {name}") or None,
        **origin_properties(plan.origin, name),
    }
    return {key: value for key, value in held.items() if value is not None}


def plan_of(row: Record) -> Plan:
    """Of a row of `plan_queries.PLANS`."""
    return Plan(
        kind=next(kind for kind in PlanKind if kind in row["labels"]),
        title=row["title"],
        text=row["text"],
        parent=None if row["parent"] is None else PlanKey(row["parent"]),
        after=None if row["after"] is None else PlanKey(row["after"]),
        storyline=row["storyline"],
        due=row["due"],
        status=PlanStatus(row["status"]),
        keyed_as=row["keyed_as"] or "",
        origin=origin_of(row),
    )


def origin_properties(origin: Origin, name: str) -> dict[str, Any]:
    """Of any node or relationship of either layer."""
    return {
        "task": labels.identifier(origin.task, f"the task of {name}"),
        "chapter": labels.optional_number(origin.chapter, f"the chapter of {name}"),
        "source": labels.text(origin.source, f"the source of {name}"),
        "turns": labels.numbers(origin.turns, f"a turn of {name}"),
    }


def origin_of(row: Record) -> Origin:
    return Origin(
        task=TaskId(row["task"]), chapter=row["chapter"], source=row["source"], turns=tuple(row["turns"] or ())
    )
