"""The items that an extractor reads out of a task's history."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

from memorybank.language.text import sentences
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Value
from memorybank_studio.types import (
    HAS_STATUS,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKind,
    Fact,
    Plan,
    Setting,
    TaskId,
    Turn,
    entity_key,
    normal,
)
from memorybank_studio.writes import ProposalKind, Removal, StatusChange

T = TypeVar("T")
Item = Entity | Fact | Plan | StatusChange | Setting | Removal


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftItem(Value):
    """One thing an extractor would write into the hub."""

    item: Item
    turns: tuple[int, ...]
    """Numbers of the turns it was read from."""
    ticked: bool = True
    """False for what is only intended, imagined or told by someone."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread(Value):
    """A sentence of the author's, or one that they took, that gave no row."""

    turn: int
    line: str
    """The sentence, with its mark where the marked line is one sentence."""
    why: str
    names: tuple[str, ...] = ()
    """Names on record, or on a card of the same turns, that it contains: whole, in its order."""
    chapter: int | None = None
    """The chapter that it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted(Value):
    """The drafts that an extractor read, and the sentences that it did not read."""

    drafts: tuple[DraftItem, ...] = ()
    unread: tuple[Unread, ...] = ()
    not_taken: tuple[Unread, ...] = ()
    """Sentences that were read and settle nothing: questions, suppositions, what is taken back."""


class Extract(Protocol):
    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        """Return what the turns of one task settle, however many. Raises AgentError, StoreUnavailableError."""


def extracted(extract: Extract, turns: Sequence[Turn], task: TaskId) -> Extracted:
    """Return all that the whole history settles, signed by its task and its turns. Raises as the extractor does."""
    read = extract(turns, task)
    numbers = {turn.number for turn in turns}
    own = (replace(draft, turns=tuple(sorted(numbers.intersection(draft.turns)))) for draft in read.drafts)
    return replace(read, drafts=merged_drafts(signed(draft, task) for draft in own))


def signed(draft: DraftItem, task: TaskId) -> DraftItem:
    """Return the draft as one of this task, from its own turns."""
    return replace(draft, item=with_origin(draft.item, task=task, turns=draft.turns))


def with_origin(item: Item, **changes: Any) -> Item:
    """Return the item with these values of its origin changed; a change of a status and a removal have none."""
    if isinstance(item, StatusChange | Removal):
        return item
    return replace(item, origin=replace(item.origin, **changes))


_PER_TURN: Final = 8
"""Estimated tokens around a turn."""


def blocks(turns: Sequence[Turn], window: int) -> Iterator[tuple[Turn, ...]]:
    """Return consecutive turns within the window. Joined, the texts of all blocks are the texts of all turns."""
    pieces = (piece for turn in turns for piece in _pieces(turn, max(1, window - _PER_TURN)))
    return packed(pieces, lambda piece: estimate(piece.text) + _PER_TURN, window)


def packed(items: Iterable[T], cost: Callable[[T], int], window: int) -> Iterator[tuple[T, ...]]:
    """Yield consecutive items that fit into the window together; one that costs more than it stands alone."""
    block: list[T] = []
    room = window
    for item in items:
        if block and cost(item) > room:
            yield tuple(block)
            block, room = [], window
        block.append(item)
        room -= cost(item)
    if block:
        yield tuple(block)


def _pieces(turn: Turn, tokens: int) -> Iterator[Turn]:
    """Yield the turn, or pieces of it that end at sentences where they can."""
    if estimate(turn.text) <= tokens:
        yield turn
        return
    start = end = 0
    for piece in sentences(turn.text):
        if end > start and estimate(turn.text[start : piece.end]) > tokens:
            yield replace(turn, text=turn.text[start:end])
            start = end
        end = piece.end
        while estimate(turn.text[start:end]) > tokens:  # one sentence alone is too long
            yield replace(turn, text=turn.text[start : start + tokens])
            start += tokens
    if start < len(turn.text):
        yield replace(turn, text=turn.text[start:])


_KINDS: Final[Mapping[type, ProposalKind]] = {
    Entity: "entity",
    Fact: "fact",
    Plan: "plan",
    StatusChange: "status",
    Setting: "setting",
    Removal: "removal",
}
"""The kind of each item's rows, in the order of a table."""


def kind_of(item: Item) -> ProposalKind:
    return _KINDS[type(item)]


def rekeyed(item: Item, keys: Mapping[Any, Any]) -> Item:
    """Return the item with other keys in the place of these, in what it says of entities and plans."""
    fields = ("subject", "object", "plan", "parent", "after")
    moved = {field: keys[key] for field in fields if (key := getattr(item, field, None)) in keys}
    return replace(item, **moved) if moved else item


def identity(item: Item) -> Hashable:
    """Return what two drafts of the same item have in common: its kind, and its key in the hub."""
    match item:
        case StatusChange():
            return kind_of(item), item.plan
        case Setting():
            return kind_of(item), normal(item.key)
        case Removal():
            return kind_of(item), item.fact.key
        case _:
            return kind_of(item), item.key


def is_odd_hook(fact: Fact, subject: Entity | None) -> bool:
    """Whether it gives a hook a status that no hook has: one is Unresolved or Resolved, and nothing else."""
    if subject is None or subject.kind is not EntityKind.HOOK or fact.predicate != HAS_STATUS:
        return False
    return fact.object not in [entity_key(EntityKind.STATUS, status) for status in (UNRESOLVED, RESOLVED)]


def merged_drafts(drafts: Iterable[DraftItem]) -> tuple[DraftItem, ...]:
    """Return each item once, in the order of its first turn: a later turn's word counts, the turns of all are named."""
    merged: dict[Hashable, DraftItem] = {}
    for draft in sorted(drafts, key=lambda draft: max(draft.turns, default=0)):
        key = identity(draft.item)
        earlier = merged.get(key)
        if earlier is not None:  # the later word, with what the earlier one said and the later one does not
            turns = tuple(sorted({*earlier.turns, *draft.turns}))
            item: Item = draft.item
            match earlier.item, item:
                case Entity() as before, Entity():
                    aliases = tuple(dict.fromkeys([*before.aliases, *item.aliases]))
                    item = replace(
                        item, aliases=aliases, note=item.note or before.note, ranks=item.ranks or before.ranks
                    )
                case Fact() as before, Fact():
                    item = replace(item, properties={**before.properties, **item.properties})
                case Plan() as before, Plan():
                    item = replace(
                        item,
                        text=item.text or before.text,
                        after=item.after or before.after,
                        storyline=item.storyline or before.storyline,
                        due=item.due if item.due is not None else before.due,
                    )
            draft = replace(draft, item=with_origin(item, turns=turns), turns=turns)
        merged[key] = draft
    order = list(_KINDS)
    return tuple(
        sorted(merged.values(), key=lambda draft: (order.index(type(draft.item)), min(draft.turns, default=0)))
    )
