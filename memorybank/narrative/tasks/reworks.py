"""Who names options of the task, to be mixed or changed, wants an option made of them: no call decides that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memorybank.narrative.creativity.options import Offer
from memorybank.narrative.creativity.rework_words import options_named
from memorybank.narrative.journal.answers import Taken, TurnKind
from memorybank.narrative.journal.context import BuiltContext
from memorybank.narrative.tasks.turn_kind import Decide
from memorybank.narrative.types import Task, TaskId
from memorybank.narrative.wording import joined, say

Numbered = Callable[[TaskId, Sequence[int]], Sequence[Offer]]
"""The options of these numbers that a task was offered last; none where it has not all of them."""


def parents(question: str, task: TaskId, numbered: Numbered) -> Sequence[Offer]:
    """The options that a question wants mixed or changed; none for one that wants something else."""
    numbers = options_named(question)
    return numbered(task, numbers) if numbers else ()


class ReworksFirst:
    """A `Decide`; `other` decides what names no options."""

    def __init__(self, numbered: Numbered, other: Decide) -> None:
        self._numbered = numbered
        self._other = other

    def __call__(self, context: BuiltContext, question: str, tasks: Sequence[Task]) -> Taken:
        """Raises as the other one."""
        options = parents(question, context.task.id, self._numbered)
        if not options:
            return self._other(context, question, tasks)
        names = joined((str(offer.number) for offer in options), context.lang)
        return Taken(
            kind=TurnKind.OPTIONS,
            reason=say("taken_rework" if len(options) == 1 else "taken_mix", context.lang, options=names),
            by="rules",
        )
