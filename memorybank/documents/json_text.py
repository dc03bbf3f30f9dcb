"""JSON as text that can be read and searched: decoded, so that no escape stands for a letter, one value a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from memorybank.language.text import one_line

_DEEPEST: Final = 8
"""Levels that are indented; what is deeper stands there, too, for a file may nest a thousand."""


class Figure(str):
    """A number as it was written: 1.10 is not 1.1."""


class Torn(str):
    """A line among JSON Lines that is no JSON."""


def read_json(text: str) -> Any:
    """Return the value of a JSON text, or the list of the values of JSON Lines, where most are; None: it is neither.

    An object that names a key twice is none either, for one of the two would be lost.
    """
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return None
    whole = _value(text)
    if not isinstance(whole, Torn):
        return whole
    values = [_value(line) for line in text.split("\n") if line.strip()]
    torn = sum(isinstance(value, Torn) for value in values)
    return values if 2 * torn < len(values) else None


def _value(text: str) -> Any:
    try:
        value = json.loads(text, parse_int=Figure, parse_float=Figure, object_pairs_hook=_fields)
    except (ValueError, RecursionError):
        return Torn(text)
    return value if isinstance(value, dict | list) or type(value) is str else Torn(text)


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = {key: _meant(value) if type(value) is str else value for key, value in pairs}
    if len(fields) < len(pairs):
        raise ValueError("a key comes twice")
    return fields


def _meant(text: str) -> str:
    """Return a text as it was meant whose UTF-8 its exporter took for Latin-1, as Facebook's does; another as it is."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def unfolded(value: Any) -> Any:
    """Return the value with what its texts hold as JSON in their places: programs log an object as one long text."""
    if isinstance(value, dict):
        return {key: unfolded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unfolded(item) for item in value]
    inside = _value(value) if type(value) is str and value.lstrip()[:1] in ("{", "[") else value
    holds = isinstance(inside, dict) or (isinstance(inside, list) and any(isinstance(part, dict) for part in inside))
    return unfolded(inside) if inside and holds else value


def outline(value: Any) -> str:
    """Return `key: value` lines, lists with dashes; the values of an outermost list apart by a blank line."""
    parts = value if isinstance(value, list) and any(isinstance(part, dict | list) for part in value) else [value]
    return "\n\n".join("\n".join(_lines(part)) for part in parts) + "\n"


def _lines(value: Any, level: int = 0) -> Iterator[str]:
    deeper = "  " if level < _DEEPEST else ""
    if isinstance(value, dict):
        for key, item in value.items():
            lines = list(_lines(item, level + 1))
            beside = not isinstance(item, dict | list)
            yield f"{one_line(key)}: {lines.pop(0)}" if beside else f"{one_line(key)}:"
            yield from (deeper + line for line in lines)
    elif isinstance(value, list):
        for item in value:
            lines = list(_lines(item, level + 1)) or [""]
            yield f"- {lines[0]}"
            yield from (deeper + line for line in lines[1:])
    else:
        yield from (value.strip("\n").split("\n") if isinstance(value, str) else [json.dumps(value)])
