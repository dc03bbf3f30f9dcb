"""An agent's input or answer as fields a person can read, whatever is in it; what it names leads to node and entry."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorybank.memory.types import Lang
from memorybank.views.box import Box, Piece, aside, box, label, muted, note
from memorybank.views.calls.call_view import Known
from memorybank.views.i18n import catalogue, t
from memorybank.views.link import link
from memorybank.views.text.display import clip

MOST_TEXT = 4_000
"""Characters of one field; the raw form has them all."""
MOST_ITEMS = 40
DEEPEST = 6
_SHORT = 60
"""Columns of a value that stands on its field's line."""
_CHOICES = ("relations", "type", "status", "relationship", "trigger", "finish", "winner", "kind", "supports", "mode")


@dataclass(frozen=True, slots=True)
class _Page:
    """What a field may be put in words with."""

    lang: Lang
    known: Known | None = None
    numbered: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """By field: the memories that its number counts."""


def fields_box(value: Any, lang: Lang, known: Known | None = None, call_input: Mapping[str, Any] | None = None) -> Box:
    """A mapping as labelled fields, in its order; those that are empty are left out, and named at the end.

    `call_input`: the input of the answer that is shown; agents name memories by their place in it.
    """
    page = _Page(lang, known, _numbered(call_input or {}))
    if not isinstance(value, Mapping):
        return box("div", "fields", _value("", value, page, 0))
    if not value:
        return muted(t("prompt.field_none", lang))
    return box("div", "fields", *_fields(value, page, 0))


def _numbered(call_input: Mapping[str, Any]) -> dict[str, Sequence[Mapping[str, Any]]]:
    candidates, nodes = call_input.get("candidates"), call_input.get("nodes")
    lists: dict[str, Sequence[Mapping[str, Any]]] = {}
    if isinstance(candidates, list):
        lists["existing"] = candidates
    if isinstance(nodes, list):
        lists |= {"left": nodes, "right": nodes}
        near = [neighbor for node in nodes if isinstance(node, Mapping) for neighbor in node.get("neighbors") or ()]
        by_number = {neighbor.get("ref"): neighbor for neighbor in near if isinstance(neighbor, Mapping)}
        lists["ref"] = [by_number.get(place, {}) for place in range(len(by_number))]
    return lists


def _fields(value: Mapping[str, Any], page: _Page, depth: int) -> list[Box]:
    lang = page.lang
    filled = {name: content for name, content in value.items() if not _is_empty(content)}
    if "status" in value and "context" in filled:  # of a finished task it is no topic
        filled = {"finished_context" if name == "context" else name: content for name, content in filled.items()}
    shown = [_field(str(name), content, page, depth) for name, content in filled.items()]
    empty = len(value) - len(filled)
    if empty and not depth:
        names = ", ".join(field_name(str(name), lang) for name, content in value.items() if _is_empty(content))
        shown.append(box("p", "muted small text", t("prompt.field_empty", lang, names=clip(names, 400))))
    return shown


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, Sequence | Mapping) and not value)


def _field(name: str, value: Any, page: _Page, depth: int) -> Box:
    inline = isinstance(value, bool | int | float) or (
        isinstance(value, str) and len(value) <= _SHORT and "\n" not in value
    )
    body = _value(name, value, page, depth)
    if inline:
        return box("div", "field inline", box("span", "label", field_name(name, page.lang)), body)
    return box("div", "field", label(field_name(name, page.lang)), body)


def field_name(name: str, lang: Lang) -> str:
    """A field's name in words; one that this version does not know, as it is written."""
    key = f"prompt.field.{name}"
    return t(key, lang) if key in catalogue(lang) else clip(name.replace("_", " "), 60)


