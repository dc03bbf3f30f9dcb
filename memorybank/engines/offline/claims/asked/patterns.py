"""Alternatives of a list as one regular expression."""

from __future__ import annotations

import re
from functools import lru_cache

_HAN_RE = re.compile("[\u3400-\u9fff]")


@lru_cache(maxsize=1024)
def pattern(alternatives: str) -> re.Pattern[str]:
    """Alternatives parted by " | "; Latin ones as whole words."""
    listed = alternatives.split(" | ")
    latin = [one for one in listed if not _HAN_RE.search(one)]
    han = [one for one in listed if _HAN_RE.search(one)]
    parts = [rf"\b(?:{'|'.join(latin)})\b"] if latin else []
    return re.compile("|".join([*parts, *han]), re.IGNORECASE)
