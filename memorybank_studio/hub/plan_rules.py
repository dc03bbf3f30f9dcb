"""The rules by which plans and changes of status change the planning layer. Pure: values in, values out.

The rules, in the order in which they are applied to each plan, then to each move, then to each change:

* a plan's parent is there and of the kind above; `after` is a sibling; batches may name plans of the same batch;
* a new plan stands behind its `after`; with none it is the first of its parent and storyline. A plan that is there
  already keeps its place unless `after` names another one, and always keeps its status;
* a short outline without a storyline is one by itself, of its title (and its parent's where that is taken); a step
  without one has that of its short outline, and goes with it when that changes;
* a step that is placed stands just before the sibling that is named, else behind its siblings of that storyline;
* a step that goes into progress sets back the one of its storyline that was;
* parents follow: completed when all children are, in progress as soon as a child is or one is completed, else pending;
* a plan that is dropped takes along what is open in it, and counts for nothing until it is brought back;
* an outline that is completed completes all it contains; one that is set back sets back what is in progress in it.

Nothing is ever deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from memorybank.errors import InputError
from memorybank_studio.types import PARENT_OF, Plan, PlanKey, PlanKind, PlanStatus, Pointer
from memorybank_studio.writes import Placement, StatusChange


def planned(
    stored: Mapping[PlanKey, Plan],
    plans: Sequence[Plan],
    statuses: Sequence[StatusChange],
    places: Sequence[Placement] = (),
) -> dict[PlanKey, Plan]:
    """Return all plans afterwards. Raises InputError."""
    board = _Board(stored)
    for plan in _dependable(plans):
        board.put(plan)
    for place in places:
        board.move(place)
    for change in statuses:
        board.turn(change.plan, change.status)
    return board.plans


def _dependable(plans: Iterable[Plan]) -> Iterator[Plan]:
    """Return each plan once, behind the ones of the batch that it names. Raises InputError for a ring of `after`."""
    batch = {plan.key: plan for plan in plans}
    named = {
        key: [dependency for dependency in (plan.parent, plan.after) if dependency in batch]
        for key, plan in batch.items()
    }
    try:
        order = list(TopologicalSorter(named).static_order())
    except CycleError as error:
        ring = " after ".join(repr(batch[key].title[:40]) for key in error.args[1])
        raise InputError("plan.ring", plans=ring) from None
    return (batch[key] for key in order if key is not None)


class _Board:
    def __init__(self, stored: Mapping[PlanKey, Plan]) -> None:
        self.plans = dict(stored)
        self._children: dict[PlanKey | None, set[PlanKey]] = {}
        for key, plan in self.plans.items():
            self._children.setdefault(plan.parent, set()).add(key)

    def put(self, plan: Plan) -> None:
        self._check(plan)
        old = self.plans.get(plan.key)
        if old is None:
            self._add(plan)
        else:
            self._update(old, plan)

    def _add(self, plan: Plan) -> None:
        key = plan.key
        self.plans[key] = replace(plan, storyline=self._storyline(plan), status=PlanStatus.PENDING, after=None)
        self._place(key, plan.after)
        self._children.setdefault(plan.parent, set()).add(key)
        for above in self._above(key):
            if self.plans[above].status is PlanStatus.COMPLETED:
                self._set(above, PlanStatus.IN_PROGRESS)
        if plan.status is not PlanStatus.PENDING:
            self.turn(key, plan.status)

    def _update(self, old: Plan, plan: Plan) -> None:
        key = plan.key
        storyline = plan.storyline or old.storyline
        if old.keyed_as and not plan.keyed_as:  # told again by its first title: a rename stands
            plan = replace(plan, title=old.title, keyed_as=old.keyed_as)
        updated = replace(plan, storyline=storyline, status=old.status, after=old.after)
        if updated != replace(old, origin=plan.origin):  # the same words again leave the first origin
            self.plans[key] = updated
        if plan.after not in (None, old.after):
            follower = self._unlink(key)
            self._place(key, plan.after)
            if follower is not None and self.plans[follower].after is None:
                self._before_first(follower)
        if storyline != old.storyline:
            if self.plans[key].after is None:
                self._before_first(key)
            self._alone_if_running(key)
            self._lead(key, old.storyline, storyline)

    def _lead(self, short: PlanKey, before: str, storyline: str) -> None:
        """Move a short outline's steps along to another storyline, behind those that it has there already."""
        if self.plans[short].kind is not PlanKind.SHORT:
            return
        own = sorted(self._children.get(short, ()))
        last = next((key for key in own if self._is_last(key, storyline)), None)
        moved = [key for key in own if self.plans[key].storyline == before]
        for key in moved:
            self.plans[key] = replace(self.plans[key], storyline=storyline)
        for key in moved:
            if self.plans[key].after is None and last is not None and key not in self._back_from(last):
                self._link(key, last)
                last = None  # one follows, at most
            self._alone_if_running(key)

    def _back_from(self, last: PlanKey) -> set[PlanKey]:
        """Return the plan and all it comes after: none of these can come after it too."""
        chain: set[PlanKey] = set()
        key: PlanKey | None = last
        while key is not None and key not in chain:
            chain.add(key)
            key = self.plans[key].after
        return chain

    def _is_last(self, key: PlanKey, storyline: str) -> bool:
        plan = self.plans[key]
        return plan.storyline == storyline and self._follower(plan.parent, key) is None

    def _check(self, plan: Plan) -> None:
        kind = PARENT_OF[plan.kind]
        parent = self.plans.get(plan.parent) if plan.parent is not None else None
        if kind is None and plan.parent is not None:
            raise InputError("plan.general_with_parent", title=plan.title[:80])
        if kind is not None and (parent is None or parent.kind is not kind):
            if parent is None:
                raise InputError("plan.no_parent", title=plan.title[:80], kind=kind)
            raise InputError("plan.wrong_parent", title=plan.title[:80], parent=parent.kind, kind=kind)
        if plan.after is None:
            return
        before = self.plans.get(plan.after)
        if plan.after == plan.key or before is None or before.parent != plan.parent:
            raise InputError("plan.after_no_sibling", title=plan.title[:80], other=str(plan.after)[:40])

    def _storyline(self, plan: Plan) -> str:
        if plan.storyline or plan.parent is None:
            return plan.storyline
        if plan.kind is PlanKind.SHORT:
            others = (short for short in self.plans.values() if short.kind is PlanKind.SHORT and short.key != plan.key)
            is_taken = plan.title in {short.storyline for short in others}
            return f"{plan.title} · {self.plans[plan.parent].title}" if is_taken else plan.title
        return self.plans[plan.parent].storyline if plan.kind is PlanKind.STEP else ""

    def move(self, place: Placement) -> None:
        """Give a step another place among its siblings, or another storyline, or both."""
        key, plan = place.plan, self.plans.get(place.plan)
        if plan is None or plan.kind is not PlanKind.STEP:
            raise InputError("plan.no_step", name=plan.title[:80] if plan else str(key)[:40])
        lane = [one.key for one in children(self.plans.values(), plan.parent) if one.storyline == place.storyline]
        if place.before is not None and (place.before == key or place.before not in lane):
            raise InputError("plan.no_such_place", title=plan.title[:80], storyline=place.storyline[:80])
        others = [other for other in lane if other != key]
        follower = self._unlink(key)
        self.plans[key] = replace(plan, storyline=place.storyline, after=None)
        if place.before is not None:
            self._link(key, self.plans[place.before].after)
            self._link(place.before, key)
        elif others:
            self._place(key, others[-1])
        if follower is not None and follower != place.before and self.plans[follower].after is None:
            self._before_first(follower)
        self._alone_if_running(key)

    def _place(self, key: PlanKey, after: PlanKey | None) -> None:
        """Put the plan behind `after`, or before the first of its parent and storyline."""
        follower = self._first(key) if after is None else self._follower(self.plans[key].parent, after)
        if follower is not None:
            self._link(follower, key)
        self._link(key, after)

    def _unlink(self, key: PlanKey) -> PlanKey | None:
        """Let the plan's follower take its place, and return the follower."""
        plan = self.plans[key]
        follower = self._follower(plan.parent, key)
        if follower is not None:
            self._link(follower, plan.after)
        return follower

    def _before_first(self, key: PlanKey) -> None:
        """Put the plan, and what follows it, before the one that was the first of its storyline."""
        first, last = self._first(key), key
        if first is None:
            return
        while (follower := self._follower(self.plans[key].parent, last)) is not None:
            last = follower
        self._link(first, last)

    def _link(self, key: PlanKey, after: PlanKey | None) -> None:
        self.plans[key] = replace(self.plans[key], after=after)

    def _first(self, key: PlanKey) -> PlanKey | None:
        plan = self.plans[key]
        siblings = sorted(self._children.get(plan.parent, ()))
        same = (self.plans[sibling] for sibling in siblings if sibling != key)
        return next(
            (sibling.key for sibling in same if sibling.after is None and sibling.storyline == plan.storyline), None
        )

    def _follower(self, parent: PlanKey | None, key: PlanKey) -> PlanKey | None:
        return next((child for child in self._children.get(parent, ()) if self.plans[child].after == key), None)

    def turn(self, key: PlanKey, status: PlanStatus) -> None:
        """Change a plan's status, and what follows from it below, beside and above."""
        if key not in self.plans:
            raise InputError("plan.unknown", name=str(key)[:40])
        changed, was = [key], self.plans[key].status
        for below in self._below(key):
            if self._goes_along(self.plans[below].status, was, status):
                self._set(below, status)
                changed.append(below)
        self._set(key, status)
        for changed_key in (*changed[1:], key) if status is PlanStatus.PENDING else ():  # what is deepest first
            if self._children.get(changed_key):
                self._set(changed_key, self._from_children(changed_key))
        for changed_key in changed:
            self._follow(changed_key)
        if status is PlanStatus.IN_PROGRESS:
            self._alone(key)

    @staticmethod
    def _goes_along(held: PlanStatus, was: PlanStatus, status: PlanStatus) -> bool:
        """Whether what is in an outline is turned with it: what is dropped with it is brought back with it."""
        match status:
            case PlanStatus.COMPLETED:
                return held is not PlanStatus.DROPPED
            case PlanStatus.DROPPED:
                return held is not PlanStatus.COMPLETED
            case PlanStatus.PENDING:
                return held is PlanStatus.IN_PROGRESS or was is held is PlanStatus.DROPPED
            case _:
                return False

    def _alone_if_running(self, key: PlanKey) -> None:
        if self.plans[key].status is PlanStatus.IN_PROGRESS:
            self._alone(key)

    def _alone(self, key: PlanKey) -> None:
        """Set back the other step of the same storyline that is in progress."""
        plan = self.plans[key]
        if plan.kind is not PlanKind.STEP:
            return
        for other in list(self.plans.values()):
            beside = other.kind is PlanKind.STEP and other.storyline == plan.storyline and other.key != key
            if beside and other.status is PlanStatus.IN_PROGRESS:
                self._set(other.key, PlanStatus.PENDING)
                self._follow(other.key)

    def _follow(self, key: PlanKey) -> None:
        for above in self._above(key):
            self._set(above, self._from_children(above))

    def _from_children(self, key: PlanKey) -> PlanStatus:
        held = {self.plans[child].status for child in self._children[key]}
        if len(held) > 1:  # what is dropped counts for nothing
            held.discard(PlanStatus.DROPPED)
        return held.pop() if len(held) == 1 else PlanStatus.IN_PROGRESS

    def _set(self, key: PlanKey, status: PlanStatus) -> None:
        if self.plans[key].status is not status:
            self.plans[key] = replace(self.plans[key], status=status)

    def _above(self, key: PlanKey) -> Iterator[PlanKey]:
        """Yield the parent, its parent, and so on."""
        parent = self.plans[key].parent
        while parent is not None and parent in self.plans:
            yield parent
            parent = self.plans[parent].parent

    def _below(self, key: PlanKey) -> list[PlanKey]:
        """Return all it contains, what is deepest first, so that parents follow once."""
        descendants: list[PlanKey] = []
        waiting = [key]
        while waiting:
            for child in self._children.get(waiting.pop(), ()):
                descendants.append(child)
                waiting.append(child)
        return descendants[::-1]


