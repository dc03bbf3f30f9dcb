"""A valid instance of a JSON schema, always the same one: what a scripted model answers when it knows no better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

DEEP = 6
"""The depth from which on only required fields are filled, so that a schema that holds itself comes to an end."""
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def instance_of(schema: Mapping[str, Any], words: str = "Nothing to add.", items: int = 0) -> Any:
    """Fill a schema: strings from `words`, the number nearest to 0, the first choice, lists of `items` (or of their
    least number). Optional fields are filled too; where null is allowed beside something else, the something is taken.

    Understands what structured answers use: types, properties, items, enum, const, anyOf, oneOf, $ref within the
    schema, bounds and lengths.
    """
    return _Filling(schema, words, items).fill(schema, 0)


def fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value brought into a schema: fields it does not know left out, missing ones filled, too long ones cut.

    Takes what it can from the value; where the two do not meet at all, the schema's own instance.
    """
    return _Filling(schema, "", 0).fit(value, schema)


class _Filling:
    def __init__(self, root: Mapping[str, Any], words: str, items: int) -> None:
        self._root = root
        self._words = words
        self._items = items

    def fill(self, schema: Any, depth: int) -> Any:
        if not isinstance(schema, Mapping):  # `true`: anything
            return self._words
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return schema["enum"][0]
        kind = schema.get("type")
        choices = [{"type": one} for one in kind] if isinstance(kind, list) else _choices(schema)
        if choices:
            empty = [one for one in choices if isinstance(one, Mapping) and one.get("type") == "null"]
            others = [one for one in choices if one not in empty]
            return self.fill((empty + others if depth >= DEEP else others + empty)[0], depth)
        match kind or ("object" if "properties" in schema else "array" if "items" in schema else "string"):
            case "object":
                return self._object(schema, depth)
            case "array":
                wanted = max(schema.get("minItems", 0), self._items if depth < DEEP else 0)
                count = min(wanted, schema.get("maxItems", wanted))
                return [self.fill(schema.get("items", {}), depth + 1) for _ in range(count)]
            case "integer" | "number" as number:
                return _number(schema, 1 if number == "integer" else 1e-6)
            case "boolean":
                return False
            case "null":
                return None
        least = schema.get("minLength", 0)
        text = self._words if len(self._words) >= least else f"{self._words or 'x'} " * least
        return text[: schema.get("maxLength", max(least, len(self._words)))]

    def fit(self, value: Any, schema: Mapping[str, Any]) -> Any:
        schema = self._resolved(schema)
        if choices := [self._resolved(one) for one in _choices(schema)]:
            fields = set(value) if isinstance(value, dict) else set()
            fitting = [one for one in choices if _is(value, one.get("type"))]
            best = max(fitting, key=lambda one: len(fields & set(one.get("properties", ()))), default=choices[0])
            return self.fit(value, best)
        if isinstance(value, dict) and "properties" in schema:
            return {
                name: self.fit(value[name], of) if name in value else self.fill(of, 0)
                for name, of in schema["properties"].items()
            }
        if isinstance(value, list) and schema.get("type") == "array":
            return [self.fit(item, schema.get("items", {})) for item in value[: schema.get("maxItems", len(value))]]
        if isinstance(value, str) and schema.get("type") == "string":
            known = schema.get("enum", [value])
            return value[: schema.get("maxLength", len(value))] if value in known else known[0]
        return value if _is(value, schema.get("type")) else self.fill(schema, 0)

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the schema with `$ref` followed; what stands beside it counts too."""
        while "$ref" in schema:
            target: Any = self._root
            for step in filter(None, schema["$ref"].removeprefix("#").split("/")):
                target = target[step]
            schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
        return schema

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        required, properties = schema.get("required", ()), schema.get("properties", {})
        filled = {name: self.fill(of, depth + 1) for name, of in properties.items() if depth < DEEP or name in required}
        return {**dict.fromkeys(required, self._words), **filled}


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    return list(schema.get("anyOf") or schema.get("oneOf") or ())


def _number(schema: Mapping[str, Any], step: float) -> float:
    """Return the number nearest to 0 within the bounds."""
    low = max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf) + step)
    high = min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf) - step)
    number = min(max(0, low), high)
    return int(number) if step == 1 else number


def _is(value: Any, kind: Any) -> bool:
    kinds = kind if isinstance(kind, list) else [kind]
    if isinstance(value, bool):
        return "boolean" in kinds
    return kind is None or any(isinstance(value, _TYPES.get(one, ())) for one in kinds)
