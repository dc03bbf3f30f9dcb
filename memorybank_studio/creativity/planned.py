"""The steps of the plan that an order may bring about."""

from __future__ import annotations

from typing import Final

from memorybank_studio.creativity.options import Request
from memorybank_studio.hub.contracts import PlanLayer
from memorybank_studio.types import Plan, PlanKind, PlanStatus

MOST_STEPS: Final = 12


def planned_steps(plans: PlanLayer, request: Request) -> list[Plan]:
    """The due steps, then those that come after them."""
    due = due_steps(plans, request)
    pending = plans.all(kind=PlanKind.STEP, status=PlanStatus.PENDING)
    later = [step for step in pending if step not in due and request.storyline in ("", step.storyline)]
    return [*due, *later][:MOST_STEPS]


def due_steps(plans: PlanLayer, request: Request) -> list[Plan]:
    """The steps in progress and the next ones; of the request's storyline when it names one."""
    return [
        step
        for pointer in plans.pointer(chapter=request.chapter)
        if request.storyline in ("", pointer.storyline)
        for step in (pointer.current, pointer.next)
        if step is not None
    ]
