"""An answer held against its JSON schema, before it is sent: what is wrong, at which field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
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


def check(value: Any, schema: Mapping[str, Any]) -> Mapping[Path, Notice]:
    """Return what is wrong with a value, by its place; of several things at one place the first."""
    from jsonschema import Draft202012Validator  # with the app alone, and a tenth of a second

    errors = Draft202012Validator(schema).iter_errors(value)
    return dict(reversed([problem for error in errors for problem in _problems(error)]))


def _problems(error: Any) -> Iterator[tuple[Path, Notice]]:
    """Yield what an error of the validator means: where one of several forms was wanted, how it misses the nearest."""
    path, wanted, given = tuple(error.absolute_path), error.validator_value, error.instance
    match error.validator:
        case "anyOf":
            forms = groupby(error.context, key=lambda inner: inner.schema_path[0])
            nearest = min(([each for inner in errors for each in _problems(inner)] for _, errors in forms), key=len)
            yield from nearest
        case "const" | "enum":
            choices = wanted if error.validator == "enum" else [wanted]
            yield path, Notice("hand.choose", choices=", ".join(map(str, choices)))
        case "type":
            yield path, Notice("hand.missing") if given is None else Notice(_WRONG_TYPE[wanted])
        case "required":
            yield from (((*path, name), Notice("hand.missing")) for name in wanted if name not in given)
        case "additionalProperties":
            known = error.schema["properties"]
            yield from (((*path, name), Notice("hand.unknown_field")) for name in given if name not in known)
        case "minItems" | "minLength" | "minimum":
            yield path, Notice("hand.too_few", bound=wanted)
        case _:
            yield path, Notice("hand.too_many", bound=wanted)
