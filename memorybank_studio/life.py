"""Which statuses say that somebody lives or is dead, in either language."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from memorybank_studio.types import EntityKey, EntityKind, entity_key

_DEAD: Final = (
    "dead death died fatally killed slain deceased murdered perished drowned executed hanged assassinated beheaded "
    "strangled poisoned suicide 死 亡 去世 殒 遇害 身故 故去 牺牲 辞世 丧命 毙命 阵亡 死去 过世 病逝 逝世 仙逝 "
    "病故 自尽 自杀 圆寂 驾崩 薨 殉 咽气 断气 归西 处决 枪毙 被杀 被害 淹死 亡故"
).split()
_ALIVE: Final = ("alive", "living", "revived", "resurrected", "活", "活着", "还活着", "在世", "生还", "复活")
_DEAD_RE: Final = re.compile("|".join(rf"\b{word}\b" if word.isascii() else word for word in _DEAD), re.IGNORECASE)


def tells_death(status: str) -> bool:
    return _DEAD_RE.search(status) is not None


@cache
def statuses_of_life() -> frozenset[EntityKey]:
    """Keys of the statuses with exactly these names."""
    return frozenset(entity_key(EntityKind.STATUS, name) for name in (*_DEAD, *_ALIVE))
