"""An answer held against its JSON schema, before it is sent: what is wrong, at which field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.errors import Notice

_WRONG_TYPE: Mapping[str, str] = {
    "array": "hand.no_array",
    "boolean": "hand.no_boolean",
    "integer": "hand.no_integer",
    "null": "hand.no_null",
    "number": "hand.no_number",
    "object": "hand.no_object",
    "string": "hand.no_string",
}

Path = tuple[str | int, ...]
"""Where in an answer: names of fields, places in lists."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    path: Path
    notice: Notice


def check(value: Any, schema: Mapping[str, Any], path: Path = ()) -> Iterator[FieldProblem]:
    """What is wrong with a value, as far as the schemas of this library go (`llm/schemas.py`)."""
    if "anyOf" in schema:
        options = [list(check(value, option, path)) for option in schema["anyOf"]]
        yield from min(options, key=len, default=[])
        return
    if "const" in schema or "enum" in schema:
        known = schema.get("enum", [schema.get("const")])
        if value not in known:
            yield FieldProblem(path, Notice("hand.choose", choices=", ".join(map(str, known))))
        return
    kind = str(schema.get("type", ""))
    if not _is_a(value, kind):
        yield FieldProblem(path, Notice("hand.missing") if value is None else Notice(_WRONG_TYPE[kind]))
    elif kind == "object":
        yield from _check_object(value, schema, path)
    elif kind == "array":
        yield from _check_bounds(len(value), schema, "Items", path)
        for place, item in enumerate(value):
            yield from check(item, schema.get("items", {}), (*path, place))
    elif kind == "string":
        yield from _check_bounds(len(value), schema, "Length", path)
    elif kind in ("integer", "number"):
        yield from _check_bounds(value, schema, "imum", path)


def _is_a(value: Any, kind: str) -> bool:
    match kind:
        case "object":
            return isinstance(value, Mapping)
        case "array":
            return isinstance(value, Sequence) and not isinstance(value, str)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "null":
            return value is None
        case _:
            return True


def _check_object(value: Mapping[str, Any], schema: Mapping[str, Any], path: Path) -> Iterator[FieldProblem]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield FieldProblem((*path, name), Notice("hand.missing"))
    for name, part in value.items():
        if name in properties:
            yield from check(part, properties[name], (*path, name))
        elif schema.get("additionalProperties") is False:
            yield FieldProblem((*path, str(name)), Notice("hand.unknown_field"))


def _check_bounds(size: float, schema: Mapping[str, Any], of: str, path: Path) -> Iterator[FieldProblem]:
    """`of` ends the names of the bounds: minItems and maxItems, minLength …, minimum …"""
    low, high = schema.get(f"min{of}"), schema.get(f"max{of}")
    if low is not None and size < low:
        yield FieldProblem(path, Notice("hand.too_few", bound=low))
    if high is not None and size > high:
        yield FieldProblem(path, Notice("hand.too_many", bound=high))
