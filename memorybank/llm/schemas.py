"""JSON schemas that servers take: pydantic's, cut down to what strict structured output and grammars understand; and a
value as an answer of a type: what is merely too much is left out, what is wrong is told in words."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

_KEPT = frozenset("type enum const description anyOf items properties $ref $defs".split())
BOUNDS = frozenset(
    "minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems pattern "
    "format uniqueItems".split()
)
"""Keywords that some servers refuse; `without_bounds` leaves them out, the answer is validated all the same."""


def strict_schema(answer: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a model as strict structured output wants it: every object closed, every property required.

    References are replaced by what they point at (a reference may not carry a description), except in a model that
    holds itself. Titles, defaults and examples are left out. A tuple of equal parts is an array of that length; an
    open mapping stays open, which strict servers refuse and the client then asks for in words.
    """
    whole = answer.model_json_schema()
    cleaner = _Cleaner(whole.get("$defs", {}))
    schema: dict[str, Any] = cleaner.clean(whole, ())
    if cleaner.recursive:
        defined = {name: cleaner.clean(cleaner.defs[name], (name,)) for name in sorted(cleaner.recursive)}
        schema = {**schema, "$defs": defined}
    return schema


class _Cleaner:
    def __init__(self, defs: Mapping[str, Any]) -> None:
        self.defs = defs
        self.recursive: set[str] = set()

    def clean(self, node: Any, inside: tuple[str, ...]) -> Any:
        if isinstance(node, list):
            return [self.clean(part, inside) for part in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return self._follow(node, inside)
        if len(node.get("allOf", ())) == 1:
            return self.clean(
                {**node["allOf"][0], **{key: part for key, part in node.items() if key != "allOf"}}, inside
            )
        if "oneOf" in node:
            node = {**node, "anyOf": node["oneOf"]}
        if "prefixItems" in node:
            parts = node["prefixItems"]
            items = parts[0] if all(part == parts[0] for part in parts) else {"anyOf": parts}
            node = {**node, "items": items, "minItems": len(parts), "maxItems": len(parts)}
        cleaned = {key: part for key, part in node.items() if key in _KEPT - {"$defs", "properties"} or key in BOUNDS}
        for key in ("anyOf", "items"):
            if key in cleaned:
                cleaned[key] = self.clean(cleaned[key], inside)
        if node.get("type") == "object":
            cleaned.update(self._object(node, inside))
        return cleaned

    def _object(self, node: Mapping[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
        if "properties" not in node and isinstance(node.get("additionalProperties"), dict):
            return {"additionalProperties": self.clean(node["additionalProperties"], inside)}
        properties = {name: self.clean(part, inside) for name, part in node.get("properties", {}).items()}
        return {"properties": properties, "required": list(properties), "additionalProperties": False}

    def _follow(self, node: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
        name = str(node["$ref"]).rpartition("/")[2]
        if name in inside:
            self.recursive.add(name)
            return {"$ref": f"#/$defs/{name}"}
        beside = {"description": node["description"]} if "description" in node else {}
        return {**self.clean(self.defs[name], (*inside, name)), **beside}


def without_bounds(schema: Any) -> Any:
    """Return the schema without the keywords in BOUNDS. Properties of those names stay."""
    if isinstance(schema, list):
        return [without_bounds(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: {name: without_bounds(sub) for name, sub in part.items()}
        if key in ("properties", "$defs")
        else part
        if key in ("enum", "const")
        else without_bounds(part)
        for key, part in schema.items()
        if key not in BOUNDS
    }


M = TypeVar("M", bound=BaseModel)

_SHOWN = 5
"""Mistakes told at a time."""


def fit(value: Any, answer: type[M]) -> tuple[M | ValidationError, tuple[str, ...]]:
    """Read the value as an answer and list the changes: unknown fields left out, a wrapping taken off."""
    first = _validate(value, answer)
    if not isinstance(first, ValidationError):
        return first, ()
    pruned, names = _without_unknown(value, first)
    if names and pruned:
        fitted = _validate(pruned, answer)
        if not isinstance(fitted, ValidationError):
            return fitted, (f"unknown fields left out: {one_line(', '.join(names))}",)
    inner = _unwrapped(value)
    if inner is not None:
        fitted, changes = fit(inner, answer)
        if not isinstance(fitted, ValidationError):
            return fitted, ("taken out of what was wrapped around it", *changes)
    return first, ()


def _validate(value: Any, answer: type[M]) -> M | ValidationError:
    """Read an answer. An object that holds none of the fields is none, though every field may be left out."""
    try:
        instance = answer.model_validate(value)
    except ValidationError as error:
        return error
    if isinstance(value, dict) and value and not instance.model_fields_set:
        words = f"it holds none of the fields asked for ({', '.join(answer.model_fields)})"
        mistake = InitErrorDetails(type=PydanticCustomError("no_field", words), input=value)
        return ValidationError.from_exception_data(answer.__name__, [mistake])
    return instance


def _without_unknown(value: Any, error: ValidationError) -> tuple[Any, list[str]]:
    """Return a copy without the fields that the type forbids, and their names."""
    places = [problem["loc"] for problem in error.errors(include_url=False) if problem["type"] == "extra_forbidden"]
    pruned = deepcopy(value)
    for place in places:
        holder = pruned
        for step in place[:-1]:
            holder = _part(holder, step)
        if isinstance(holder, dict):
            holder.pop(place[-1], None)
    return pruned, list(dict.fromkeys(str(place[-1]) for place in places))


def _part(holder: Any, step: int | str) -> Any:
    if isinstance(holder, dict):
        return holder.get(step)
    return holder[step] if isinstance(holder, list) and isinstance(step, int) and step < len(holder) else None


def _unwrapped(value: Any) -> Any:
    """Return the only object in `{"answer": {…}}`, `{"result": {…}, "status": "ok"}` or `[{…}]`; None without one."""
    if isinstance(value, list):
        return value[0] if len(value) == 1 and isinstance(value[0], dict) else None
    inside = [part for part in value.values() if isinstance(part, dict | list)] if isinstance(value, dict) else []
    return inside[0] if len(inside) == 1 and isinstance(inside[0], dict) else None


def worded(error: ValidationError) -> tuple[str, ...]:
    """Return a line for each mistake, with its place as it is written in the answer."""
    lines = []
    for problem in error.errors(include_url=False)[:_SHOWN]:
        steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in problem["loc"]).lstrip(".")
        received = "" if problem["type"] == "missing" else f" (got {one_line(repr(problem['input']))})"
        lines.append(f"{one_line(steps) or 'the answer'}: {one_line(problem['msg'])}{received}")
    return tuple(lines)


def one_line(text: str, most: int = 100) -> str:
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"
