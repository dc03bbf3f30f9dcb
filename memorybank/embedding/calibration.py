"""The `CosineScale` of a model nobody measured: of a hub model when it is loaded, of a served one when it is needed.

Twelve everyday statements in English and Chinese, each said twice. What two wordings of one statement score gives
`hi`, what different statements score gives `lo` (medians, so that a close pair does not matter). On the two default
models it comes to .01 to .95 and .77 to .99, beside .03 to .95 and .80 to .98 measured on public data (models.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.encoders import Kind

_ENGLISH = (
    ("The bakery on the corner opens at seven in the morning.", "At seven in the morning the corner bakery opens."),
    ("Copper conducts electricity better than iron does.", "Copper is a better conductor of electricity than iron."),
    ("The court postponed the hearing until the spring.", "The hearing was put off by the court until spring."),
    ("Her grandmother taught her how to mend fishing nets.", "She learned from her grandmother to mend fishing nets."),
    ("Heavy rain closed the mountain road for two days.", "For two days the mountain road was closed by heavy rain."),
    ("The database keeps a copy of each deleted record.", "A copy of every deleted record stays in the database."),
)
_CHINESE = (
    ("街角的面包店早上七点开门。", "早上七点，街角那家面包店就开门了。"),
    ("铜的导电性能比铁好。", "与铁相比，铜的导电性更好。"),
    ("法院把庭审推迟到了春天。", "庭审被法院延期到春天举行。"),
    ("祖母教会了她修补渔网。", "她跟祖母学会了怎样补渔网。"),
    ("大雨使山路封闭了两天。", "因为大雨，山路封了两天。"),
    ("数据库会保留每条已删除记录的副本。", "每条被删除的记录，数据库里都留有副本。"),
)
TEXTS = tuple(text for pair in (*_ENGLISH, *_CHINESE) for text in pair)
"""All that `measure` asks for."""


class Encodes(Protocol):
    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix: ...


def measure(encoder: Encodes) -> CosineScale:
    """Scale of a loaded model, in the language it tells apart best: one of a single language finds all texts of the
    other alike."""
    scales = [_measure(encoder, pairs) for pairs in (_ENGLISH, _CHINESE)]
    return max(scales, key=lambda scale: scale.hi - scale.lo)


def _measure(encoder: Encodes, pairs: tuple[tuple[str, str], ...]) -> CosineScale:
    left = encoder.encode([first for first, _ in pairs], "document").astype(np.float64)
    right = encoder.encode([second for _, second in pairs], "document").astype(np.float64)
    cosines = left @ right.T
    same = np.eye(len(pairs), dtype=bool)
    lo, hi = float(np.median(cosines[~same])), float(np.median(cosines[same]))
    return CosineScale(lo=round(lo, 3), hi=round(max(hi, lo + 0.05), 3))
