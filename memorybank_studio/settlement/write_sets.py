"""The rows that the author chose as the set that the hub is to hold: with the names they need, each with its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memorybank.errors import InputError
from memorybank_studio.drafts import with_origin
from memorybank_studio.settlement.exclusion import place
from memorybank_studio.types import Entity, Fact, FactKey, Plan, Setting, SettlementId, TaskId
from memorybank_studio.writes import Mark, Proposal, Removal, StatusChange, WriteSet


def chosen_rows(table: Sequence[Proposal], proposals: Sequence[Proposal]) -> list[Proposal]:
    numbers = [proposal.number for proposal in table]
    if len(set(numbers)) != len(numbers):
        raise InputError("settlement.row_twice")
    return [proposal for proposal in proposals if proposal.ticked]


def with_ends_of(chosen: Sequence[Proposal], table: Sequence[Proposal]) -> list[Proposal]:
    """What ends with a row that is not written goes on to the next one that is: the hub may not be there to look it up
    anew."""
    written = {row.number for row in chosen}
    begin = [(place(row.item), row.item.since) for row in chosen if isinstance(row.item, Fact)]
    left = {
        (place(row.item), row.item.since) for row in table if isinstance(row.item, Fact) and row.number not in written
    }
    ended: list[Proposal] = []
    for row in chosen:
        if isinstance(fact := row.item, Fact) and place(fact) is not None and (place(fact), fact.until) in left:
            until = min((since for of, since in begin if of == place(fact) and since > fact.since), default=None)
            row = replace(row, item=replace(fact, until=until))
        ended.append(row)
    return ended


def with_names(chosen: list[Proposal], waiting: Sequence[Proposal]) -> tuple[list[Proposal], list[Proposal]]:
    """The rows to be written with the names that they need, and what is left waiting then."""
    ends = {end for row in chosen if isinstance(row.item, Fact) for end in (row.item.subject, row.item.object)}
    needed = [row for row in waiting if row.ticked and isinstance(row.item, Entity) and row.item.key in ends]
    return [*needed, *chosen], [row for row in waiting if row not in needed]


def write_set(settlement: SettlementId, task: TaskId, chosen: Sequence[Proposal]) -> WriteSet:
    """What the ticked rows write. What the hub says already is not written again."""
    rows = [row for row in chosen if row.mark is not Mark.KNOWN]
    items = [with_origin(row.item, task=task) for row in rows]  # one that the author edited or added is of the task
    restored = {fact.key: fact for item in items if isinstance(item, Removal) for fact in item.restores}
    # What holds again is taken back with its end and told anew, in the same write.
    replaced = dict.fromkeys([*(key for row in rows for key in row.replaces), *restored])
    return WriteSet(
        id=settlement,
        task=task,
        entities=tuple(item for item in items if isinstance(item, Entity)),
        facts=(*restored.values(), *(item for item in items if isinstance(item, Fact))),
        ends=tuple((key, chapter) for key, chapter in _ends(rows).items() if key not in replaced),
        replaces=tuple(replaced),
        plans=tuple(item for item in items if isinstance(item, Plan)),
        statuses=tuple(item for item in items if isinstance(item, StatusChange)),
        settings=tuple(item for item in items if isinstance(item, Setting)),
    )


def _ends(rows: Sequence[Proposal]) -> dict[FactKey, int]:
    """A fact ends where the first that ends it begins; one that began later itself then holds in no chapter."""
    ends: dict[FactKey, int] = {}
    for row in rows:
        if isinstance(row.item, Fact):
            for key in row.ends:
                ends[key] = min(row.item.since, ends.get(key, row.item.since))
    return ends
