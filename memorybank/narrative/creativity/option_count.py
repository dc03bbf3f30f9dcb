"""How many options an author asks for in so many words: "five options, please", 「给我六个方案」."""

from __future__ import annotations

import re
from typing import Final

from memorybank.language.numerals import number

MOST: Final = 9
_WANTED_RE: Final = re.compile(
    r"\b(?P<en>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:\w+\s+){0,2}?"
    r"(?:options?|proposals?|versions?|variants?|drafts?|outlines?|ideas?|suggestions?|alternatives?)\b"
    r"|(?P<zh>\d{1,2}|[一二两三四五六七八九十])\s*[个种套份][^，。；！？\s\d]{0,4}?"
    r"(?:方案|选项|版本|草稿|大纲|主意|点子|想法|建议|可能|走向|写法)",
    re.IGNORECASE,
)


def option_count(request_text: str, fewest: int) -> int:
    """Options to come back: the number that is asked for, from `fewest` to `MOST`."""
    numbers = [number(match["en"] or match["zh"]) for match in _WANTED_RE.finditer(request_text)]
    return min(max([fewest, *(count for count in numbers if count is not None)]), max(MOST, fewest))
