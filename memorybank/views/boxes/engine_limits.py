"""What the offline engine sees and what it misses, in a line beside its choice and above its runs."""

from __future__ import annotations

from memorybank.engines.offline import limits
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Lang
from memorybank.session.unread import not_read
from memorybank.views.box import Box, muted, note

_MOST = 12


def limits_box(lang: Lang) -> Box:
    """The line names the settings with which a language model serves instead, or the packages that are missing."""
    return note(limits(lang).in_language(lang))


def unread_box(bank: MemoryBank, engine: str, lang: Lang) -> Box | None:
    """Which texts of a run were not read in whole, and why; None: none."""
    lines = [muted(notice.in_language(lang)) for notice in not_read(bank, engine)]
    return note(*lines[:_MOST], muted(f"… {len(lines)}") if lines[_MOST:] else None) if lines else None
