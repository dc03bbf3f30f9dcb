"""A valid instance of any JSON schema, always the same one: what a scripted model answers when it knows no better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

DEEP = 6
"""From here on only what must be there is filled, so that a schema that holds itself comes to an end."""

_FORMATS: Mapping[str, str] = {
    "date": "2024-01-31",
    "date-time": "2024-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "email": "someone@example.org",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def instance_of(schema: Mapping[str, Any], words: str = "Nothing to add.", items: int = 0) -> Any:
    """Fill a schema: strings from `words`, the least number, the first choice, lists of `items` (or of their least
    number). Optional fields are filled too; where null is allowed beside something else, the something is taken.

    Understands the part of JSON schema that structured answers use: types, properties, items, enum, const, anyOf,
    oneOf, allOf, $ref within the schema, bounds, lengths and formats. Patterns are not solved.
    """
    return _Filling(schema, words, items).fill(schema, 0)


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
        for choice in ("anyOf", "oneOf"):
            if schema.get(choice):
                return self.fill(self._chosen(schema[choice], depth), depth)
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = self._chosen([{"type": one} for one in kind], depth)["type"]
        if kind == "object" or (kind is None and "properties" in schema):
            return self._object(schema, depth)
        if kind == "array" or (kind is None and "items" in schema):
            return self._array(schema, depth)
        if kind in ("integer", "number"):
            return _number(schema, whole=kind == "integer")
        if kind == "boolean":
            return False
        return None if kind == "null" else self._string(schema)

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """With `$ref` followed and `allOf` merged; what stands beside them counts too."""
        while "$ref" in schema or "allOf" in schema:
            rest = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
            parts = [self._target(schema["$ref"])] if "$ref" in schema else []
            merged: dict[str, Any] = {}
            for part in (*parts, *schema.get("allOf", ()), rest):
                merged = _merged(merged, part)
            schema = merged
        return schema

    def _target(self, ref: str) -> Mapping[str, Any]:
        found: Any = self._root
        for step in ref.removeprefix("#").strip("/").split("/") if ref != "#" else ():
            found = found[step.replace("~1", "/").replace("~0", "~")]
        return dict(found)

    def _chosen(self, choices: list[Any], depth: int) -> Any:
        empty = [one for one in choices if isinstance(one, Mapping) and one.get("type") == "null"]
        if depth >= DEEP and empty:
            return empty[0]
        return next((one for one in choices if one not in empty), choices[0])

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        required = set(schema.get("required", ()))
        properties: Mapping[str, Any] = schema.get("properties", {})
        filled = {name: self.fill(of, depth + 1) for name, of in properties.items() if depth < DEEP or name in required}
        for name in schema.get("required", ()):
            filled.setdefault(name, self._words)
        return filled

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        wanted = self._items if depth < DEEP else 0
        count = min(max(int(schema.get("minItems", 0)), wanted), int(schema.get("maxItems", 1 << 30)))
        first = schema.get("prefixItems", ())
        return [self.fill(first[at] if at < len(first) else schema.get("items", {}), depth + 1) for at in range(count)]

    def _string(self, schema: Mapping[str, Any]) -> str:
        known = _FORMATS.get(str(schema.get("format", "")))
        if known:
            return known
        text, least = self._words, int(schema.get("minLength", 0))
        if len(text) < least:
            text = ((text or "x") + " ") * least
            text = text[:least]
        return text[: int(schema.get("maxLength", len(text)))]


def _number(schema: Mapping[str, Any], *, whole: bool) -> int | float:
    """The number nearest to 0 within the bounds."""
    step = schema.get("multipleOf", 1 if whole else 0)
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    if "exclusiveMinimum" in schema:
        low = max(low, schema["exclusiveMinimum"] + (step or 1e-6))
    if "exclusiveMaximum" in schema:
        high = min(high, schema["exclusiveMaximum"] - (step or 1e-6))
    number = min(max(0, low), high)
    if step and number:
        number = step * (math.ceil(number / step) if number > 0 else math.floor(number / step))
    return int(number) if whole else number


def _merged(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    made = {**left, **right}
    if "properties" in left and "properties" in right:
        made["properties"] = {**left["properties"], **right["properties"]}
    if "required" in left and "required" in right:
        made["required"] = [*left["required"], *(one for one in right["required"] if one not in left["required"])]
    return made


def fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """A value brought into a schema: fields it does not know left out, missing ones filled, too long ones cut.

    Takes what it can from the value; where the two do not meet at all, the schema's own instance.
    """
    return _Fitting(schema, "", 0).fit(value, schema)


class _Fitting(_Filling):
    def fit(self, value: Any, schema: Mapping[str, Any]) -> Any:
        schema = self._resolved(schema)
        for choice in ("anyOf", "oneOf"):
            if schema.get(choice):
                return self._fit_one(value, schema[choice])
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

    def _fit_one(self, value: Any, choices: list[Any]) -> Any:
        resolved = [self._resolved(one) for one in choices]
        fields = set(value) if isinstance(value, dict) else set()
        of_its_type = [one for one in resolved if _is(value, one.get("type"))]
        best = max(of_its_type, key=lambda one: len(fields & set(one.get("properties", ()))), default=resolved[0])
        return self.fit(value, best)


_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def _is(value: Any, kind: Any) -> bool:
    kinds = kind if isinstance(kind, list) else [kind]
    if isinstance(value, bool):
        return "boolean" in kinds
    return kind is None or any(isinstance(value, _TYPES.get(one, ())) for one in kinds)
