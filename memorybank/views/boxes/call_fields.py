"""An agent's input or answer as fields a person can read, whatever is in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memorybank.memory.types import Lang
from memorybank.views.box import Box, aside, box, label, muted, note
from memorybank.views.i18n import catalogue, t
from memorybank.views.text.display import clip

MOST_TEXT = 4_000
"""Characters of one field; the export has them all."""
MOST_ITEMS = 40
DEEPEST = 6
_SHORT = 60
"""Columns of a value that stands on its field's line."""
_CHOICES = ("relations", "type", "status", "relationship", "trigger", "finish", "winner", "kind", "supports", "mode")


def fields_box(value: Any, lang: Lang) -> Box:
    """A mapping as labelled fields, in its order; those that are empty are left out, and named at the end."""
    return _value("", value, lang, 0) if value else muted(t("prompt.field_none", lang))


def _value(name: str, value: Any, lang: Lang, depth: int) -> Box:
    if isinstance(value, bool):
        return box("span", "text", t("prompt.field_yes" if value else "prompt.field_no", lang))
    if isinstance(value, str):
        rest = len(value) - MOST_TEXT
        more = aside(f" {t('prompt.more_text', lang, count=rest)}") if rest > 0 else None
        return box("span", "text", _choice(name, value, lang) or value[:MOST_TEXT], more)
    if depth >= DEEPEST and isinstance(value, Mapping | Sequence):
        return box("p", "text mono", clip(json.dumps(value, ensure_ascii=False, default=str), 400))
    if isinstance(value, Mapping):
        return box("div", "fields", *_fields(value, lang, depth))
    if isinstance(value, Sequence):
        return _list(name, value, lang, depth)
    return box("span", "text", f"{value:g}" if isinstance(value, float) else clip(str(value), 400))


def _fields(value: Mapping[str, Any], lang: Lang, depth: int) -> list[Box]:
    shown = [_field(str(name), content, lang, depth) for name, content in value.items() if not _is_empty(content)]
    empty = ", ".join(field_name(str(name), lang) for name, content in value.items() if _is_empty(content))
    if empty and not depth:
        shown.append(box("p", "muted small text", t("prompt.field_empty", lang, names=clip(empty, 400))))
    return shown


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, Sequence | Mapping) and not value)


def _field(name: str, value: Any, lang: Lang, depth: int) -> Box:
    body = _value(name, value, lang, depth + 1)
    is_short = isinstance(value, str) and len(value) <= _SHORT and "\n" not in value
    if is_short or isinstance(value, bool | int | float):
        return box("div", "field inline", box("span", "label", field_name(name, lang)), body)
    return box("div", "field", label(field_name(name, lang)), body)


def field_name(name: str, lang: Lang) -> str:
    """A field's name in words; one that this version does not know, as it is written."""
    key = f"prompt.field.{name}"
    return t(key, lang) if key in catalogue(lang) else clip(name.replace("_", " "), 60)


def _choice(name: str, value: str, lang: Lang) -> str:
    """A word of our own that stands in a field, such as a relation, as the pages say it."""
    keys = (f"prompt.value.{value}", f"conflict.status.{value}", f"task.type.{value}", f"task.status.{value}")
    known = (key for key in keys if name in _CHOICES and key in catalogue(lang))
    return next((t(key, lang) for key in known), "")


def _list(name: str, value: Sequence[Any], lang: Lang, depth: int) -> Box:
    shown, hidden = value[:MOST_ITEMS], len(value) - MOST_ITEMS
    rest = note(t("prompt.field_more", lang, count=hidden)) if hidden > 0 else None
    if all(isinstance(item, str) and len(item) <= _SHORT for item in value):
        return box(
            "div", "row words", *(box("span", "word", _choice(name, item, lang) or item) for item in shown), rest
        )
    items = [
        box("div", "item", box("span", "number", str(place)), _value(name, item, lang, depth + 1))
        for place, item in enumerate(shown)
    ]
    return box("div", "items", *items, rest)
