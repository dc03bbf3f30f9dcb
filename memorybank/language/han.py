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


def is_han(text: str) -> bool:
    """Whether a text has a Han character."""
    return HAN_RE.search(text) is not None
