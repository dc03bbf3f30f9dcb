"""What the author made of a task's earlier tables: rows that were unticked or changed, and what was written instead.

A restarted task is read anew from its whole history. Without this its table would propose once more what the author
took out, and would propose to take back what they put in its place.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memorybank.memory.types import Value
from memorybank_studio.drafts import DraftItem, Item, identity
from memorybank_studio.types import Entity, Fact, FactKey, Plan, Setting
from memorybank_studio.writes import Mark, Proposal, StatusChange, WriteSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions(Value):
    """Of one task, from all its settlements so far; a later one counts."""

    left: Mapping[Hashable, int] = field(default_factory=dict)
    """Rows that were not written as they were proposed, by identity: how many turns the task had then."""
    own: frozenset[FactKey] = frozenset()
    """Facts that were in no row as it was proposed: the author wrote them in."""

    def after(self, proposed: Sequence[Proposal], writes: WriteSet, turns: int) -> Decisions:
        """With those of one more settlement. `proposed`: the rows it decided on, as they were proposed."""
        written = {identity(item): item for item in _items(writes)}
        left = dict(self.left)
        for row in proposed:
            key = identity(row.item)
            if key in written and _same(row.item, written[key]):
                left.pop(key, None)
            elif row.mark is not Mark.KNOWN:
                left[key] = turns
        shown = {identity(row.item) for row in proposed}
        put_in = {fact.key for fact in writes.facts if identity(fact) not in shown and fact.key not in writes.replaces}
        return Decisions(left=left, own=self.own | put_in)

    def left_out(self, draft: DraftItem) -> bool:
        """Whether the author took this out, and has not said it again since."""
        turns = self.left.get(identity(draft.item))
        return turns is not None and max(draft.turns, default=0) <= turns


def _items(writes: WriteSet) -> tuple[Item, ...]:
    return (*writes.entities, *writes.facts, *writes.plans, *writes.statuses, *writes.settings)


def _same(proposed: Item, written: Item) -> bool:
    """Whether a row was written as it was proposed. What follows from other rows (an end, a place among plans) is no
    change of the author's."""
    match proposed, written:
        case Entity(), Entity():
            return (proposed.aliases, proposed.note) == (written.aliases, written.note)
        case Fact(), Fact():
            return dict(proposed.properties) == dict(written.properties)
        case Plan(), Plan():
            return replace(proposed, after=None, status=written.status, origin=written.origin) == replace(
                written, after=None
            )
        case Setting(), Setting():
            return (proposed.text, proposed.category) == (written.text, written.category)
        case StatusChange(), StatusChange():
            return proposed.status == written.status
        case _:
            return False
