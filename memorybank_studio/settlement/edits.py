"""A settlement table as the author changes it: fields of a row, the row with other values, a row more. Pure.

    values = values_of(row.item, rows, stores)             # what the form shows
    rows = edited(rows, row.number, values, stores)  # InputError names what cannot be; the rows stay as they were

A name that neither the table nor the hub knows becomes a row of its own, so that nothing is written in passing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from memorybank.errors import InputError
from memorybank_studio.drafts import Item, Unread, is_odd_hook, rekeyed, with_origin
from memorybank_studio.hub.stores import Stores
from memorybank_studio.hub.verbalisation import predicate_told_as
from memorybank_studio.relations import LEADS_TO, RELATIONS, relation_of
from memorybank_studio.settlement.edit_fields import (
    chapter,
    plan_values,
    plan_with,
    properties_as_text,
    properties_of,
    required,
)
from memorybank_studio.types import (
    BEFORE_THE_STORY,
    BY_HAND,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    normal,
)
from memorybank_studio.writes import Mark, Proposal, ProposalKind, Removal, StatusChange

FIELDS: Final[Mapping[ProposalKind, tuple[str, ...]]] = {
    "entity": ("name", "kind", "aliases", "note", "ranks"),
    "fact": ("subject", "predicate", "object", "chapter", "properties"),
    "plan": ("title", "level", "parent", "after", "text", "storyline", "due"),
    "status": ("status",),
    "setting": ("key", "category", "text", "chapter", "until"),
    "removal": (),
}
"""The fields of a row that can be edited, in the order of the form."""
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "kind": tuple(EntityKind),
    "level": tuple(PlanKind),
    "status": tuple(PlanStatus),
}
"""Fields that are chosen, not typed."""
WORDS: Final[Mapping[str, str]] = {"level": "plan_kind"}
"""The names under which the words of a field's values are found, if not under its own."""
FIRST: Final[Mapping[str, str]] = {"kind": EntityKind.CHARACTER.value, "level": PlanKind.STEP.value}
"""The values that are chosen at first in a row that is added."""
LINES: Final = frozenset({"text", "note", "properties", "ranks"})
"""Fields of several lines."""

_PARTS_RE: Final = re.compile(r"[,，、;；]")


def values_of(item: Item, rows: Sequence[Proposal], stores: Stores) -> dict[str, str]:
    """Return the fields of a row, as text."""
    match item:
        case Entity():
            words = {"aliases": ", ".join(item.aliases), "note": item.note, "ranks": "\n".join(item.ranks)}
            return {"name": item.name, "kind": item.kind.value, **words}
        case Fact():
            entity_of = _Ends(rows, stores, item.origin).entity
            subject, object_ = (entity.name if (entity := entity_of(end)) else "" for end in item.ends)
            return {
                "subject": subject,
                "predicate": item.predicate,
                "object": object_,
                "chapter": str(item.since) if item.since or item.origin.chapter is not None else "",
                "properties": properties_as_text(item.properties),
            }
        case Plan():
            return plan_values(item, rows, stores.plans.all())
        case StatusChange():
            return {"status": item.status.value}
        case Setting():
            until = "" if item.until is None else str(item.until)
            words = {"key": item.key, "category": item.category, "text": item.text}
            return {**words, "chapter": str(item.since or ""), "until": until}
        case Removal():
            return {}
        case _ as never:
            assert_never(never)


def ticked(rows: Sequence[Proposal], ticks: Mapping[int, bool]) -> tuple[Proposal, ...]:
    """Return the rows with these ticks, by number."""
    return tuple(replace(row, ticked=ticks.get(row.number, row.ticked)) for row in rows)


def edited(rows: Sequence[Proposal], number: int, values: Mapping[str, str], stores: Stores) -> tuple[Proposal, ...]:
    """Return the rows with other values in one of them. What another row says of it follows. Raises InputError."""
    at = next(place for place, row in enumerate(rows) if row.number == number)
    row = rows[at]
    item, more = _with(row.item, values, rows, stores)
    changed = [*rows[:at], replace(row, item=item, shown=shown_name(item) or row.shown), *rows[at + 1 :]]
    return renamed((*changed, *_rows(more, changed, row.turns)), row.item, item)


def added(
    rows: Sequence[Proposal],
    kind: ProposalKind,
    values: Mapping[str, str],
    origin: Origin,
    stores: Stores,
    *,
    reason: str = "",
) -> tuple[Proposal, ...]:
    """Return the rows and one that the author wrote, alone or of words that its origin has. Raises InputError."""
    item, more = _with(_BLANK[kind](origin), values, rows, stores)
    grown = [*rows, *_rows(more, rows, origin.turns, reason)]
    return (*grown, *_rows([item], grown, origin.turns, reason))


