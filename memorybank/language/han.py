"""Han characters: which they are, once for all readers.

By Unicode's property Script=Han: 〇 and 々, the main block, extension A, the compatibility forms, and the two planes
that are set apart for ideographs, so that a rare character of a name (𠮷, 䶮) is no other thing than a common one.
Punctuation, kana and hangul are not Han; they are written without spaces as Han is, and so are `UNSPACED`.
"""

from __future__ import annotations

import re
from typing import Final

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
"""For use inside a character class."""
UNSPACED: Final = f"{HAN}\u3040-\u30ff\uac00-\ud7af"
"""For use inside a character class: Han, kana and hangul."""
HAN_RE: Final = re.compile(f"[{HAN}]")
_RADICALS: Final = (
    "⺀厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵⺚旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿"
    "肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
)
RADICALS: Final = {chr(0x2E80 + at): ideograph for at, ideograph in enumerate(_RADICALS)}
"""Radicals of the supplement (U+2E80 to U+2EF3) as the characters that people write: Unicode's property
Equivalent_Unified_Ideograph (EquivalentUnifiedIdeograph.txt, 14.0). NFKC knows but two of them."""


def is_han(text: str) -> bool:
    """Whether a text has a Han character."""
    return HAN_RE.search(text) is not None
