"""What the offline engine sees and what it misses, in a line beside its choice and above its runs."""

from __future__ import annotations

from memorybank.engines.offline import limits
from memorybank.memory.types import Lang
from memorybank.views.box import Box, note


def limits_box(lang: Lang) -> Box:
    """The line names the settings with which a language model serves instead, or the packages that are missing."""
    return note(limits(lang).in_language(lang))
