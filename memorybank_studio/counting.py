"""How long a text is, as word processors count: Han characters, and words of other scripts."""

from __future__ import annotations

import re
from typing import Final

from memorybank.language.han import HAN

_UNIT_RE: Final = re.compile(rf"[{HAN}]|[^\W{HAN}_]+(?:['’-][^\W{HAN}_]+)*")


def words_in(text: str) -> int:
    """字数 of a Chinese text, words of an English one; of both together in a text that has both."""
    return sum(1 for _ in _UNIT_RE.finditer(text))


def units(text: str) -> list[re.Match[str]]:
    """The same, each with its place."""
    return list(_UNIT_RE.finditer(text))
