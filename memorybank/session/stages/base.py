"""The things that a stage may reach: all that an executor may (session/effects.py), the executor, and the store of
originals.

A stage is `stage(state, fx) -> facts`. It writes nothing: the session commits its facts in one append.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memorybank.memory.types import StagedImage
from memorybank.runs.files.stores import StoredFile
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Executor


class StageEffects(Effects):
    def __init__(self, *, executor: Executor, store_image: Callable[[StagedImage], StoredFile], **effects: Any) -> None:
        super().__init__(**effects)
        self.executor = executor
        self.store_image = store_image
        """Copies a staged image to the formal store; doing it twice is the same as once."""
