"""A deed: that someone does something, or that a thing is in use; and the words by which it is recognised."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from memorybank.language.lexicon import load
from memorybank.memory.types import Lang
from memorybank.narrative.reading.mentions import Named

DOES: Final = "does"
"""The subject acts."""
HANDLED: Final = "handled"
"""The object, a thing, is in use or lies at hand."""


class Deed(NamedTuple):
    """A deed in an encoded sentence: offsets are of its characters."""

    event: str
    named: Named
    start: int
    end: int
    at: int
    """Where the deed is told: its verb."""


def deed_words(lang: Lang) -> dict[str, Any]:
    return load(__package__, f"deeds.{lang}")
