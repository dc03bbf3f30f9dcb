"""Units of measure: which dimension, how much of its base unit. Counted things (qubits, 个) are no unit.

Symbols are read with their case (mK is not MK); words without. A dimension that is not in the table is none: values of
different dimensions are never compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    dimension: str
    factor: float
    """Base units in one of it."""
    offset: float = 0.0
    """Added after the factor; only for temperatures."""

    def base(self, value: float) -> float:
        return value * self.factor + self.offset


PERCENT = Unit(dimension="share", factor=1.0)

_PREFIXES = {
    "n": (1e-9, "n", "nano", "纳"), "µ": (1e-6, "µ μ u", "micro", "微"), "m": (1e-3, "m", "milli", "毫"),
    "c": (1e-2, "c", "centi", "厘"), "k": (1e3, "k K", "kilo", "千"), "M": (1e6, "M", "mega", "兆"),
    "G": (1e9, "G", "giga", "吉"), "T": (1e12, "T", "tera", "太"), "P": (1e15, "P", "peta", "拍"),
}  # fmt: skip
_SIGNS = "$ USD US$ USD € EUR £ GBP ¥ CNY ￥ CNY RMB CNY".split()
SIGNS = {
    sign: Unit(dimension=f"money:{code}", factor=1.0) for sign, code in zip(_SIGNS[::2], _SIGNS[1::2], strict=True)
}
"""Signs before the number. ¥ is also the yen's; a text that means yen mostly says so in words."""


@cache
def _names() -> tuple[dict[str, Unit], re.Pattern[str]]:
    """Return the units by name, and the pattern that finds one: long, and compiled when a first number is met."""
    symbols, words, han = dict[str, Unit](), dict[str, Unit](), dict[str, Unit]()
    for line in (files(__package__) / "units.txt").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        head, _, names = line.partition(": ")
        dimension, factor, *more = head.split()
        prefixes = next((part for part in more if not part[0].isdigit()), "")
        offset = next((float(part) for part in more if part[0].isdigit()), 0.0)
        scales = [(1.0, "", "", "")] if "!" not in prefixes else []
        scales += [_PREFIXES[prefix] for prefix in prefixes.removeprefix("!")]
        for scale, *before in scales:
            unit = Unit(dimension=dimension, factor=float(factor) * scale, offset=offset)
            for kind, prefix, part in zip((symbols, words, han), before, names.split(";"), strict=False):
                kind |= {first + name: unit for first in prefix.split() or [""] for name in part.split()}
    spelled = {name.replace("_", " ").lower(): unit for name, unit in words.items()}
    words = {form: spelled[word] for word in spelled for form in (word, word + "s", word.replace(" ", "-"))}
    pattern = re.compile(
        rf"\s?(?P<han>{_one_of(han)})|[\s-]?(?:(?P<word>(?i:{_one_of(words)}))(?![A-Za-z])"
        rf"|(?P<symbol>{_one_of(symbols)})(?![A-Za-z0-9µ²³/]))"
    )
    return words | symbols | han, pattern


def _one_of(names: dict[str, Unit]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


# Units that are also the beginning of a common word: 5米 but 三里屯, 3周 but 三周年, 开 in 开发, 方 in 方案.
_HAN_GUARD = {
    "里": "程面边外头屯", "周": "年边围", "开": "发始展放通设幕工源启创", "方": "案法面向式块位", "年": "级代轮龄",
    "度": "假过", "升": "级降", "元": "素件帅老年", "天": "然空文", "克": "服隆",
}  # fmt: skip


def unit_at(text: str, at: int) -> tuple[Unit, int] | None:
    """Return the unit that begins at `text[at]` (one space or hyphen before it is allowed) and where it ends."""
    units, pattern = _names()
    match = pattern.match(text, at)
    if match is None or text[match.end() : match.end() + 1] in tuple(_HAN_GUARD.get(match["han"] or "", "")):
        return None
    return units[match["han"] or match["symbol"] or match["word"].lower()], match.end()
