"""The settings of the tasks."""

from __future__ import annotations

from dataclasses import dataclass

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
