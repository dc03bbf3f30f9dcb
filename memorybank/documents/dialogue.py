"""Dialogues as JSON Lines: one turn a line, `{"speaker", "text", "time"?, "image_caption"?}`.

A turn is rendered as one line, `speaker (time): text [image: caption]`, so that who, when and what was shown can be
searched too, not the words alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from memorybank.errors import InputError, Notice
from memorybank.language.text import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueTurn:
    speaker: str
    text: str
    time: str = ""
    """As written in the file; shown and indexed, not interpreted."""
    image_caption: str = ""


def read_turns(name: str, text: str) -> tuple[DialogueTurn, ...]:
    """Read the turns of a dialogue in JSON Lines; blank lines are left out, fields that are not a turn's are not read.

    Raises InputError that names the first bad line by its number.
    """
    turns = tuple(_turn(name, number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())
    if not turns:
        raise InputError("dialogue.empty", name=name)
    return turns


def render_turn(turn: DialogueTurn) -> str:
    """Render a turn as `speaker (time): text [image: caption]` in one line; parts that are empty are left out."""
    time = f" ({one_line(turn.time)})" if turn.time else ""
    caption = f"[image: {one_line(turn.image_caption)}]" if turn.image_caption else ""
    words = " ".join(part for part in (one_line(turn.text), caption) if part)
    return f"{one_line(turn.speaker)}{time}: {words}"


def render_turns(turns: Iterable[DialogueTurn]) -> str:
    """Render each turn as a line that is closed."""
    return "".join(f"{render_turn(turn)}\n" for turn in turns)


def looks_like_dialogue(text: str) -> bool:
    """Whether the first line is an object with a speaker and something said, and so are most of the first five.

    For `--format auto`: a single bad line among turns is then reported, not taken for another kind of text.
    """
    head = list(islice((line for line in text[:200_000].split("\n") if line.strip()), 5))
    is_turn = [_is_turn(line) for line in head]
    return bool(is_turn) and is_turn[0] and sum(is_turn) * 2 > len(is_turn)


def _is_turn(line: str) -> bool:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and "speaker" in fields and ("text" in fields or "image_caption" in fields)


def _turn(name: str, number: int, line: str) -> DialogueTurn:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _bad_line(name, number, Notice("dialogue.not_json")) from error
    if not isinstance(fields, dict):
        raise _bad_line(name, number, Notice("dialogue.not_object"))
    values = {field: _value(name, number, field, fields.get(field)) for field in DialogueTurn.__dataclass_fields__}
    if not values["speaker"].strip():
        raise _bad_line(name, number, Notice("dialogue.missing", field="speaker"))
    if not values["text"].strip() and not values["image_caption"].strip():
        raise _bad_line(name, number, Notice("dialogue.missing", field="text"))
    return DialogueTurn(**values)


def _value(name: str, number: int, field: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if field == "time" and isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    raise _bad_line(name, number, Notice("dialogue.not_text", field=field))


def _bad_line(name: str, number: int, problem: Notice) -> InputError:
    return InputError("dialogue.line", name=name, line=number, problem=problem)
