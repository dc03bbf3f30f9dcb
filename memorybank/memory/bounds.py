"""The numbers that a journal or a memory file may hold: finite, and within what a page, a clock and a sum can take.

What is read from outside is checked against these once, where it is read; whoever reads events afterwards need not ask
again. Each bound is far beyond what a session writes.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Annotated, Any, NoReturn

LATEST = 253_402_214_400.0
"""Seconds since the epoch: the last day of the year 9999, beyond which no calendar goes."""
MOST = 10**12
"""The largest count of anything: characters, bytes, tokens, rounds."""
MOST_DIMENSIONS = 65_536
"""The most dimensions of an embedding."""


class Bounded:
    """Bounds by the names of pydantic's schemas; the process that reads a page imports the types, and no pydantic."""

    def __init__(self, **bounds: float) -> None:
        self._bounds = bounds

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return {**handler(source), **self._bounds}


Count = Annotated[int, Bounded(ge=0, le=MOST)]
Dimensions = Annotated[int, Bounded(ge=1, le=MOST_DIMENSIONS)]
Share = Annotated[float, Bounded(ge=0, le=1, allow_inf_nan=False)]
Score = Annotated[float, Bounded(ge=-MOST, le=MOST, allow_inf_nan=False)]
Seconds = Annotated[float, Bounded(ge=0, lt=LATEST, allow_inf_nan=False)]
"""A moment, in seconds since the epoch."""
Milliseconds = Annotated[float, Bounded(ge=0, le=MOST, allow_inf_nan=False)]
"""The time that something took, in milliseconds."""


def is_numbered(id_: str, letter: str) -> bool:
    """Whether an id is a letter and a number, as sessions count them: `n12`."""
    return re.fullmatch(f"{letter}[0-9]{{1,9}}", id_) is not None


def no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else no_number(digits[:20])


_JSON = json.JSONDecoder(parse_constant=no_number, parse_float=_finite)


def loads(text: str | bytes) -> Any:
    """Read JSON as the standard has it: NaN, Infinity, and numbers too large for either are refused. Raises
    ValueError."""
    return _JSON.decode(text if isinstance(text, str) else text.decode(json.detect_encoding(text), "surrogatepass"))
