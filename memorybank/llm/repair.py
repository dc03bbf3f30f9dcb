"""JSON out of a model's answer: the strict reader first, then `json_repair`, saying what had to be done.

    escapes kept as written -> the whole text -> each bracketed part of it -> full-width pass -> json_repair

A part whose end is missing is closed after its last whole value before anything repairs it, so that half a word never
becomes a value. Parts are found in one pass and are bounded in depth and length: `json_repair` is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Any

from memorybank.errors import AgentError
from memorybank.language.text import encodable
from memorybank.llm.schemas import one_line
from memorybank.memory.bounds import loads

MAX_DEPTH = 60
_MOST_CHARS, _MOST_BRACKETS = 100_000, 2_000
"""The most of one part that is repaired: the time of `json_repair` grows with the square of hostile text."""
_SHOWN_CHARS = 80

_MOST_LOST = 1_000_000
"""Characters that are looked at in vain, each as often as it is: brackets that are no JSON stand in few answers."""

CUT_OFF = "cut off: closed after the last whole value"
FULL_WIDTH = "full-width punctuation"
MISSPELT = "misspelt JSON"

_NEXT = r"[:}\]：｝］]|[,，、;；]\s*(?:[\"“'{\[｛［}\]｝］\d-]|(?:true|false|null)\b|\Z)|\Z"
_STRING = rf'"(?:\\.|[^"\\]|"(?!\s*(?:{_NEXT})))*+(?:"|\Z)|“[^“”]*+”'
"""A quote ends a string where a mark of JSON follows it, behind a comma another value; others belong to the string."""
_TOKEN_RE = re.compile(rf"{_STRING}|[{{}}\[\],｛｝［］【】，]", re.DOTALL)
_BRACKET_RE = re.compile(r"[{}\[\]｛｝［］【】]")
_WIDE_RE = re.compile(rf"{_STRING}|[｛｝［］【】：，、；＂]", re.DOTALL)
_OPENER_RE = re.compile(r"[{\[｛［]")
_CLOSERS = {"{": "}", "[": "]"}
_NARROW = dict(zip("｛｝［］【】：，、；＂", '{}[][]:,,,"', strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A part of the text between two brackets, as the value that it holds."""

    value: Any
    notes: tuple[str, ...]
    start: int
    end: int

    @property
    def rank(self) -> tuple[bool, bool, bool, int]:
        return isinstance(self.value, dict), bool(self.value), CUT_OFF not in self.notes, self.start


def parse_json(
    text: str, fits: Callable[[Any], bool] = lambda value: False, *, source: str = ""
) -> tuple[Any, tuple[str, ...]]:
    """Return (the value, what had to be repaired, one short line each). Plain JSON comes back as it is, with no notes.

    Where several values stand in the text, the last that `fits` is taken, a whole one before one that was cut off; else
    the last object that is whole, else the last array. `source` is what the model was shown: words that stand behind a
    backslash there keep it. Raises AgentError when there is none.
    """
    text, notes = as_written(text, source)
    parts = _found(text)
    fitting = [part for part in parts if fits(part.value)]
    best = max(fitting, key=lambda part: part.rank[2:]) if fitting else max(parts, key=lambda part: part.rank)
    around = (text[: best.start] + text[best.end :]).replace("```json", "```").strip()
    if len(parts) > 1:
        notes = (*notes, f"one of {len(parts)} JSON values")
    elif around.replace("```", "").strip():
        notes = (*notes, "text around the JSON")
    if "```" in around:
        notes = (*notes, "code fence")
    return best.value, (*notes, *best.notes)


def parse_all(text: str) -> tuple[list[Any], tuple[str, ...]]:
    """Return (all values in a text, in order, what had to be repaired). Raises AgentError when there is none."""
    text, notes = as_written(text)
    parts = _found(text)
    return [part.value for part in parts], tuple(
        dict.fromkeys((*notes, *(note for part in parts for note in part.notes)))
    )


def _found(text: str) -> list[_Part]:
    try:
        return [_Part(value=_clean(_strict(text)), notes=(), start=0, end=len(text))]
    except ValueError:
        parts = list(_parts(text))
    if not parts:
        raise AgentError("agent.no_json", text=one_line(text, _SHOWN_CHARS))
    return parts


def _strict(text: str) -> Any:
    try:
        return loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _parts(text: str) -> Iterator[_Part]:
    """Find all objects and arrays of the text, in order, none inside another. What only begins is skipped."""
    at, lost = 0, 0
    while (opening := _OPENER_RE.search(text, at)) and lost < _MOST_LOST:
        start = opening.start()
        end, closed = _extent(text, start, _TOKEN_RE)
        if end is None:  # a quote that is not closed hides the end: brackets alone may tell it
            end = _extent(text, start, _BRACKET_RE)[0]
        read = _read(text[start:end] if end else closed)
        if read and not end:
            read = (read[0], (*read[1], CUT_OFF)) if read[0] else None
        at = opening.end() if read is None else end or len(text)
        lost += 0 if read else (end or len(text)) - start
        if read is not None:
            yield _Part(value=_clean(read[0]), notes=read[1], start=start, end=at)


