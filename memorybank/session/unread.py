"""The texts of a memory that were not read, in part or at all, and why: a known limit is said, not guessed."""

from __future__ import annotations

from memorybank.documents.encoding import loss
from memorybank.engines.offline import unread
from memorybank.errors import Notice
from memorybank.memory.state import MemoryState

_FROM_OUTSIDE = ("text", "document", "dialogue", "tool")


def not_read(bank: MemoryState, engine: str) -> list[Notice]:
    """Return a line for each text that was damaged, and for what the engine without a model leaves out of one."""
    notices: list[Notice] = []
    for entry in bank.tree.entries.values():
        if entry.kind in _FROM_OUTSIDE:
            damage = loss(entry.source, entry.body)
            notices += [damage] if damage else []
            notices += unread(entry.source, entry.body) if engine == "offline" else ()
    return notices
