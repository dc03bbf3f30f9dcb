"""What the offline engine sees and what it misses, in a line beside its choice and above its runs."""

from __future__ import annotations

from memorybank.memory.types import Lang
from memorybank.views.box import Box, note
from memorybank.views.i18n import t


def limits_box(lang: Lang) -> Box:
    """The line names the settings with which a language model serves instead."""
    return note(t("engine.offline_limits", lang))
