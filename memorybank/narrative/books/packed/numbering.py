"""The numbers that Word writes before headings by itself: 第一章 stands in no paragraph, but in a list."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Final

from memorybank.narrative.books.packed.safe_zip import attribute, local

_HAN: Final = "零一二三四五六七八九"
_CHINESE_RE: Final = re.compile(r"(?:simplified)?chinese|taiwanese|japanesecounting|ideograph(?:digital|traditional)")
_PLACE_RE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = tuple(
    zip("M CM D CD C XC L XL X IX V IV I".split(), (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), strict=True)
)
_MOST: Final = 9_999
_LEVELS: Final = 9


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""


class Numbering:
    """Counts headings as Word does: a level goes on, and those below it begin again."""

    def __init__(self, root: Any = None) -> None:
        """From the root of `numbering.xml`; without it nothing has a number."""
        elements = list(root) if root is not None else []
        lists = {
            attribute(element, "abstractNumId"): {
                _whole(attribute(level, "ilvl")): _read_level(level) for level in element if local(level) == "lvl"
            }
            for element in elements
            if local(element) == "abstractNum"
        }
        self._lists = {
            attribute(element, "numId"): lists.get(_value(element, "abstractNumId"), {})
            for element in elements
            if local(element) == "num"
        }
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)

    def next(self, list_: str, depth: int) -> str:
        """What stands before the next heading of this list at this depth; empty where it has no number."""
        levels = self._lists.get(list_, {})
        level = levels.get(depth)
        if level is None or not 0 <= depth < _LEVELS:
            return ""
        counts = self._counts[list_]
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]

        def number(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            its = levels.get(at, _Level())
            return _written(counts.get(at, its.start), its.form)

        return "" if level.form in ("none", "bullet") else _PLACE_RE.sub(number, level.text).strip()


def _read_level(level: Any) -> _Level:
    return _Level(
        start=_whole(_value(level, "start"), 1),
        form=_value(level, "numFmt") or "decimal",
        text=_value(level, "lvlText"),
    )


def _value(parent: Any, name: str) -> str:
    return next((attribute(child, "val") for child in parent if local(child) == name), "")


def _whole(written: str, otherwise: int = 0) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) < 6 else otherwise


def _written(number: int, form: str) -> str:
    if not 0 < number <= _MOST:
        return str(number)
    if _CHINESE_RE.match(form.lower()):
        return han(number)
    if form.lower().endswith("roman"):
        return _roman(number) if form.startswith("upper") else _roman(number).lower()
    return str(number)


def _roman(number: int) -> str:
    written = ""
    for sign, value in _ROMAN:
        written += sign * (number // value)
        number %= value
    return written


def han(number: int) -> str:
    """A number below ten thousand as Chinese counts: 十二, 一百零五, 二百一十."""
    written = ""
    for unit, value in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = number // value % 10
        if digit:
            written += _HAN[digit] + unit
        elif written and number % value and not written.endswith("零"):
            written += "零"
    return written.removeprefix("一") if 10 <= number < 20 else written
