"""Fields of a settlement's rows as the author types them: a chapter, a relation's reason, a plan's place. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memorybank.errors import InputError, Notice
from memorybank_studio.types import PARENT_OF, Plan, PlanKey, PlanKind, PlanStatus, normal
from memorybank_studio.writes import Proposal

_PROPERTY_RE: Final = re.compile(r"(?P<name>[^:：]{1,40}?)\s*[:：]\s*(?P<value>.*\S)\s*")

_NAMES: Final = {
    "key": Notice("edit.field_name"),
    "name": Notice("edit.field_name"),
    "object": Notice("edit.field_object"),
    "predicate": Notice("edit.field_predicate"),
    "subject": Notice("edit.field_subject"),
    "text": Notice("edit.field_text"),
    "title": Notice("edit.field_title"),
}
"""What the forms call the fields that have to be filled in."""


def required(values: Mapping[str, str], field: str) -> str:
    """Raises InputError for a field that has to be filled in and is not."""
    if not values[field]:
        raise InputError("edit.field_empty", name=_NAMES[field])
    return values[field]


def chapter(written: str) -> int:
    """Read the number of a chapter. Raises InputError."""
    if not (written.isascii() and written.isdecimal() and len(written) < 9):
        raise InputError("edit.no_chapter", text=written[:20])
    return int(written)


def properties_as_text(properties: Mapping[str, str]) -> str:
    """Return a line each: "reason: he burned her village"; of a note, which has no name for its author, the words."""
    told = {name: " ".join(value.split()) for name, value in properties.items()}
    bare = {"note"} if not _PROPERTY_RE.fullmatch(told.get("note", "")) else set()
    return "\n".join(value if name in bare else f"{name}: {value}" for name, value in told.items())


def properties_of(written: str) -> dict[str, str]:
    """Read a line each; one without a name is a note, so that no words of the author are turned away."""
    properties: dict[str, str] = {}
    for line in filter(None, map(str.strip, written.splitlines())):
        match = _PROPERTY_RE.fullmatch(line)
        name, value = (match["name"].strip(), match["value"]) if match else ("note", line)
        properties[name] = "; ".join(filter(None, (properties.get(name), value)))
    return properties


def plan_values(plan: Plan, rows: Sequence[Proposal], known: Iterable[Plan]) -> dict[str, str]:
    titles = {other.key: other.title for other in _plans(rows, known)}
    return {
        "title": plan.title,
        "level": plan.kind.value,
        "parent": titles.get(plan.parent, "") if plan.parent else "",
        "after": titles.get(plan.after, "") if plan.after else "",
        "text": plan.text,
        "storyline": plan.storyline,
        "due": "" if plan.due is None else str(plan.due),
    }


def plan_with(plan: Plan, values: Mapping[str, str], rows: Sequence[Proposal], known: Iterable[Plan]) -> Plan:
    """Return the plan with these values. Raises InputError for a parent or a place that it cannot have."""
    known = tuple(known)
    others = [other for other in _plans(rows, known) if other.key != plan.key]
    kind = PlanKind(values["level"])
    if on_board := next((held for held in known if held.key == plan.key), None):
        _check_on_board(on_board, kind, values, others)
    below = [other.title for other in others if other.parent == plan.key]
    if kind is not plan.kind and below:
        raise InputError("edit.plan_contains", title=plan.title[:60], below=below[0][:60])
    parent = _parent(kind, values["parent"], plan.parent, others)
    return replace(
        plan,
        kind=kind,
        title=required(values, "title"),
        parent=parent,
        after=_after(values["after"], parent, kind, plan.after, others, is_new=not plan.title),
        text=values["text"],
        storyline=values["storyline"],
        due=chapter(values["due"]) if values["due"] else None,
    )


def _plans(rows: Sequence[Proposal], known: Iterable[Plan]) -> list[Plan]:
    table = {row.item.key: row.item for row in rows if isinstance(row.item, Plan)}
    return [*(plan for plan in known if plan.key not in table), *table.values()]


def _check_on_board(plan: Plan, kind: PlanKind, values: Mapping[str, str], others: Iterable[Plan]) -> None:
    """Check that a plan on the board keeps its level, parent and title, of which its key is made, and a place."""
    parent = next((other.title for other in others if other.key == plan.parent), "")
    is_same = kind is plan.kind and all(
        normal(written) == normal(kept) for written, kept in ((values["title"], plan.title), (values["parent"], parent))
    )
    if not is_same:
        raise InputError("edit.plan_keeps", title=plan.title[:60])
    if plan.after is not None and not values["after"]:
        raise InputError("edit.plan_has_place", title=plan.title[:60])


def _parent(kind: PlanKind, title: str, before: PlanKey | None, others: Sequence[Plan]) -> PlanKey | None:
    above = PARENT_OF[kind]
    if above is None:
        if title:
            raise InputError("edit.general_at_top", title=title[:60])
        return None
    fitting = [plan for plan in others if plan.kind is above and plan.status is not PlanStatus.DROPPED]
    if not fitting:
        raise InputError("edit.no_parent")
    key = _titled(title, before, fitting) if title or before else fitting[-1].key
    if key is None:
        raise InputError("edit.wrong_parent", title=title[:60], known=_listed(fitting))
    return key


def _after(
    title: str, parent: PlanKey | None, kind: PlanKind, before: PlanKey | None, others: Sequence[Plan], *, is_new: bool
) -> PlanKey | None:
    fitting = [plan for plan in others if plan.parent == parent and plan.kind is kind]
    if not title:
        return fitting[-1].key if fitting and is_new else None
    key = _titled(title, before, fitting)
    if key is None:
        raise InputError("edit.other_parent", title=title[:60], known=_listed(fitting))
    return key


def _titled(title: str, before: PlanKey | None, fitting: Iterable[Plan]) -> PlanKey | None:
    """Return the plan that stood there, where two have the title."""
    keys = [plan.key for plan in fitting if normal(plan.title) == normal(title)]
    return before if before in keys else next(reversed(keys), None)


def _listed(plans: Sequence[Plan]) -> str:
    return ", ".join(repr(plan.title[:40]) for plan in plans[:10]) or "—"
