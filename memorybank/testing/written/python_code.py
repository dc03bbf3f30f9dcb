"""Values as Python source, for snippets and tests that are handed out. Text is always a literal, whatever is in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from pydantic import BaseModel

WIDTH = 100
"""Columns of a line, where a value can be broken."""
_STEP = "    "


@dataclass(frozen=True, slots=True)
class Expression:
    """Source of our own that stands as it is."""

    text: str


def code(value: Any, indent: int = 0) -> str:
    """An expression that makes the value again; longer ones on lines of their own, from the second on indented.

    Takes plain values, enums, frozen dataclasses and pydantic models: of the latter two only what is no default.
    """
    flat = _flat(value)
    if isinstance(value, Expression):
        return flat
    if len(flat) + len(_STEP) * indent <= WIDTH and "\n" not in flat:
        return flat
    inner, outer = "\n" + _STEP * (indent + 1), "\n" + _STEP * indent
    if isinstance(value, str) and not isinstance(value, Enum):
        return f"({inner}{inner.join(map(literal, _pieces(value)))}{outer})"
    if isinstance(value, bytes):
        lines = (repr(value[at : at + WIDTH // 4]) for at in range(0, len(value), WIDTH // 4))
        return f"({inner}{inner.join(lines)}{outer})"
    opening, items, closing = _parts(value, indent + 1)
    if not items:
        return flat
    return f"{opening}{inner}{inner.join(f'{item},' for item in items)}{outer}{closing}"


def _flat(value: Any) -> str:
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, str):
        return literal(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if value is None or isinstance(value, bool | int | float | bytes):
        return repr(value)
    opening, items, closing = _parts(value, None)
    comma = "," if opening == "(" and len(items) == 1 else ""
    return f"{opening}{', '.join(items)}{comma}{closing}"


def _parts(value: Any, indent: int | None) -> tuple[str, list[str], str]:
    """Brackets, and the items between them. `indent` None: on one line."""

    def write(part: Any) -> str:
        return _flat(part) if indent is None else code(part, indent)

    if isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
        named = [f"{name}={write(part)}" for name, part in _own_fields(value)]
        return f"{type(value).__name__}(", named, ")"
    if isinstance(value, Mapping):
        return "{", [f"{write(key)}: {write(part)}" for key, part in value.items()], "}"
    if isinstance(value, tuple):
        return "(", [write(item) for item in value], ")"
    if isinstance(value, Sequence):
        return "[", [write(item) for item in value], "]"
    raise TypeError(f"{type(value).__name__} cannot be written as Python")


def _own_fields(value: Any) -> list[tuple[str, Any]]:
    """The fields that differ from their defaults."""
    if isinstance(value, BaseModel):
        pairs = [(name, info, getattr(value, name)) for name, info in type(value).model_fields.items()]
        return [
            (name, field_value)
            for name, info, field_value in pairs
            if info.is_required() or field_value != info.get_default(call_default_factory=True)
        ]
    return [
        (field.name, field_value)
        for field, field_value in ((field, getattr(value, field.name)) for field in fields(value))
        if field.init and field_value != _default(field)
    ]


def _default(field: Field[Any]) -> Any:
    """MISSING where there is none, which equals nothing."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def literal(text: str) -> str:
    """A string literal on one line, in double quotes where that needs no escape. Marks that turn text are escaped."""
    written = repr(str(text))
    if written[0] == "'" and '"' not in written:
        return f'"{written[1:-1]}"'
    return written


def _pieces(text: str) -> list[str]:
    """The text cut at line ends, and in long lines at spaces."""
    cut: list[str] = []
    for line in text.splitlines(keepends=True) or [""]:
        rest = line
        while len(rest) > WIDTH - 12:
            at = rest.rfind(" ", 20, WIDTH - 12) + 1 or WIDTH - 12
            cut.append(rest[:at])
            rest = rest[at:]
        cut.append(rest)
    return [piece for piece in cut if piece] or [""]


def words(text: object, most: int = 60) -> str:
    """What is safe to stand in a comment, a docstring or a name: letters, digits, blanks and a few marks.

    For names that came from outside, such as a role in a journal.
    """
    return "".join(char for char in str(text)[:most] if char.isalnum() or char in " _-.:,/+")


def identifier(text: object) -> str:
    """Part of a function's or file's name."""
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in str(text)[:40]).strip("_") or "call"


def imports(values: Iterable[Any]) -> dict[str, set[str]]:
    """Names that the code of these values needs, by module."""
    by_module: dict[str, set[str]] = {}
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, Expression):
            continue
        if isinstance(value, Enum):
            by_module.setdefault(type(value).__module__, set()).add(type(value).__name__)
        elif isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
            by_module.setdefault(type(value).__module__, set()).add(type(value).__name__)
            waiting.extend(part for _, part in _own_fields(value))
        elif isinstance(value, Mapping):
            waiting.extend([*value.keys(), *value.values()])
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
            waiting.extend(value)
    return by_module


def import_lines(*needed: Mapping[str, set[str]]) -> str:
    """Import statements, sorted."""
    together: dict[str, set[str]] = {}
    for names_by_module in needed:
        for module, names in names_by_module.items():
            together.setdefault(module, set()).update(names)
    return "\n".join(_import(module, sorted(together[module])) for module in sorted(together))


def _import(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return line
    return f"from {module} import (\n" + "".join(f"{_STEP}{name},\n" for name in names) + ")"
