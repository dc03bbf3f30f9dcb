"""The things that a stage may reach: all that an executor may (session/effects.py), the executor, and the store of
originals.

A stage is `stage(state, fx) -> facts`. It writes nothing: the session commits its facts in one append.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from memorybank.memory.contracts import Message, Role
from memorybank.memory.types import StagedImage
from memorybank.runs.files.stores import StoredFile
from memorybank.session.effects import Effects, Failed, Out
from memorybank.session.executors.base import Executor


class StageEffects(Effects):
    def __init__(self, *, executor: Executor, store_image: Callable[[StagedImage], StoredFile], **effects: Any) -> None:
        super().__init__(**effects)
        self.executor = executor
        self.store_image = store_image
        """Copies a staged image to the formal store; doing it twice is the same as once."""


Group = tuple[int, ...]
"""The places of what is asked about in one call."""


def asked_together(
    fx: Effects, role: Role, groups: Iterable[Sequence[int]], given: Callable[[Group], Message], answer: type[Out]
) -> list[tuple[Group, Out | Failed]]:
    """Ask about the places of each group at once, and about those of a group without a usable answer one by one."""

    def answers_on(asked: list[Group]) -> list[tuple[Group, Out | Failed]]:
        return list(zip(asked, fx.ask_all(role, list(map(given, asked)), answer), strict=True)) if asked else []

    answered = answers_on(list(map(tuple, groups)))
    lost = [group for group, found in answered if isinstance(found, Failed) and len(group) > 1]
    kept = [(group, found) for group, found in answered if group not in lost]
    return sorted(kept + answers_on([(place,) for group in lost for place in group]), key=itemgetter(0))
