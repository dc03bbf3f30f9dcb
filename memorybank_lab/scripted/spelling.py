"""The ways in which models misspell JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_TOOL_CALL_RE = re.compile(r"(<tool_call>\s*)(.*?)(\s*</tool_call>)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    quotes: tuple[str, str] = ('"', '"')
    colon: str = ": "
    comma: str = ", "
    trailing: bool = False
    """A comma after the last item."""

    def write(self, value: Any) -> str:
        if isinstance(value, Mapping):
            return self._group(
                "{}", [f"{self.write(str(key))}{self.colon}{self.write(of)}" for key, of in value.items()]
            )
        if isinstance(value, list | tuple):
            return self._group("[]", [self.write(item) for item in value])
        if not isinstance(value, str):
            return json.dumps(value)
        bare = json.dumps(value, ensure_ascii=False)[1:-1]
        opening, closing = self.quotes
        if opening != '"':
            bare = bare.replace('\\"', '"')
            for quote in {opening, closing}:
                bare = bare.replace(quote, "\\" + quote)
        return f"{opening}{bare}{closing}"

    def _group(self, brackets: str, items: list[str]) -> str:
        end = self.comma.rstrip() if self.trailing and items else ""
        return brackets[0] + self.comma.join(items) + end + brackets[1]


SINGLE_QUOTES = Spelling(quotes=("'", "'"))
TRAILING_COMMAS = Spelling(trailing=True)
FULL_WIDTH = Spelling(colon="：", comma="，")
CURLY_QUOTES = Spelling(quotes=("“", "”"))


def respell(text: str, change: Callable[[Any], str]) -> str:
    """Rewrite the JSON of an answer: the whole text, or what stands in its `<tool_call>` blocks; else leave it."""
    try:
        return change(json.loads(text))
    except ValueError:
        return _TOOL_CALL_RE.sub(lambda found: found[1] + _respelt(found[2], change) + found[3], text)


def _respelt(text: str, change: Callable[[Any], str]) -> str:
    try:
        return change(json.loads(text))
    except ValueError:
        return text
