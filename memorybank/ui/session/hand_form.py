"""An answer as a form made from its JSON schema: a field a value, rows that come and go, problems at the field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.llm.hand.checking import Path, check
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import box, label, muted
from memorybank.views.boxes.call_fields import field_name
from memorybank.views.i18n import t
from memorybank.views.text.display import clip


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form of one request. A part is drawn from its draft, and answers with the value that it now has."""

    name: str
    lang: Lang
    _below: dict[Path, tuple[DeltaGenerator, str]] = dataclass_field(default_factory=dict)
    """Room for a problem below each field, and its key."""

    def draw(self, schema: Mapping[str, Any], draft: Any) -> Any:
        return self._part(schema, (), draft, key="")

    def tell(self, problems: Mapping[Path, str]) -> None:
        """Say what is wrong, each at its field, or at the one around it."""
        for path, words in problems.items():
            place, key = next(self._below[path[:end]] for end in range(len(path), -1, -1) if path[:end] in self._below)
            with place:
                draw(box("p", "notice failure small", words), key=key)

    def _part(self, schema: Mapping[str, Any], path: Path, draft: Any, key: str) -> Any:
        """`key` names the part among the widgets: by the numbers of rows, which stay when others go."""
        value = self._drawn(schema, path, draft, key)
        self._below[path] = st.empty(), self._key(f"{key}-problem")
        return value

    def _drawn(self, schema: Mapping[str, Any], path: Path, draft: Any, key: str) -> Any:
        words, widget = self._label(path), self._key(key)
        hint = str(schema["description"]) if schema.get("description") else None
        if "anyOf" in schema:
            return self._one_of(schema["anyOf"], path, draft, key)
        if "enum" in schema or "const" in schema:
            choices = list(schema.get("enum", [schema.get("const")]))
            at = choices.index(draft) if draft in choices else None
            return st.selectbox(words, choices, index=at, key=widget, help=hint)
        match schema.get("type"):
            case "object" if "properties" in schema:
                return self._object(schema, path, draft, key)
            case "array":
                return self._array(schema.get("items", {}), path, draft, key)
            case "string":
                text = draft if isinstance(draft, str) else ""
                return st.text_area(words, value=text, key=widget, height=68, help=hint)
            case "boolean":
                return st.checkbox(words, value=draft is True, key=widget, help=hint)
            case "integer":
                whole = draft if isinstance(draft, int) else None
                return st.number_input(words, value=whole, step=1, key=widget, help=hint)
            case "number":
                number = float(draft) if isinstance(draft, int | float) else None
                return st.number_input(words, value=number, step=0.05, key=widget, help=hint)
            case _:
                return self._json(words, draft, widget)

    def _one_of(self, options: Sequence[Mapping[str, Any]], path: Path, draft: Any, key: str) -> Any:
        """The form of the alternative that is chosen; at first of the one that the draft fits best."""
        fits = [len(list(check(draft, option))) for option in options]
        chosen = st.selectbox(
            self._label(path),
            range(len(options)),
            index=fits.index(min(fits)),
            format_func=lambda place: self._alternative(options[place]),
            key=self._key(f"{key}-which"),
        )
        option = options[chosen]
        return None if option.get("type") == "null" else self._drawn(option, path, draft, f"{key}-{chosen}")

    def _alternative(self, option: Mapping[str, Any]) -> str:
        """Named by what stands in it."""
        if option.get("type") == "null":
            return t("hand.none", self.lang)
        names = ", ".join(field_name(name, self.lang) for name in option.get("properties", ()))
        return clip(names or str(option.get("type", "")), 80)

    def _object(self, schema: Mapping[str, Any], path: Path, draft: Any, key: str) -> dict[str, Any]:
        values = draft if isinstance(draft, Mapping) else {}
        parts: Mapping[str, Any] = schema["properties"]
        return {
            name: self._part(part, (*path, name), values.get(name), f"{key}-{name}") for name, part in parts.items()
        }

    def _array(self, items: Mapping[str, Any], path: Path, draft: Any, key: str) -> list[Any]:
        values = list(draft) if isinstance(draft, list | tuple) else []
        if items.get("type") in ("string", "integer") and "enum" not in items:
            lines = "\n".join(map(str, values))
            written = st.text_area(
                t("hand.lines", self.lang, name=self._label(path)), value=lines, key=self._key(key), height=68
            )
            entries = [line.strip() for line in written.splitlines() if line.strip()]
            return [_whole(entry) for entry in entries] if items["type"] == "integer" else entries
        return self._rows(items, path, values, key)

    def _rows(self, items: Mapping[str, Any], path: Path, values: list[Any], key: str) -> list[Any]:
        rows = this_tab().hand.rows.setdefault((self.name, key), list(range(len(values))))
        by_row = dict(zip(rows, values, strict=False))
        draw(label(self._label(path)), key=self._key(f"{key}-rows"))
        if not rows:
            draw(muted(t("hand.no_rows", self.lang)), key=self._key(f"{key}-none"))
        answered = []
        for place, row in enumerate(rows):
            with st.container(border=True, key=self._key(f"{key}-row{row}")):
                answered.append(self._part(items, (*path, place), by_row.get(row), f"{key}-{row}"))
                st.button(
                    t("hand.remove_row", self.lang, number=place),
                    key=self._key(f"{key}-remove{row}"),
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=_remove,
                    args=(self.name, key, path, row),
                )
        st.button(
            t("hand.add_row", self.lang, name=self._label(path)),
            key=self._key(f"{key}-add"),
            icon=":material/add:",
            on_click=_add,
            args=(rows, max(rows, default=-1) + 1),
        )
        return answered

    def _json(self, words: str, draft: Any, widget: str) -> Any:
        written = st.text_area(
            t("hand.as_json", self.lang, name=words), value=json.dumps(draft, ensure_ascii=False), key=widget, height=68
        )
        try:
            return json.loads(written)
        except (ValueError, RecursionError):
            return written

    def _label(self, path: Path) -> str:
        names = [step for step in path if isinstance(step, str)]
        return field_name(names[-1], self.lang) if names else t("hand.answer", self.lang)

    def _key(self, key: str) -> str:
        return f"hand-{self.name}-{this_tab().hand.versions.get(self.name, 0)}{key}"


def _add(rows: list[int], row: int) -> None:
    """A click that is heard twice, as one on a slow page may be, adds one row."""
    if row not in rows:
        rows.append(row)


def _remove(name: str, key: str, path: Path, row: int) -> None:
    """Take a row away, from the draft too: the rows behind it move up."""
    hand = this_tab().hand
    rows = hand.rows[name, key]
    if row not in rows:
        return
    holder = hand.drafts.get(name)
    for step in path:
        holder = holder[step] if holder is not None else None
    if isinstance(holder, list) and rows.index(row) < len(holder):
        del holder[rows.index(row)]
    rows.remove(row)


def _whole(entry: str) -> int | str:
    """The number that a line says; the line itself where it says none, so that its problem is told."""
    return int(entry) if entry.lstrip("-").isdecimal() else entry
