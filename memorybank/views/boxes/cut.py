"""What is said wherever a part of something is shown: how much of how much. Nothing is hidden without a word."""

from __future__ import annotations

from typing import Literal

from memorybank.memory.types import Lang
from memorybank.views.box import Box, note
from memorybank.views.i18n import t


def cut_note(most: int, total: int, lang: Lang, of: Literal["lines", "characters"] = "lines") -> Box | None:
    """Of `total` things at most `most` are shown; None when that is all of them."""
    if total <= most:
        return None
    return note(t(f"showing.{of}", lang, shown=f"{most:,}", total=f"{total:,}"))
