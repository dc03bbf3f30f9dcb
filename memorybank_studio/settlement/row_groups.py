"""What the rows of a settlement are grouped by: their kind, what a kind is divided into, their chapter. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from memorybank_studio.drafts import kind_of
from memorybank_studio.types import Entity, Fact, Plan
from memorybank_studio.writes import Proposal, ProposalKind, Removal, StatusChange


def chapter_of(row: Proposal) -> int | None:
    """The chapter that a row is of: read in it, or settled for it."""
    match row.item:
        case StatusChange():
            return None
        case Removal():
            return row.item.fact.origin.chapter
        case _:
            return row.item.origin.chapter


def sort_of(row: Proposal) -> str:
    """What its kind is divided into: facts by their predicate, names and plans by what they are."""
    match row.item:
        case Fact():
            return row.item.predicate
        case Removal():
            return row.item.fact.predicate
        case Entity() | Plan():
            return row.item.kind.value
        case _:
            return ""


def kinds_of(rows: Sequence[Proposal]) -> tuple[ProposalKind, ...]:
    """Kinds that the table has, in the order of its rows."""
    return cast("tuple[ProposalKind, ...]", tuple(dict.fromkeys(kind_of(row.item) for row in rows)))
