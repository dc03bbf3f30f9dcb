"""JSON schemas that servers take: pydantic's, cut down to what strict structured output and grammars understand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

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
