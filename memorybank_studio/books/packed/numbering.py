"""The numbers that Word writes before headings by itself: 第一章 stands in no paragraph, but in a list."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, Final, NamedTuple

from memorybank_studio.books.packed.safe_zip import value

_HAN: Final = "零一二三四五六七八九"
_CHINESE_RE: Final = re.compile(r"(?:simplified)?chinese|taiwanese|japanesecounting|ideograph(?:digital|traditional)")
_PLACE_RE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = tuple(
    zip("M CM D CD C XC L XL X IX V IV I".split(), (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), strict=True)
)


class _Level(NamedTuple):
    """How one level of a list is numbered."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    """What is written, with `%1` in the place of the first level's number."""


class Numbering:
    """Counts headings as Word does: a level goes on, and those below it begin again."""

    def __init__(self, root: Any = None) -> None:
        """Read the lists from the root of `numbering.xml`; without it nothing has a number."""
        elements = list(root) if root is not None else []
        lists = {
            element.get("abstractNumId"): {whole(level.get("ilvl")): _level(level) for level in element.iter("lvl")}
            for element in elements
        }
        self._lists = {element.get("numId"): lists.get(value(element, "abstractNumId"), {}) for element in elements}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)

    def next(self, list_: str, depth: int) -> str:
        """Return what stands before the next heading of a list at a depth; empty where it has no number."""
        levels = self._lists.get(list_, {})
        level = levels.get(depth)
        if level is None:
            return ""
        counts = self._counts[list_]
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]

        def number(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            its = levels.get(at, _Level())
            return _written(counts.get(at, its.start), its.form.lower())

        return "" if level.form in ("none", "bullet") else _PLACE_RE.sub(number, level.text).strip()


def _level(level: Any) -> _Level:
    start = whole(value(level, "start"), 1)
    return _Level(start, value(level, "numFmt") or "decimal", value(level, "lvlText"))


def whole(written: str | None, otherwise: int = 0) -> int:
    """Return a number of at most five digits; `otherwise` for anything else."""
    return int(written) if written and written.isascii() and written.isdigit() and len(written) < 6 else otherwise


def _written(number: int, form: str) -> str:
    if not 0 < number < 10_000:
        return str(number)
    if _CHINESE_RE.match(form):
        return han(number)
    if not form.endswith("roman"):
        return str(number)
    written = ""
    for sign, worth in _ROMAN:
        written += sign * (number // worth)
        number %= worth
    return written if form.startswith("upper") else written.lower()


def han(number: int) -> str:
    """Write a number below ten thousand as Chinese counts: 十二, 一百零五, 二百一十."""
    written = ""
    for unit, worth in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = number // worth % 10
        if digit:
            written += _HAN[digit] + unit
        elif written and number % worth and not written.endswith("零"):
            written += "零"
    return written.removeprefix("一") if 10 <= number < 20 else written
