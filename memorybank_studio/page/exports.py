"""What an author takes away: the graph layers of the hub as JSON, beside the chapters and the semantic layer."""

from __future__ import annotations

import json
from typing import Any, Final

from pydantic import TypeAdapter

from memorybank_studio.hub.stores import Stores
from memorybank_studio.types import Entity, EntityKind, Fact, FactKey, Plan

SCHEMA: Final = 1
_ENTITIES: Final[TypeAdapter[tuple[Entity, ...]]] = TypeAdapter(tuple[Entity, ...])
_FACTS: Final[TypeAdapter[tuple[Fact, ...]]] = TypeAdapter(tuple[Fact, ...])
_PLANS: Final[TypeAdapter[tuple[Plan, ...]]] = TypeAdapter(tuple[Plan, ...])


def export_layers(stores: Stores) -> str:
    """Facts (ended ones too) with their entities, and plans, as JSON, the two layers apart."""
    # Kind by kind: of two entities of one name and different kinds, a place and a sect, names alone tell one.
    keys = sorted({key for kind in EntityKind for key in stores.facts.names([kind]).values()})
    entities = tuple(item for item in map(stores.facts.entity, keys) if item is not None)
    facts: dict[FactKey, Fact] = {fact.key: fact for key in keys for fact in stores.facts.history(key)}
    return json.dumps(
        {
            "schema": SCHEMA,
            "facts": {
                "entities": _keyed(_ENTITIES.dump_python(entities, mode="json"), [item.key for item in entities]),
                "facts": _FACTS.dump_python(tuple(facts.values()), mode="json"),
            },
            "plans": _keyed(_PLANS.dump_python(plans := stores.plans.all(), mode="json"), [item.key for item in plans]),
        },
        ensure_ascii=False,
        indent=1,
    )


def _keyed(dumped: Any, keys: list[Any]) -> list[dict[str, object]]:
    """Each with the key by which others speak of it."""
    return [{"key": key, **item} for key, item in zip(keys, dumped, strict=True)]
