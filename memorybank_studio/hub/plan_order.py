"""In which order plans stand: chains of siblings by `after`, one chain a parent and storyline; outlines before steps.

Every store of plans answers from this; the graph keeps the same order as FIRST_STEP and NEXT relationships.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus, Pointer


class PlanReader(ABC):
    """The questions of a `PlanLayer`, answered from all its plans."""

    @abstractmethod
    def _all(self) -> Mapping[PlanKey, Plan]: ...

    def plan(self, key: PlanKey) -> Plan | None:
        return self._all().get(key)

    def children(self, key: PlanKey | None) -> tuple[Plan, ...]:
        return children(self._all().values(), key)

    def parents(self, key: PlanKey) -> tuple[Plan, ...]:
        return ancestors(self._all(), key)

    def all(self, *, kind: PlanKind | None = None, status: PlanStatus | None = None) -> tuple[Plan, ...]:
        plans = in_order(self._all().values())
        return tuple(plan for plan in plans if kind in (None, plan.kind) and status in (None, plan.status))

    def pointer(self, *, chapter: int) -> tuple[Pointer, ...]:
        return pointers(self._all().values(), chapter)


def children(plans: Iterable[Plan], parent: PlanKey | None) -> tuple[Plan, ...]:
    """The parent's own, chain by chain: chains by storyline, each from its first to its last."""
    own = {plan.key: plan for plan in plans if plan.parent == parent}
    return tuple(own[key] for key in _chained(own))


def in_order(plans: Iterable[Plan]) -> tuple[Plan, ...]:
    """All plans, an outline before what it contains, siblings in their order."""
    # A plan's key is a digest: it is made once here and handed along.
    families: dict[PlanKey | None, dict[PlanKey, Plan]] = {}
    for plan in plans:
        families.setdefault(plan.parent, {})[plan.key] = plan
    ordered: list[Plan] = []
    waiting = _last_first(families.get(None, {}))
    while waiting:
        key, plan = waiting.pop()
        ordered.append(plan)
        waiting.extend(_last_first(families.get(key, {})))
    return tuple(ordered)


def ancestors(plans: Mapping[PlanKey, Plan], key: PlanKey) -> tuple[Plan, ...]:
    """From the general outline down to the plan's parent."""
    outlines: list[Plan] = []
    plan = plans.get(key)
    while plan is not None and plan.parent is not None and (plan := plans.get(plan.parent)) is not None:
        outlines.append(plan)
    return tuple(reversed(outlines))


def pointers(plans: Iterable[Plan], chapter: int) -> tuple[Pointer, ...]:
    """Where each storyline stands before this chapter is written, by name of storyline."""
    ordered = in_order(plans)
    late = [plan for plan in ordered if _overdue(plan, chapter)]
    storylines = {plan.storyline for plan in ordered if plan.kind in (PlanKind.SHORT, PlanKind.STEP)}
    return tuple(_pointer(name, ordered, late) for name in sorted(storylines | {plan.storyline for plan in late}))


def _pointer(storyline: str, ordered: Iterable[Plan], late: Iterable[Plan]) -> Pointer:
    steps = [plan for plan in ordered if plan.kind is PlanKind.STEP and plan.storyline == storyline]
    return Pointer(
        storyline=storyline,
        current=next((step for step in steps if step.status is PlanStatus.IN_PROGRESS), None),
        next=next((step for step in steps if step.status is PlanStatus.PENDING), None),
        completed=sum(step.status is PlanStatus.COMPLETED for step in steps),
        steps=len(steps),
        overdue=tuple(sorted((plan for plan in late if plan.storyline == storyline), key=lambda plan: plan.due or 0)),
    )


def _overdue(plan: Plan, chapter: int) -> bool:
    return plan.status is not PlanStatus.COMPLETED and plan.due is not None and plan.due < chapter


def _last_first(siblings: Mapping[PlanKey, Plan]) -> list[tuple[PlanKey, Plan]]:
    return [(key, siblings[key]) for key in reversed(_chained(siblings))]


def _chained(siblings: Mapping[PlanKey, Plan]) -> list[PlanKey]:
    follower = {plan.after: key for key, plan in siblings.items()}
    first = (key for key, plan in siblings.items() if plan.after not in siblings)
    heads = sorted(first, key=lambda key: (siblings[key].storyline, key))
    chain: dict[PlanKey, None] = {}
    for head in heads:
        key: PlanKey | None = head
        while key is not None and key not in chain:
            chain[key] = None
            key = follower.get(key)
    # What another program tied into a ring has no first: it is shown all the same, last.
    return [*chain, *sorted(siblings.keys() - chain.keys())]
