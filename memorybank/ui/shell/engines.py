"""The four ways to make a run's results, of which the form of a new run offers one each."""

from __future__ import annotations

from typing import Literal

from memorybank.settings.config import Settings
from memorybank.settings.llm import HAND, RECORDING

Engine = Literal["llm", "recorded", "offline", "hand"]
ENGINES: tuple[Engine, ...] = ("llm", "recorded", "offline", "hand")


def engine_of(settings: Settings) -> Engine:
    """Return the engine that these settings choose."""
    if settings.engine == "offline":
        return "offline"
    provider = settings.llm.provider
    return "hand" if provider == HAND else "recorded" if provider == RECORDING else "llm"
