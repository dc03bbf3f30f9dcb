"""A deed: that someone does something, or that a thing is in use; and the words by which it is recognised."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import yaml

from memorybank.narrative.extraction.mentions import Named
from memorybank.types import Lang

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


@cache
def deed_words(lang: Lang) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((files(__package__) / f"deeds.{lang}.yaml").read_text("utf-8"))
    return loaded