def blank(kind: ProposalKind) -> dict[str, str]:
    """Return the fields of a row that is to be added."""
    return {name: FIRST.get(name, "") for name in FIELDS[kind]}


def prefilled(kind: ProposalKind, of: Unread) -> dict[str, str]:
    """Return a blank row's fields, with what a sentence not read tells by itself: its names, its chapter, its words."""
    who, whom = (*of.names, "", "")[:2]
    chapter_ = "" if of.chapter is None else str(of.chapter)
    values = {
        "fact": {"subject": who, "object": whom, "chapter": chapter_},
        "plan": {"text": of.line, "due": chapter_},
        "setting": {"key": who, "text": of.line},
        "entity": {"note": of.line},
    }
    return blank(kind) | values.get(kind, {})


def shown_name(item: Item) -> str:
    """Return the words by which a row is shown until it is marked anew."""
    match item:
        case Entity():
            return item.name
        case Plan():
            return item.title
        case Setting():
            return f"{item.key}: {item.text}"
        case _:
            return ""


_BLANK: Final[Mapping[ProposalKind, Callable[[Origin], Item]]] = {
    "fact": lambda origin: Fact(subject=EntityKey(""), predicate="", object=EntityKey(""), origin=origin),
    "entity": lambda origin: Entity(kind=EntityKind.CHARACTER, name="", origin=origin),
    "plan": lambda origin: Plan(kind=PlanKind.GENERAL, title="", origin=origin),
    "setting": lambda origin: Setting(key="", text="", origin=origin),
}
ADDED: Final = tuple(_BLANK)
"""The rows that the author can add: statuses are changed on the plan board, what is taken back is proposed."""


def _with(item: Item, values: Mapping[str, str], rows: Sequence[Proposal], stores: Stores) -> tuple[Item, list[Entity]]:
    """Return the item with these values, and the entities that it names and nobody knows yet."""
    values = {field: value.strip() for field, value in values.items()}
    match item:
        case Entity():
            name, kind = required(values, "name"), EntityKind(values["kind"])
            aliases, ranks = _listed(_PARTS_RE.split(values["aliases"])), _listed(values["ranks"].splitlines())
            if ranks and kind is not EntityKind.ABILITY:
                raise InputError("edit.ranks", name=name[:40])
            return replace(item, name=name, kind=kind, aliases=aliases, note=values["note"], ranks=ranks), []
        case Fact():
            ends = _Ends(rows, stores, item.origin)
            return _fact(item, values, ends), ends.new
        case Plan():
            return plan_with(item, values, rows, stores.plans.all()), []
        case StatusChange():
            return replace(item, status=PlanStatus(values["status"])), []
        case Setting():
            key, text = required(values, "key"), required(values, "text")
            since = chapter(values["chapter"]) if values["chapter"] else BEFORE_THE_STORY
            until = chapter(values["until"]) if values["until"] else None
            if until is not None and until <= since:
                raise InputError("edit.never_holds", since=since, until=until)
            return replace(item, key=key, text=text, category=values["category"], since=since, until=until), []
        case Removal():
            return item, []
        case _ as never:
            assert_never(never)


def _listed(written: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(str.strip, written))))


def _fact(item: Fact, values: Mapping[str, str], ends: _Ends) -> Fact:
    written = required(values, "predicate")
    predicate = predicate_told_as(written) or "_".join(written.upper().split())
    relation = relation_of(predicate)
    subject = ends.key(required(values, "subject"), item.subject, relation.subjects)
    object_ = ends.key(required(values, "object"), item.object, relation.objects, LEADS_TO.get(predicate))
    number = chapter(values["chapter"]) if values["chapter"] else None
    fact = replace(
        item,
        subject=subject,
        predicate=predicate,
        object=object_,
        properties=properties_of(values["properties"]),
        since=number or 0,
        origin=replace(item.origin, chapter=number),
    )
    if is_odd_hook(fact, ends.entity(subject)):
        raise InputError("edit.hook_status", unresolved=UNRESOLVED, resolved=RESOLVED)
    return fact


