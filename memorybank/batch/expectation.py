"""Whether an answer holds what was expected of it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

from memorybank.language import numbers

_SPACE_RE = re.compile(r"\s+")
_DIGITS_RE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
"""Matches numbers that are part of a date, a time or a name, too."""


def is_met(answer: str, expected: Sequence[str | int | float]) -> bool | None:
    """Whether one of the strings or numbers appears in an answer; None where nothing was expected.

    Strings are compared without regard to case, width and white space, and at the borders of their words: "cat" is not
    in "category". Numbers are compared by value, however they are written: 15000 is in "15 thousand" and in "1.5 万".
    """
    if not expected:
        return None
    folded = _folded(answer)
    stated = [number.value for number in numbers.scan(answer)]
    stated += [float(match[0].replace(",", "")[:300]) for match in _DIGITS_RE.finditer(answer)]
    return any(
        _stands_in(_folded(value), folded)
        if isinstance(value, str)
        else any(math.isclose(value, number, rel_tol=1e-9) for number in stated)
        for value in expected
    )


def _folded(text: str) -> str:
    return _SPACE_RE.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()


def _stands_in(words: str, text: str) -> bool:
    before = r"(?<![a-z0-9_])" if re.match(r"[a-z0-9_]", words) else ""
    after = r"(?![a-z0-9_])" if re.search(r"[a-z0-9_]\Z", words) else ""
    return bool(words) and re.search(f"{before}{re.escape(words)}{after}", text) is not None
