"""Backslashes in a model's JSON that it meant as they stand: of LaTeX and of Windows paths, written once, not twice.

JSON reads `\\frac` as a form feed and "rac", `C:\\temp` as a tab and "emp". A `\\b` or `\\f` is never meant by a model;
`\\t`, `\\n` and `\\r` are literal in front of a word that the model was shown behind a backslash, within a formula, and
in a path that begins with a drive.
"""

from __future__ import annotations

import re

from memorybank.language.text import encodable

NOTE = "a backslash was kept as written"

_CONTROL_RE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_ESCAPE_RE = re.compile(r"""\\(?:u[0-9a-fA-F]{4}|["'/\\\n]|([A-Za-z]+)|(.))""", re.DOTALL)
_SHOWN_RE = re.compile(r"\\([A-Za-z]+)")
_PATH_RE = re.compile(r"""(?<![A-Za-z])[A-Za-z]:\\(?!\\)[^\s"'<>|*?，。；]*""")
_FORMULA_RE = re.compile(
    r"""\$\$?(?=[^\s$])(?:\\.|[^$"\\\n]){0,400}?(?<![\s$])\$\$?(?!\d)|(?<!\\)\\(?:\(|\[)[^"\n]{1,400}?(?<!\\)\\[)\]]"""
)


def without_controls(text: str) -> str:
    """The text without control characters other than tabs and line breaks, as UTF-8 can hold it."""
    return _CONTROL_RE.sub("", encodable(text))


def as_written(text: str, source: str = "") -> tuple[str, tuple[str, ...]]:
    """(the JSON with such backslashes doubled, so that they are read as they stand; a note when there were any).

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
    """A path as it stands where one of its backslashes can be nothing else: `B:\\nThen` is a letter and a new line."""
    sure = any(word in shown or word[0] not in "tnru" for word in _SHOWN_RE.findall(text))
    return text.replace("\\", "\\\\") if sure else text


def _doubled(text: str, shown: set[str], literal: str = "") -> str:
    def double(escape: re.Match[str]) -> str:
        word = escape[1]
        meant = escape[2] or (word and (word[0] not in "tnr" or word in shown or word[0] in literal))
        return "\\" + escape[0] if meant else escape[0]

    return _ESCAPE_RE.sub(double, text)
