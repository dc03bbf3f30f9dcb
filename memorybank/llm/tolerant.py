"""A JSON reader for what language models write. It never looks at a character more than a few times.

Taken: single, curly and full-width quotes, unquoted keys and words, Python's constants, comments, trailing, doubled
and missing commas, full-width punctuation between values, raw line breaks and bare quotes inside strings, brackets
closed in the wrong order, a text cut off in the middle. Each is named in `notes`. Not taken: prose.
"""

from __future__ import annotations

import re
from typing import Any

MAX_DEPTH = 60

_SPACE_RE = re.compile(r"[\s\u00a0\ufeff\u200b]*")
_NUMBER_RE = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?=[\s,，、;；:：\]］】}｝/#]|\Z)")
_WORD_RE = re.compile(r"[^\s,，:：\[\]{}｛｝［］\"“”＂]+(?:[ \t]+[^\s,，:：\[\]{}｛｝［］\"“”＂]+)*")
_KEY_RE = re.compile(r"[^\s,，:：\[\]{}｛｝［］\"'“”＂]{1,80}")
_HEX_RE = re.compile(r"[0-9a-fA-F]+")
_SURROGATE_RE = re.compile("[\ud800-\udfff]")
# What may stand behind a string's last quote. A comma alone proves little: in `"he said "yes", and left"` it belongs to
# the string, so what comes after it must begin another member, or another value.
_AFTER_RE = {
    "}": re.compile(
        r"""[\s\u200b]*(?:[}\]｝］】]|//|/\*|\#|```|\Z|[,，、;；][\s,，]*(?:["'“‘＂`}\]｝］】/\#]|[\w$.-]{1,40}\s*[:：]|\Z))"""
        r"""|[ \t]*\n\s*["'“‘＂]"""
    ),
    "]": re.compile(
        r"""[\s\u200b]*(?:[}\]｝］】]|//|/\*|\#|```|\Z|[,，、;；][\s,，]*(?:["'“‘＂`}\]｝］】/\#{\[｛［【]|[-+.\d]|\w{1,40}\s*[,，\]］】]|\Z))"""
        r"""|[ \t]*\n\s*["'“‘＂]"""
    ),
}
_PLAIN_RE = {
    quote: re.compile(f"[^{re.escape(ends)}\\\\]+")
    for quote, ends in {
        '"': '"',
        "'": "'",
        "“": '”"“',
        "”": '”"“',
        "‘": "’'‘",
        "’": "’'‘",
        "＂": '＂"',
        "`": "`",
    }.items()
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'", "\n": ""}
_HEX_LENGTH = {"u": 4, "x": 2, "U": 8}
_CONSTANTS: dict[str, Any] = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
    "null": None, "None": None, "none": None, "NULL": None, "undefined": None, "nil": None,
    "NaN": None, "nan": None, "Infinity": None, "-Infinity": None, "inf": None, "-inf": None,
}  # fmt: skip
_OPEN = {"{": "}", "｛": "}", "[": "]", "［": "]", "【": "]"}
_CLOSE = {"}": "}", "｝": "}", "]": "]", "］": "]", "】": "]"}
_COMMAS = ",，、;；"
_COLONS = ":："
OPENERS_RE = re.compile(r"[{\[｛［【]")

FULL_WIDTH = "full-width punctuation"
CUT_OFF = "cut off: closed after the last whole value"