def _extent(text: str, start: int, tokens: re.Pattern[str]) -> tuple[int | None, str]:
    """Return (where the value here ends, "") or, where it does not end, (None, what is whole of it, closed)."""
    whole: list[int] = []  # for each open bracket, where its last whole member ends
    closers: list[str] = []
    for token in tokens.finditer(text, start):
        mark = _NARROW.get(token[0], token[0])
        if closer := _CLOSERS.get(mark):
            if len(closers) >= MAX_DEPTH:
                return None, ""
            closers.append(closer)
            whole.append(token.end())
        elif mark == "," and closers:
            whole[-1] = token.start()
        elif mark in ("}", "]"):
            while mark in closers and closers.pop() != mark:  # closed in the wrong order
                whole.pop()
            whole = whole[: len(closers)]
            if not closers:
                return token.end(), ""
            whole[-1] = token.end()
    # Half a member of a list is worse than none; half of an object is seen when it is checked.
    kept = closers.index("]") + 1 if "]" in closers else len(closers)
    return None, text[start : whole[kept - 1]] + "".join(reversed(closers[:kept])) if closers else ""


def _read(part: str) -> tuple[Any, tuple[str, ...]] | None:
    """Return (the value, the notes) of a bracketed part; None where it is no JSON."""
    if not part:
        return None
    narrow = _WIDE_RE.sub(_narrowed, part)
    notes = (FULL_WIDTH,) if narrow != part else ()
    for written, said in ((part, ()), (narrow, notes)):
        try:
            return _strict(written), said
        except ValueError:
            continue
    opened = narrow.count("{") + narrow.count("[")
    if len(part) > _MOST_CHARS or opened > _MOST_BRACKETS or (narrow[0] == "{" and ":" not in narrow):
        return None
    import json_repair

    for reader in (
        lambda: json.loads(narrow, strict=False, parse_constant=lambda word: None),  # raw line breaks, numbers of none
        lambda: json_repair.repair_json(narrow, return_objects=True, skip_json_loads=True),
    ):
        with suppress(ValueError, RecursionError):
            value: Any = reader()
            return (value, (*notes, MISSPELT)) if isinstance(value, dict | list) else None
    return None


def _narrowed(token: re.Match[str]) -> str:
    mark = token[0]
    if mark[0] == "“":
        return '"' + mark[1:-1].replace('"', '\\"') + '"'
    return _NARROW.get(mark, mark)


def _clean(value: Any) -> Any:
    """Leave out what no memory may hold: control characters, halves of surrogate pairs, numbers without an end."""
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, dict):
        return {without_controls(str(key)): _clean(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_clean(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value


# -- backslashes that a model meant as they stand: of LaTeX and of Windows paths, written once, not twice --------------

# JSON reads `\frac` as a form feed and "rac", `C:\temp` as a tab and "emp". A `\b` or `\f` is never meant by a model;
# `\t`, `\n` and `\r` are literal in front of a word that the model was shown behind a backslash, within a formula, and
# in a path that begins with a drive.


NOTE = "a backslash was kept as written"

_CONTROL_RE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_ESCAPE_RE = re.compile(r"""\\(?:u[0-9a-fA-F]{4}|["'/\\\n]|([A-Za-z]+)|(.))""", re.DOTALL)
_SHOWN_RE = re.compile(r"\\([A-Za-z]+)")
_PATH_RE = re.compile(r"""(?<![A-Za-z])[A-Za-z]:\\(?!\\)[^\s"'<>|*?，。；]*""")
_FORMULA_RE = re.compile(
    r"""\$\$?(?=[^\s$])(?:\\.|[^$"\\\n]){0,400}?(?<![\s$])\$\$?(?!\d)|(?<!\\)\\(?:\(|\[)[^"\n]{1,400}?(?<!\\)\\[)\]]"""
)


def without_controls(text: str) -> str:
    """Return the text without control characters other than tabs and line breaks, as UTF-8 can hold it."""
    return _CONTROL_RE.sub("", encodable(text))


def as_written(text: str, source: str = "") -> tuple[str, tuple[str, ...]]:
    """Return (the JSON with such backslashes doubled, so that they are read as they stand; a note when there were any).

    `source` is what the model was shown.
    """
    if "\\" not in text:
        return text, ()
    shown = set(_SHOWN_RE.findall(source))
    kept = _PATH_RE.sub(lambda path: _path(path[0], shown), text)
    formulas = " ".join(_FORMULA_RE.findall(kept))
    single = any(escape[1] and escape[1][0] not in "tnr" for escape in _ESCAPE_RE.finditer(formulas))
    # In a formula nobody writes a tab; a line break may stand there where the commands are escaped as they should be.
    kept = _FORMULA_RE.sub(lambda formula: _doubled(formula[0], shown, "tnr" if single else "tr"), kept)
    kept = _doubled(kept, shown)
    return kept, (NOTE,) if kept != text else ()


def _path(text: str, shown: set[str]) -> str:
    """Return a path as it stands where a backslash can be nothing else: `B:\\nThen` is a letter and a new line."""
    sure = any(word in shown or word[0] not in "tnru" for word in _SHOWN_RE.findall(text))
    return text.replace("\\", "\\\\") if sure else text


def _doubled(text: str, shown: set[str], literal: str = "") -> str:
    def double(escape: re.Match[str]) -> str:
        word = escape[1]
        meant = escape[2] or (word and (word[0] not in "tnr" or word in shown or word[0] in literal))
        return "\\" + escape[0] if meant else escape[0]

    return _ESCAPE_RE.sub(double, text)
