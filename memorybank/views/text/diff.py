"""What differs between two texts, word by word, for showing two claims side by side. The pages only colour it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from memorybank.language.text import HAN

_TOKEN_RE = re.compile(rf"[{HAN}]|\d[\d.,:/-]*\d%?|[^\W{HAN}]+(?:['’-][^\W{HAN}]+)*|\s+|.", re.DOTALL)
"""A Han character, a number with its separators, a word, a run of space, any other single character."""

_MOST_TOKENS = 1_500
"""Matching takes quadratic time: beyond this, what lies between the common ends counts as different as a whole."""


class Mark(NamedTuple):
    text: str
    differs: bool


def mark_difference(left: str, right: str) -> tuple[list[Mark], list[Mark]]:
    """Each text cut into pieces that the other has too and pieces that it has not. Pieces joined equal the text.

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
    """How many are the same from the beginning, and how many of the rest from the end."""
    head = 0
    while head < min(len(left), len(right)) and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < min(len(left), len(right)) - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    return head, tail


def _common_runs(left: list[str], right: list[str]) -> list[tuple[int, int, int]]:
    """(place on the left, place on the right, length) of the tokens in common, in order."""
    head, tail = common_ends(left, right)
    left_middle, right_middle = left[head : len(left) - tail], right[head : len(right) - tail]
    runs = [(0, 0, head), (len(left) - tail, len(right) - tail, tail)]
    if max(len(left_middle), len(right_middle)) <= _MOST_TOKENS:
        blocks = SequenceMatcher(None, left_middle, right_middle, autojunk=False).get_matching_blocks()
        runs.extend((head + block.a, head + block.b, block.size) for block in blocks)
    return runs


def _marks(tokens: list[str], same: list[bool]) -> list[Mark]:
    """Runs of equal marking as one piece. Space between two differing words belongs to the difference."""
    shared = same.copy()
    for at in range(1, len(tokens) - 1):
        if tokens[at].isspace() and not same[at - 1] and not same[at + 1]:
            shared[at] = False
    return [
        Mark("".join(token for token, _ in run), not is_shared)
        for is_shared, run in groupby(zip(tokens, shared, strict=True), key=lambda pair: pair[1])
    ]