class _Ends:
    """The entities that a fact is edited to lead from and to."""

    def __init__(self, rows: Sequence[Proposal], stores: Stores, origin: Origin) -> None:
        self._table = [row.item for row in rows if isinstance(row.item, Entity)]
        self._facts = stores.facts
        self._origin = origin
        self.new: list[Entity] = []
        """The entities that neither the table nor the hub knows."""

    def entity(self, key: EntityKey) -> Entity | None:
        return next((item for item in (*self._table, *self.new) if item.key == key), None) or self._facts.entity(key)

    def key(
        self, name: str, before: EntityKey, kinds: Sequence[EntityKind], wanted: EntityKind | None = None
    ) -> EntityKey:
        """Return the entity of this name: the one that stood there, one of the table, one of the hub, else a new one.

        `kinds`: what the relation leads to; a new one is of the kind that stood there if that is one of them, else of
        the first. `wanted`: what it has to be.
        """
        known = self.entity(before)
        if wanted is None and known is not None and normal(known.name) == normal(name):
            return before
        same = (item for item in self._table if normal(name) in map(normal, (item.name, *item.aliases)))
        fitting = [item for item in (*same, *self._facts.named(name)) if wanted in (None, item.kind)]
        if fitting:
            return fitting[0].key
        kind = known.kind if known is not None and known.kind in kinds else kinds[0]
        self.new.append(Entity(kind=kind, name=name, origin=self._origin))
        return self.new[-1].key


def _rows(items: Sequence[Item], rows: Sequence[Proposal], turns: tuple[int, ...], reason: str = "") -> list[Proposal]:
    """Return new rows for the items, numbered on from the last row."""
    first = max((row.number for row in rows), default=0) + 1
    return [
        Proposal(number=number, item=item, mark=Mark.NEW, shown=shown_name(item), turns=turns, reason=reason)
        for number, item in enumerate(items, start=first)
    ]


def renamed(rows: Sequence[Proposal], before: Item, after: Item) -> tuple[Proposal, ...]:
    """Give everything in the table that speaks of an entity or a plan its new key. A plan's key tells its parent: with
    an outline all that is below it has other keys, and what follows on that."""
    moves = [(before, after)]
    while moves:
        old, new = moves.pop()
        if not isinstance(old, Entity | Plan) or not isinstance(new, Entity | Plan) or old.key == new.key:
            continue
        now = [replace(row, item=rekeyed(row.item, {old.key: new.key})) for row in rows]
        moves += [(was.item, moved.item) for was, moved in zip(rows, now, strict=True) if was.item != moved.item]
        rows = now
    return tuple(rows)


def carried(made: Sequence[Proposal], left: Sequence[Proposal], now: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Return the rows of a table that is made anew with all that the author changed in the one before, or added to it.
    `made`: the one before as it was proposed; `left`: as the author left it."""
    before, rows = {row.number: row for row in made}, list(now)
    for row in left:
        was = before.get(row.number, row)
        if row.number in before and (_told(was.item), was.ticked) == (_told(row.item), row.ticked):
            continue
        at = next((at for at, other in enumerate(rows) if _told(other.item) == _told(was.item)), len(rows))
        if at < len(rows) and rows[at].turns != was.turns:
            continue  # it was said anew
        number = rows[at].number if at < len(rows) else max((other.number for other in rows), default=0) + 1
        rows[at : at + 1] = [replace(row, number=number)]
    return tuple(rows)


def _told(item: Item) -> Item:
    """Return what a row says, whichever turns it is from and whatever else ends it."""
    item = replace(item, until=None) if isinstance(item, Fact) else item
    item = replace(item, earlier=()) if isinstance(item, Setting) else item
    return with_origin(item, task=BY_HAND, turns=())


def helper_rows(rows: Sequence[Proposal]) -> frozenset[int]:
    """Return numbers of the rows that state nothing of their own: names and statuses that a fact of the table brings, a
    card's text as a setting, an outline that nobody named above one that was told. The kind of a name that a relation
    of the author's own brings is a guess: it is to be seen."""
    items = [row.item for row in rows]
    facts = [item for item in items if isinstance(item, Fact) and item.predicate in RELATIONS]
    ends = {end for fact in facts for end in fact.ends}
    above = {item.parent for item in items if isinstance(item, Plan)}
    cards = {(item.name, item.note) for item in items if isinstance(item, Entity)}

    def is_brought(row: Proposal) -> bool:
        match item := row.item:
            case Entity():
                return item.key in ends and not (item.note or item.aliases or item.ranks)
            case Plan():
                return item.key in above and bool(row.turns) and not item.origin.source
            case _:
                return isinstance(item, Setting) and (item.key, item.text) in cards

    return frozenset(row.number for row in rows if is_brought(row))
