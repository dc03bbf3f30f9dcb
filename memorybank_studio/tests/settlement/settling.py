"""Settling in a test: a table proposed and confirmed in a line, and a store that fails when it is told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from memorybank.errors import InputError, MemoryBankError, StoreUnavailableError
from memorybank_studio.drafts import DraftItem
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.settlement.model_answer import Settlement
from memorybank_studio.tests.tasks.studio import Studio, read_line
from memorybank_studio.types import EntityKind, TaskId, entity_key
from memorybank_studio.writes import Proposal

LIN, SHU = (entity_key(EntityKind.CHARACTER, name) for name in ("Lin", "Shu"))
SWORD = entity_key(EntityKind.ITEM, "Frost Sword")


def propose(studio: Studio, *lines: str, title: str = "One") -> tuple[TaskId, SettlementTable]:
    task = studio.open_task(title, "\n".join(lines))
    return task, studio.propose(task)


def settled(studio: Studio, *lines: str, title: str = "One") -> TaskId:
    task, table = propose(studio, *lines, title=title)
    assert studio.gateway.confirm(task, table.proposals).applied
    return task


def row(table: SettlementTable, kind: type, place: int = 0) -> Proposal:
    return [proposal for proposal in table.proposals if isinstance(proposal.item, kind)][place]


def ticked(rows: Sequence[Proposal], wanted: Callable[[Proposal], bool] = lambda row: True) -> list[Proposal]:
    """The rows, of which those that are wanted are ticked."""
    return [replace(one, ticked=wanted(one)) for one in rows]


def owners(studio: Studio, chapter: int | None = None) -> list[str]:
    facts = studio.stores.facts.about(SWORD, chapter=chapter)
    found = (studio.stores.facts.entity(fact.subject) for fact in facts if fact.predicate == "OWNS")
    return [entity.name for entity in found if entity]


def drafted(*lines: str) -> list[DraftItem]:
    """What a search in chapters hands over: of no turn, of no task."""
    drafts = [draft for line in lines for draft in read_line(line, 0, TaskId(""))]
    return [replace(draft, turns=()) for draft in drafts]


NOTHING: dict[str, list[Any]] = {name: [] for name in Settlement.model_fields}
"""A model's answer without a row."""


class Failing:
    """A real store that can be cut off, before a call or in the middle of it, or that refuses a call."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.down = False
        self.dies_in = self.refuses = ""
        self.error: type[MemoryBankError] = StoreUnavailableError

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if self.down:
                raise self.error("the store cannot be reached: start it")
            if name == self.dies_in:
                self.down = True
                raise self.error("the store was lost: start it")
            if name == self.refuses:
                raise InputError("the store has changed: look at it again")
            return method(*arguments, **named)

        return call
