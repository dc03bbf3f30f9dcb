"""Text from outside made fit for one line or one box on the screen, what differs between two texts, and sizes, counts
and times as people read them (decimal units: 1 kB is 1,000 bytes). It stays text: nothing here makes markup.

Width is counted in columns: a Han character or an emoji takes two, a Latin letter one, a combining mark none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from memorybank.language.text import HAN, fold_space
from memorybank.memory.types import CompletedTask, Lang, Task, TaskType
from memorybank.views.i18n import t

ELLIPSIS = "…"

# Control characters, and the marks that turn the reading direction and can make a text show as another one.
_INVISIBLE_RE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def plain(text: str) -> str:
    """Return the text without control characters, direction marks and lone surrogates; line breaks and tabs stay."""
    return text if text.isprintable() else _INVISIBLE_RE.sub("", text)


# What stands before a letter in `:red[…]`.
_MARK_RE = re.compile(r"[\\`*_\[\]$~<|@#&]|:(?=[\w/])|(?<=^\d)\.")
# Behind Markdown Streamlit makes signs of `:smile:`, `->` and `--`, and links of addresses, escaped or not.
_SIGN_RE = re.compile(r"(?i)(?<=:)(?=[\w+-]+:|material/|//)|(?<=[<>~-])(?=[-=>])|(?<=www)(?=\.)|(?<=\w)(?=@)")


def unmarked(text: str) -> str:
    """Write a text so that Markdown reads it as the text it is: for the labels of widgets, which are Markdown."""
    return _MARK_RE.sub(r"\\\g<0>", _SIGN_RE.sub("\u2060", fold_space(plain(text))))


_HEADING_RE = re.compile(r"(?m)^#{1,6} +")


def unheaded(text: str) -> str:
    """Return the text without the marks of its Markdown headings, which would be read as part of them."""
    return _HEADING_RE.sub("", text)


def dropped(text: str) -> list[int]:
    """Return the places of the characters that `plain` leaves out."""
    return [] if text.isprintable() else [match.start() for match in _INVISIBLE_RE.finditer(text)]


def columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, width: int) -> str:
    """Return one line of at most `width` columns; what is cut off shows as `…`, at a word's end if one is near."""
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


def format_bytes(size: int, lang: Lang) -> str:
    """Return bytes as people read them: 1,000 → `1 kB`, 1,250,000 → `1.3 MB`."""
    if size < 1000:
        return t("unit.bytes", lang, number=size)
    number = size / 1000
    for unit in ("kilobytes", "megabytes"):
        if number < 999.95:
            return t(f"unit.{unit}", lang, number=_short(number))
        number /= 1000
    return t("unit.gigabytes", lang, number=_short(number))


def format_tokens(count: int, lang: Lang) -> str:
    """Return the count with separators, never rounded: a budget is checked against it."""
    return t("unit.tokens", lang, count=count, number=f"{count:,}")


def format_duration(seconds: float, lang: Lang) -> str:
    """Return seconds as people read them: 0.0042 → `4 ms`, 2.34 → `2.3 s`, 75 → `1 min 15 s`, 3700 → `1 h 1 min`."""
    if seconds < 0.9995:
        return t("unit.milliseconds", lang, number=max(0, round(seconds * 1000)))
    if seconds < 59.95:
        return t("unit.seconds", lang, number=_short(seconds))
    whole = round(seconds)
    if whole < 3600:
        return t("unit.minutes", lang, minutes=whole // 60, seconds=whole % 60)
    minutes = round(seconds / 60)
    return t("unit.hours", lang, hours=minutes // 60, minutes=minutes % 60)


def relative_time(then: float, now: float, lang: Lang) -> str:
    """Say how long ago it was, in whole minutes, hours or days. A clock that runs ahead counts as now."""
    minutes = int(max(0.0, now - then) // 60)
    if minutes < 1:
        return t("time.now", lang)
    if minutes < 60:
        return t("time.minutes", lang, count=minutes)
    if minutes < 24 * 60:
        return t("time.hours", lang, count=minutes // 60)
    return t("time.days", lang, count=minutes // (24 * 60))


def _short(number: float) -> str:
    """Return the number with one decimal below a hundred, none above, no trailing zero."""
    return f"{number:.1f}".removesuffix(".0") if number < 99.95 else f"{number:,.0f}"


_TOKEN_RE = re.compile(rf"[{HAN}]|\d[\d.,:/-]*\d%?|[^\W{HAN}]+(?:['’-][^\W{HAN}]+)*|\s+|.", re.DOTALL)
"""Matches a Han character, a number with its separators, a word, a run of space, any other single character."""

_MOST_TOKENS = 1_500
"""The most tokens matched, in quadratic time: beyond, all between the common ends counts as different."""


class Mark(NamedTuple):
    text: str
    differs: bool


def mark_difference(left: str, right: str) -> tuple[list[Mark], list[Mark]]:
    """Cut each text into pieces that the other has too and pieces that it has not. Pieces joined equal the text.

    Upper and lower case count as the same word; a number differs as a whole (1,121 is not half of 1,312).
    """
    left_tokens, right_tokens = _TOKEN_RE.findall(left), _TOKEN_RE.findall(right)
    left_keys, right_keys = [token.casefold() for token in left_tokens], [token.casefold() for token in right_tokens]
    left_same, right_same = [False] * len(left_tokens), [False] * len(right_tokens)
    for left_start, right_start, length in _common_runs(left_keys, right_keys):
        left_same[left_start : left_start + length] = [True] * length
        right_same[right_start : right_start + length] = [True] * length
    return _marks(left_tokens, left_same), _marks(right_tokens, right_same)


def common_ends(left: Sequence[str], right: Sequence[str]) -> tuple[int, int]:
    """Return how many are the same from the beginning, and how many of the rest from the end."""
    head = 0
    while head < min(len(left), len(right)) and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < min(len(left), len(right)) - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    return head, tail


def _common_runs(left: list[str], right: list[str]) -> list[tuple[int, int, int]]:
    """Return (place on the left, place on the right, length) of the tokens in common, in order."""
    head, tail = common_ends(left, right)
    left_middle, right_middle = left[head : len(left) - tail], right[head : len(right) - tail]
    runs = [(0, 0, head), (len(left) - tail, len(right) - tail, tail)]
    if max(len(left_middle), len(right_middle)) <= _MOST_TOKENS:
        blocks = SequenceMatcher(None, left_middle, right_middle, autojunk=False).get_matching_blocks()
        runs.extend((head + block.a, head + block.b, block.size) for block in blocks)
    return runs


def _marks(tokens: list[str], same: list[bool]) -> list[Mark]:
    """Return runs of equal marking as one piece. Space between two differing words belongs to the difference."""
    shared = same.copy()
    for at in range(1, len(tokens) - 1):
        if tokens[at].isspace() and not same[at - 1] and not same[at + 1]:
            shared[at] = False
    return [
        Mark("".join(token for token, _ in run), not is_shared)
        for is_shared, run in groupby(zip(tokens, shared, strict=True), key=lambda pair: pair[1])
    ]


def task_words(task: Task | CompletedTask, lang: Lang) -> str:
    """Return a task's description; of a check its kind, for its wording lists all conflicts, by their numbers."""
    return t(f"task.type.{task.type}", lang) if task.type is TaskType.CROSS_VALIDATE else task.description