def _value(name: str, value: Any, page: _Page, depth: int) -> Box:
    if isinstance(value, bool):
        return box("span", "text", t("prompt.field_yes" if value else "prompt.field_no", page.lang))
    if isinstance(value, int | float):
        return _number(name, value, page)
    if isinstance(value, str):
        return _text(name, value, page)
    if depth >= DEEPEST:
        return box("p", "text mono", clip(json.dumps(value, ensure_ascii=False, default=str), 400))
    if isinstance(value, Mapping):
        return _card(value, page, depth)
    if isinstance(value, Sequence):
        return _list(name, value, page, depth)
    return box("span", "text", clip(str(value), 400))


def _number(name: str, value: float, page: _Page) -> Box:
    """A number; where it counts a memory of the input, with its topic."""
    written = f"{value:g}" if isinstance(value, float) else str(value)
    memories = page.numbered.get(name, ())
    if not isinstance(value, int) or not 0 <= value < len(memories) or not isinstance(memories[value], Mapping):
        return box("span", "text", written)
    memory = memories[value]
    node = page.known.node(memory) if page.known is not None else None
    topic = clip(str(memory.get("context", "")), 90)
    return box(
        "span", "text link" if node else "text", f"{written} · {topic}", choose=link("node", node) if node else ""
    )


def _text(name: str, value: str, page: _Page) -> Box:
    lang, known = page.lang, page.known
    words = _choice(name, value, lang)
    hidden = len(value) - MOST_TEXT
    entry = known.entry(value) if known is not None and name in ("text", "content") else None
    pieces: list[Piece] = [words or value[:MOST_TEXT]]
    if hidden > 0:
        pieces.append(aside(f" {t('prompt.more_text', lang, count=hidden)}"))
    if entry is not None:
        pieces.append(box("span", "cite", t("prompt.to_entry", lang, entry=entry), choose=link("entry", entry)))
    return box("span", "text", *pieces)


def _choice(name: str, value: str, lang: Lang) -> str:
    """A word of our own that stands in a field, such as a relation, as the pages say it."""
    if name not in _CHOICES:
        return ""
    for key in (f"prompt.value.{value}", f"conflict.status.{value}", f"task.type.{value}", f"task.status.{value}"):
        if key in catalogue(lang):
            return t(key, lang)
    return ""


def _list(name: str, value: Sequence[Any], page: _Page, depth: int) -> Box:
    lang = page.lang
    shown, hidden = value[:MOST_ITEMS], len(value) - MOST_ITEMS
    rest = note(t("prompt.field_more", lang, count=hidden)) if hidden > 0 else None
    if all(isinstance(item, str) and len(item) <= _SHORT for item in value):
        return box(
            "div", "row words", *(box("span", "word", _choice(name, item, lang) or item) for item in shown), rest
        )
    if all(_is_range(item) for item in value):
        ranges = ", ".join(f"{start}–{end}" for start, end in shown)
        return box("span", "text", t("prompt.field_ranges", lang, ranges=ranges), rest)
    items = [
        box("div", "item", box("span", "number", str(place)), _value(name, item, page, depth + 1))
        for place, item in enumerate(shown)
    ]
    return box("div", "items", *items, rest)


def _is_range(value: Any) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and len(value) == 2
        and all(isinstance(end, int) and not isinstance(end, bool) for end in value)
    )


def _card(value: Mapping[str, Any], page: _Page, depth: int) -> Box:
    """Fields within a field. A memory and a conflict lead to where they are shown."""
    node = page.known.node(value) if page.known is not None else None
    if node is not None:
        topic = box("p", "strong text link", clip(str(value.get("context", "")), 160), choose=link("node", node))
        others = {name: content for name, content in value.items() if name != "context"}
        return box("div", "fields", topic, *_fields(others, page, depth + 1))
    conflict = value.get("conflict") or (value.get("id") if "group" in value else None)
    if isinstance(conflict, str):
        head = box("span", "cite", conflict, choose=link("conflict", conflict))
        return box("div", "fields", head, *_fields(value, page, depth + 1))
    return box("div", "fields", *_fields(value, page, depth + 1))
