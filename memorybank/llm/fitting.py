"""A value as an answer of a type: what is merely too much is left out, what is wrong is told in words."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

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