def children(plans: Iterable[Plan], parent: PlanKey | None) -> tuple[Plan, ...]:
    """Return the parent's own, chain by chain: chains by storyline, each from its first to its last."""
    own = {plan.key: plan for plan in plans if plan.parent == parent}
    return tuple(own[key] for key in _chained(own))


def in_order(plans: Iterable[Plan]) -> tuple[Plan, ...]:
    """Return all plans, an outline before what it contains, siblings in their order."""
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


def pointers(plans: Iterable[Plan], chapter: int) -> tuple[Pointer, ...]:
    """Return where each storyline stands before this chapter is written, sorted by name of storyline."""
    ordered = in_order(plans)
    late = [plan for plan in ordered if plan.is_open and plan.due is not None and plan.due < chapter]
    storylines = {plan.storyline for plan in ordered if plan.kind in (PlanKind.SHORT, PlanKind.STEP)}
    return tuple(_pointer(name, ordered, late) for name in sorted(storylines | {plan.storyline for plan in late}))


def _pointer(storyline: str, ordered: Sequence[Plan], late: Iterable[Plan]) -> Pointer:
    divided = {plan.parent for plan in ordered if plan.kind is PlanKind.STEP}
    own = (plan for plan in ordered if plan.storyline == storyline and plan.status is not PlanStatus.DROPPED)
    # A short outline that is not divided into steps is one itself.
    steps = [plan for plan in own if plan.kind in (PlanKind.STEP, PlanKind.SHORT) and plan.key not in divided]
    return Pointer(
        storyline=storyline,
        current=next((step for step in steps if step.status is PlanStatus.IN_PROGRESS), None),
        next=next((step for step in steps if step.status is PlanStatus.PENDING), None),
        completed=sum(step.status is PlanStatus.COMPLETED for step in steps),
        steps=len(steps),
        overdue=tuple(sorted((plan for plan in late if plan.storyline == storyline), key=lambda plan: plan.due or 0)),
    )


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
