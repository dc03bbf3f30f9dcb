"""The memo of a stage: answers that a killed or paused run of it left in the journal, which are not asked for again."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Iterable

from memorybank.memory.events import AgentCalled, Observation, ToolUsed


class Memo:
    """Answers by the key of their call, each given once, in the order of the journal."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        """Failures at the very end are what stopped the stage: they are left out, and so made again."""
        answers = [event for event in observations if isinstance(event, AgentCalled | ToolUsed)]
        while answers and isinstance(answers[-1], AgentCalled) and answers[-1].outcome == "failed":
            answers.pop()
        self._waiting: dict[str, deque[AgentCalled | ToolUsed]] = defaultdict(deque)
        for event in answers:
            self._waiting[event.key].append(event)

    def take(self, key: str) -> AgentCalled | ToolUsed | None:
        """The next answer to this call; None: the call has to be made."""
        waiting = self._waiting.get(key)
        return waiting.popleft() if waiting else None


def call_key(*parts: str) -> str:
    """A digest of all that decides a call's answer."""
    joined = hashlib.sha256()
    for part in parts:
        joined.update(part.encode("utf-8", "replace") + b"\0")
    return joined.hexdigest()[:32]
