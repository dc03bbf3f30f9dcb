"""What differs between two texts, word by word, for showing two claims side by side. The pages only colour it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from memorybank.language.han import HAN

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
    one, two = _TOKEN_RE.findall(left), _TOKEN_RE.findall(right)
    keys_one, keys_two = [token.casefold() for token in one], [token.casefold() for token in two]
    same_one, same_two = [False] * len(one), [False] * len(two)
    for start_one, start_two, length in _common_runs(keys_one, keys_two):
        same_one[start_one : start_one + length] = [True] * length
        same_two[start_two : start_two + length] = [True] * length
    return _marks(one, same_one), _marks(two, same_two)


def common_ends(one: Sequence[str], two: Sequence[str]) -> tuple[int, int]:
    """How many are the same from the beginning, and how many of the rest from the end."""
    head = 0
    while head < min(len(one), len(two)) and one[head] == two[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(two)) - head and one[-1 - tail] == two[-1 - tail]:
        tail += 1
    return head, tail


def _common_runs(one: list[str], two: list[str]) -> list[tuple[int, int, int]]:
    """(place in one, place in two, length) of the tokens in common, in order."""
    head, tail = common_ends(one, two)
    middle_one, middle_two = one[head : len(one) - tail], two[head : len(two) - tail]
    runs = [(0, 0, head), (len(one) - tail, len(two) - tail, tail)]
    if max(len(middle_one), len(middle_two)) <= _MOST_TOKENS:
        blocks = SequenceMatcher(None, middle_one, middle_two, autojunk=False).get_matching_blocks()
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
