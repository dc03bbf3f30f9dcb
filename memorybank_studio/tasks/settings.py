"""The settings of the tasks."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.errors import InputError
from memorybank.memory.types import Lang, Value
from memorybank.settings.config import StudioNumbers


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSettings(Value):
    lang: Lang = "en"
    """The language of prompts, tables and reasons."""
    window: int = StudioNumbers().window
    """K: the latest turns that stand whole in a prompt; older ones are summarised."""
    kept_seconds: float = StudioNumbers().kept_hours * 3_600
    """The seconds for which a settled task's history can be restarted."""
    prompt_tokens: int = 6_000
    """Budget of a built context, estimated."""
    summary_tokens: int = 400

    def __post_init__(self) -> None:
        for name in ("window", "prompt_tokens", "summary_tokens"):
            if getattr(self, name) < 1:
                raise InputError("studio.too_few", name=name, value=getattr(self, name))
        if self.kept_seconds < 0:
            raise InputError("studio.negative_seconds")