class Unreadable(Exception):  # noqa: N818 - never leaves this package
    """What begins here is no JSON; `at` is where that showed."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class _CutOffValue:
    """The place of a value that was cut off."""


_MISSING = _CutOffValue()


class TolerantReader:
    """Reads one object or array at `start`. `at` is behind it afterwards, `cut` tells whether its end was missing."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.notes: dict[str, None] = {}
        self.cut = False
        self._closers: list[str] = []

    def read(self) -> Any:
        return self._container()

    # -- containers ---------------------------------------------------------------------------------------------------

    def _container(self) -> Any:
        opener = self.text[self.at]
        if len(self._closers) >= MAX_DEPTH:
            raise Unreadable(self.at)
        self._closers.append(_OPEN[opener])
        self._mark()
        value: Any = self._object() if _OPEN[opener] == "}" else self._array()
        self._closers.pop()
        return value

    def _object(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while not self._ends(bool(members)):
            key = self._key()
            if self._skip() and self.text[self.at] in _COLONS:
                self._mark()
            elif self.at < len(self.text):
                raise Unreadable(self.at)
            value = self._value() if self._skip() else self._cut_off()
            if value is not _MISSING:
                members[key] = value
        return members

    def _array(self) -> list[Any]:
        parts: list[Any] = []
        while not self._ends(bool(parts)):
            value = self._value()
            if not self.cut:  # half a part of a list is worse than none; half of an object is seen when it is checked
                parts.append(value)
        return parts

    def _ends(self, filled: bool) -> bool:
        """Step over what stands between values; True, behind the closing bracket, when there are no more."""
        commas = 0
        while self._skip() and self.text[self.at] in _COMMAS:
            self._mark()
            commas += 1
        if self.at >= len(self.text):
            self._cut_off()
            return True
        char = self.text[self.at]
        if (closer := _CLOSE.get(char)) is None:
            if commas != int(filled):
                self._note("missing comma" if not commas else "extra comma")
            return False
        if commas:
            self._note("trailing comma")
        if closer == self._closers[-1]:
            self._mark()
            return True
        self._note("mismatched brackets")
        if closer not in self._closers:  # nothing else it could close
            if not filled:
                raise Unreadable(self.at)
            self.at += 1
        return True

    # -- values -------------------------------------------------------------------------------------------------------

    def _key(self) -> str:
        if self.text[self.at] in _PLAIN_RE:
            key = self._string(None)
            return "" if key is _MISSING else str(key)
        if not (match := _KEY_RE.match(self.text, self.at)):
            raise Unreadable(self.at)
        self.at = match.end()
        self._note("unquoted key")
        return match[0]

    def _value(self) -> Any:
        char = self.text[self.at]
        if char in _OPEN:
            return self._container()
        if char in _PLAIN_RE:
            return self._string(_AFTER_RE[self._closers[-1]])
        if char in _COLONS or char in _CLOSE:
            raise Unreadable(self.at)
        if match := _NUMBER_RE.match(self.text, self.at):
            self.at = match.end()
            return self._number(match[0])
        if not (match := _WORD_RE.match(self.text, self.at)):
            raise Unreadable(self.at)
        self.at = match.end()
        return self._word(match[0])

    def _number(self, written: str) -> Any:
        if self.at >= len(self.text):  # more digits may have been cut off
            return self._cut_off()
        digits = written.lstrip("+-")
        if written[0] == "+" or digits[0] == "." or digits[-1] == "." or (digits[0] == "0" and digits[1:2].isdigit()):
            self._note("number not as in JSON")
        if re.fullmatch(r"[-+]?\d{1,300}", written):
            return int(written)
        value = float(written)
        return None if value in (float("inf"), float("-inf")) else value

    def _word(self, written: str) -> Any:
        if self.at >= len(self.text) and written not in _CONSTANTS:
            return self._cut_off()
        if written in _CONSTANTS:
            if written not in ("true", "false", "null"):
                self._note(f"{written} is not JSON")
            return _CONSTANTS[written]
        self._note("unquoted word")
        return written

    def _string(self, after: re.Pattern[str] | None) -> Any:
        """Read a string. Its quote closes it where `after` fits behind it; None: anywhere."""
        quote = self.text[self.at]
        if quote != '"':
            self._note("single quotes" if quote == "'" else FULL_WIDTH if quote != "`" else "backquotes")
        self.at += 1
        parts: list[str] = []
        plain = _PLAIN_RE[quote]
        while self.at < len(self.text):
            if match := plain.match(self.text, self.at):
                parts.append(match[0])
                self.at = match.end()
            elif self.text[self.at] == "\\":
                parts.append(self._escape())
            elif after is None or after.match(self.text, self.at + 1):
                self.at += 1
                return self._joined(parts)
            else:
                parts.append(self.text[self.at])
                self.at += 1
                self._note("quote inside a string")
        return self._cut_off()

    def _escape(self) -> str:
        letter = self.text[self.at + 1 : self.at + 2]
        if letter in _HEX_LENGTH:
            end = self.at + 2 + _HEX_LENGTH[letter]
            digits = self.text[self.at + 2 : end]
            if len(digits) == _HEX_LENGTH[letter] and _HEX_RE.fullmatch(digits) and int(digits, 16) <= 0x10FFFF:
                self.at = end
                return chr(int(digits, 16))
        self.at += 1 + len(letter)
        if letter in _ESCAPES:
            return _ESCAPES[letter]
        self._note("unknown escape")
        return "\\" + letter

    def _joined(self, parts: list[str]) -> str:
        whole = "".join(parts)
        if _SURROGATE_RE.search(whole):  # pairs of \\u escapes become one character
            whole = whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if "\n" in whole and any("\n" in part and part != "\n" for part in parts):
            self._note("line break inside a string")
        return whole

    # -- between ------------------------------------------------------------------------------------------------------

    def _skip(self) -> bool:
        """Step over white space and comments; False at the end of the text."""
        while True:
            match = _SPACE_RE.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.text.startswith(("//", "#"), self.at):
                end = self.text.find("\n", self.at)
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at + 2)
                end = end + 2 if end >= 0 else end
            else:
                return self.at < len(self.text)
            self._note("comment")
            self.at = end if end >= 0 else len(self.text)

    def _mark(self) -> None:
        """Step over one punctuation mark."""
        if self.text[self.at] > "\x7f":
            self._note(FULL_WIDTH)
        self.at += 1

    def _cut_off(self) -> Any:
        self.cut = True
        self.at = len(self.text)
        self._note(CUT_OFF)
        return _MISSING

    def _note(self, line: str) -> None:
        self.notes[line] = None
