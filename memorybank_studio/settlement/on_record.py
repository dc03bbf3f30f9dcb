"""Rows about what was renamed, under the key it has: a row by its new name makes another key of that name. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memorybank_studio.drafts import DraftItem, Item
from memorybank_studio.hub.stores import Stores
from memorybank_studio.types import Entity, EntityKey, Fact, Plan, PlanKey, normal
from memorybank_studio.writes import StatusChange


def as_on_record(drafts: Sequence[DraftItem], stores: Stores) -> list[DraftItem]:
    """The drafts, those of renamed entities and plans as what they are. Raises StoreUnavailableError."""
    entities = {item.key: known for item in _entities(drafts) if (known := _renamed(item, stores)) is not None}
    plans = _renamed_plans(drafts, stores)
    if not entities and not plans:
        return list(drafts)
    return [replace(draft, item=_known(draft.item, entities, plans)) for draft in drafts]


def _entities(drafts: Sequence[DraftItem]) -> list[Entity]:
    return [draft.item for draft in drafts if isinstance(draft.item, Entity) and not draft.item.keyed_as]


def _renamed(entity: Entity, stores: Stores) -> Entity | None:
    """Who has this name since a rename."""
    for known in stores.facts.named(entity.name):
        if known.kind is entity.kind and known.keyed_as and normal(known.name) == normal(entity.name):
            return known if known.key != entity.key else None
    return None


def _renamed_plans(drafts: Sequence[DraftItem], stores: Stores) -> dict[PlanKey, Plan]:
    drafted = [draft.item for draft in drafts if isinstance(draft.item, Plan) and not draft.item.keyed_as]
    retitled = [plan for plan in stores.plans.all() if plan.keyed_as] if drafted else []
    by_title = {(plan.kind, plan.parent, normal(plan.title)): plan for plan in retitled}
    known = {plan.key: by_title.get((plan.kind, plan.parent, normal(plan.title))) for plan in drafted}
    return {key: plan for key, plan in known.items() if plan is not None and plan.key != key}


def _known(item: Item, entities: dict[EntityKey, Entity], plans: dict[PlanKey, Plan]) -> Item:
    match item:
        case Entity() if (known := entities.get(item.key)) is not None:
            aliases = (*known.aliases, *(alias for alias in item.aliases if alias not in known.aliases))
            return replace(known, aliases=aliases, note=item.note or known.note, origin=item.origin)
        case Fact():
            ends = {end: entities[end].key for end in (item.subject, item.object) if end in entities}
            subject, object_ = ends.get(item.subject, item.subject), ends.get(item.object, item.object)
            return replace(item, subject=subject, object=object_)
        case Plan():
            plan = plans.get(item.key)
            return replace(
                item,
                title=plan.title if plan else item.title,
                keyed_as=plan.keyed_as if plan else item.keyed_as,
                parent=_key(item.parent, plans),
                after=_key(item.after, plans),
            )
        case StatusChange():
            return replace(item, plan=_key(item.plan, plans) or item.plan)
    return item


def _key(key: PlanKey | None, plans: dict[PlanKey, Plan]) -> PlanKey | None:
    return plans[key].key if key in plans else key
