"""The schema of an answer for the case in hand: fewer kinds of relation, shorter strings. Reading stays the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import create_model

from memorybank.engines.llm.wire import AnalysisAnswer, ModelAnswer
from memorybank.memory.types import Relation

A = TypeVar("A", bound=ModelAnswer)


def edited(answer: type[A], edit: Callable[[dict[str, Any]], None]) -> type[A]:
    """Return the same answer with a schema that asks for less. What comes back is read as before."""
    made = create_model(answer.__name__, __base__=answer)
    made.edits = (*answer.edits, edit)
    return made


_DETAILS = {
    Relation.CONFLICT: ("contradictions", "conflict_description", "same_subject"),
    Relation.MERGE: ("merge_strategy",),
    Relation.RELATED: (
        "context_update_new",
        "context_update_existing",
        "keywords_update_new",
        "keywords_update_existing",
    ),
}
"""The fields of one kind of relation. They are asked for in an object of their own, so that other kinds write nothing:
strict servers require every property, and refuse objects to choose from that begin with the same one."""


@lru_cache(maxsize=32)
def analysis_answer(relations: tuple[Relation, ...]) -> type[AnalysisAnswer]:
    """Return the answer of an analysis that may find these relations, or none of them."""

    def narrow(schema: dict[str, Any]) -> None:
        defs = schema["$defs"]
        properties = defs["RelationJudgement"]["properties"]
        properties["relationship"]["enum"] = [relation.value for relation in (*relations, Relation.UNRELATED)]
        choices: list[dict[str, Any]] = []
        for relation, names in _DETAILS.items():
            fields = {name: properties.pop(name) for name in names}
            if relation in relations:
                defs[relation.value] = {"type": "object", "properties": fields}
                choices.append({"$ref": f"#/$defs/{relation.value}"})
        properties["details"] = {"anyOf": [*choices, {"type": "null"}]}
        if Relation.CONFLICT not in relations:
            del defs["DisputedPoint"]

    return edited(AnalysisAnswer, narrow)


@lru_cache(maxsize=4)
def without_neighbors(answer: type[A]) -> type[A]:
    """Return the type of an integration's answer where there are no neighbours, so that nothing is asked of them."""

    def narrow(schema: dict[str, Any]) -> None:
        del schema["properties"]["neighbor_updates"]
        del schema["$defs"]["NeighborAnswer"]

    return edited(answer, narrow)


AMPLE = 1_500
"""Tokens of an answer from which on no string is bounded."""
_SHORTEST = 24
"""The number of characters that any string may have."""
_CHARS_PER_TOKEN = 2
"""A careful guess: Han characters and names cost more tokens than common words."""


@lru_cache(maxsize=128)
def bounded(answer: type[A], tokens: int, items: int) -> type[A]:
    """Bound an answer for a small context: no string and no list is longer than an answer of so many tokens holds.

    A small model that fills a schema token by token would else repeat itself in one string until it is cut off.
    `items` bounds the outermost list. An answer with room enough is left as it is: not every endpoint takes bounds.
    Updated lists of keywords are not asked for then: one that was cut short would drop what it has no room for.
    """
    if tokens >= AMPLE:
        return answer

    def bound(schema: dict[str, Any]) -> None:
        drop_whole_lists(schema)
        _bound(schema, schema, tokens, max(1, items))

    return edited(answer, bound)


_WHOLE_LISTS = (
    (Relation.RELATED, "keywords_update_new"),
    (Relation.RELATED, "keywords_update_existing"),
    ("NeighborAnswer", "keywords"),
)


def drop_whole_lists(schema: dict[str, Any]) -> None:
    """Ask for no updated list of keywords, and for none of what is unrelated: cut short, that would be all pairs."""
    schema["properties"].pop("unrelated", None)
    for name, words in _WHOLE_LISTS:
        schema.get("$defs", {}).get(name, {}).get("properties", {}).pop(words, None)


def _bound(schema: dict[str, Any], root: dict[str, Any], tokens: int, items: int) -> None:
    inner = 1 if tokens < AMPLE // 3 else 2
    strings, skeleton = _measure(schema, root, items, inner)
    longest = max(_SHORTEST, _CHARS_PER_TOKEN * (tokens - skeleton) // max(1, strings))
    for part in (root, *root.get("$defs", {}).values()):
        for field in part.get("properties", {}).values():
            if field.get("type") == "string" and "enum" not in field:
                field["maxLength"] = longest
            elif field.get("type") == "array":
                field["maxItems"] = items if part is root else inner
                if field["items"].get("type") == "string":
                    field["maxItems"] = 3
                    field["items"]["maxLength"] = min(_SHORTEST, longest)


def _measure(schema: dict[str, Any], root: dict[str, Any], items: int, inner: int) -> tuple[int, int]:
    """(free strings an answer may hold, tokens of all around them). A list of words counts as one string."""
    if "$ref" in schema:
        return _measure(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, inner, inner)
    if "anyOf" in schema:
        return max(_measure(part, root, items, inner) for part in schema["anyOf"])
    if schema.get("type") == "array" and schema["items"].get("type") != "string":
        strings, skeleton = _measure(schema["items"], root, inner, inner)
        return items * strings, items * (skeleton + 2)
    strings = int(schema.get("type") in ("string", "array") and "enum" not in schema)
    skeleton = 2
    for name, part in schema.get("properties", {}).items():
        more, around = _measure(part, root, items, inner)
        strings += more
        skeleton += around + len(name) // _CHARS_PER_TOKEN // 2 + 3
    return strings, skeleton
