"""What a language model writes as a proposal, and the planned steps among which it names the one that comes about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.creativity.options import Request
from memorybank_studio.hub.stores import PlanLayer
from memorybank_studio.hub.verbalisation import tell_plan
from memorybank_studio.types import FromOutside, Plan, PlanKind, PlanStatus

DRAFT_TOKENS: Final = 2_048
"""Of an answer, for each draft in it."""
SHOWN_CHARS: Final = 1_600
"""Of what one look-up found."""


class WrittenDraft(FromOutside):
    step: str
    """The id of one of the steps that were listed, or empty."""
    event: str
    text: str


@dataclass(frozen=True, slots=True)
class Steps:
    """Planned steps by the ids that a model is shown: `p1`, `p2` …"""

    plans: Mapping[str, Plan]

    @classmethod
    def of(cls, plans: PlanLayer, request: Request) -> Self:
        return cls({f"p{number}": step for number, step in enumerate(planned_steps(plans, request), start=1)})

    def listed(self, lang: Lang) -> str:
        lines = "\n".join(f"{id_}: {tell_plan(step, lang)}" for id_, step in self.plans.items())
        return f"{prompts(lang)['steps']}\n{block('memory', lines)}"

    def title(self, id_: str) -> str:
        """Empty for an id that was not shown."""
        step = self.plans.get(id_.strip())
        return step.title if step is not None else ""


def prompts(lang: Lang) -> Mapping[str, str]:
    """What generators and judges are told, in the story's language."""
    return load(__package__, f"prompts.{lang}")


MOST_STEPS: Final = 12


def planned_steps(plans: PlanLayer, request: Request) -> list[Plan]:
    """The due steps, then those that come after them."""
    due = due_steps(plans, request)
    pending = plans.all(kind=PlanKind.STEP, status=PlanStatus.PENDING)
    later = [step for step in pending if step not in due]
    return [*due, *later][:MOST_STEPS]


def due_steps(plans: PlanLayer, request: Request) -> list[Plan]:
    """The steps in progress and the next ones."""
    return [
        step
        for pointer in plans.pointer(chapter=request.chapter)
        for step in (pointer.current, pointer.next)
        if step is not None
    ]
