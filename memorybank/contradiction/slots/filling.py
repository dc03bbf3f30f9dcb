"""The frame of a known relation: "directed by X" fills `direct` with X."""

from __future__ import annotations

from memorybank.contradiction.entity import Entity
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.phrases import Name
from memorybank.contradiction.slots.relations import KINDS
from memorybank.language.dates import Date

Filling = Frame
Value = tuple[int, int]
"""Where a value stands in the sentence."""


def filling(
    relation: str,
    sentence: str,
    value: Value,
    *,
    units: tuple[str, ...],
    subjects: tuple[frozenset[str], ...],
    days: tuple[Date, ...],
    periods: frozenset[str],
) -> Frame:
    """`units`: the name as it is compared; `days`: all dates of the sentence; `periods`: its edition, season, part."""
    start, end = value
    kind = KINDS[relation]
    name = Name(text=sentence[start:end], start=start, end=end, units=units)
    return Frame(
        found_by="relations", kind="name" if kind == "person" else kind, relation=relation, sentence=sentence,
        start=start, end=end, entity=Entity(text=""), subjects=subjects, names=(name,),
        times=days, periods=periods,
    )  # fmt: skip
