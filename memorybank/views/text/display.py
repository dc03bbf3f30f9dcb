"""Text from outside made fit for one line or one box on the screen. It stays text: nothing here makes markup.

Width is counted in columns: a Han character or an emoji takes two, a Latin letter one, a combining mark none.
"""

from __future__ import annotations

import re
import unicodedata

from memorybank.language.text import fold_space

ELLIPSIS = "…"

# Control characters, and the marks that turn the reading direction and can make a text show as another one.
_INVISIBLE_RE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def plain(text: str) -> str:
    """The text without control characters, direction marks and lone surrogates; line breaks and tabs stay."""
    return text if text.isprintable() else _INVISIBLE_RE.sub("", text)


# What stands before a letter in `:red[…]`, `:smile:` and `https://`, and what makes an address without either.
_MARK_RE = re.compile(r"[\\`*_\[\]$~<|@#]|:(?=[\w/])|(?<=www)\.|(?<=^\d)\.", re.IGNORECASE)


def unmarked(text: str) -> str:
    """Write a text so that Markdown reads it as the text it is: for the labels of widgets, which are Markdown."""
    return _MARK_RE.sub(r"\\\g<0>", fold_space(plain(text)))


def dropped(text: str) -> list[int]:
    """The places of the characters that `plain` leaves out."""
    return [] if text.isprintable() else [match.start() for match in _INVISIBLE_RE.finditer(text)]


def columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, width: int) -> str:
    """One line of at most `width` columns; what is cut off shows as `…`, at a word's end if one is near."""
    line = fold_space(plain(text[: 8 * width + 200]))
    if line.isascii() and len(line) <= width:  # most labels: no width to be looked up
        return line if len(text) <= 8 * width + 200 else line + ELLIPSIS
    used, end = 0, 0
    for char in line:
        used += columns(char)
        if used > width:
            break
        end += 1
    else:
        return line if len(text) <= 8 * width + 200 else line + ELLIPSIS
    while end and columns(line[end]) == 0:  # never between a letter and its accent
        end -= 1
    used = sum(map(columns, line[:end]))
    while end and used > width - 1:  # room for the mark
        end -= 1
        used -= columns(line[end])
    kept = line[:end]
    head, gap, tail = kept.rpartition(" ")
    if gap and line[end] != " " and len(tail) <= 6 and len(head) * 2 >= width:
        kept = head
    return kept.rstrip(" ,.;:-–—，。；：、") + ELLIPSIS
