"""Statuses that say whether somebody lives: those end each other, and no other status ends them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Final, get_args

import yaml

from memorybank.narrative.extraction.lists import words
from memorybank.narrative.types import EntityKey, EntityKind, entity_key
from memorybank.types import Lang

_CHECK: Final = "memorybank.narrative.continuity"
"""Whose words for the dead these are."""
_ALIVE: Final = ("alive", "living", "revived", "resurrected", "活", "活着", "还活着", "在世", "生还", "复活")


@cache
def statuses_of_life() -> frozenset[EntityKey]:
    """Keys of the statuses with these names, in either language."""
    dead = (name for lang in get_args(Lang) for name in words(_listed(lang)["dead"]))
    return frozenset(entity_key(EntityKind.STATUS, name) for name in (*dead, *_ALIVE))


def _listed(lang: Lang) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((files(_CHECK) / f"words.{lang}.yaml").read_text("utf-8"))
    return loaded
