"""An option that the author takes, as words of theirs: an outline pattern is a plan, and is marked as the next step.

The numbers of its sentences go: a step's title is its first clause, and "1." is none. Two steps of one title are one
step, so a second outline that begins like one on the board gets a number behind its first clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from memorybank.language.numerals import number
from memorybank.language.text import fold_space
from memorybank.memory.types import Lang
from memorybank.narrative.creativity.options import Option
from memorybank.narrative.hub.verbalisation import word
from memorybank.narrative.types import Turn, normal

BY_PATTERN: Final = "offline pattern "
"""Before the pattern's name in `Draft.made_by`."""
_MOST: Final = 9
"""Options that an author can take by a number of one digit."""
_COUNTED_RE: Final = re.compile(r"(?:(?<=\s)|^)(?P<en>\d)\.\s+|(?:(?<=[。！？”])|^)(?P<zh>[一二三四五六七八九])、")
_CLAUSE_RE: Final = re.compile(r"[，。；;.]|——")
_CLAUSE: Final = 50
"""Characters of a first clause that is given a number: a title has 60."""


def is_outline(option: Option) -> bool:
    return option.draft.made_by.startswith(BY_PATTERN)


def outline_taken(text: str, titles: Collection[str] = ()) -> str:
    """An outline in one line, its sentences without their numbers. `titles`: of the plans there are."""
    line = _without_numbers(fold_space(text).strip())
    head = title_of(line)
    known = {normal(title) for title in titles}
    if normal(head[:60]) not in known:
        return line
    numbered = (f"{head[:_CLAUSE]} ({number})" for number in range(2, len(known) + 3))
    title = next(candidate for candidate in numbered if normal(candidate) not in known)
    return title + line[len(head) :] if len(head) <= _CLAUSE else f"{title}. {line}"


def title_of(line: str) -> str:
    """A step's title: its first clause."""
    return _CLAUSE_RE.split(line, maxsplit=1)[0].strip()


def _without_numbers(line: str) -> str:
    """Numbers that count the sentences from 1 on, not any other."""
    wanted = 0

    def without(match: re.Match[str]) -> str:
        nonlocal wanted
        value = number(match["en"] or match["zh"])
        if value != wanted + 1:
            return match[0]
        wanted = value
        return ""

    return _COUNTED_RE.sub(without, line)


def with_outlines(
    turns: Sequence[Turn], options: Callable[[int], Sequence[Option]], titles: Collection[str], lang: Lang
) -> tuple[Turn, ...]:
    """A task's turns as a settlement reads them: an answer's outlines stand in it as the author takes them, so that
    "let us go with option 2" settles what the button does. `options`: of an answer, by its number."""
    return tuple(
        _as_taken(turn, options(turn.number), titles, lang) if turn.role == "assistant" else turn for turn in turns
    )


def _as_taken(turn: Turn, options: Sequence[Option], titles: Collection[str], lang: Lang) -> Turn:
    if not options or not all(map(is_outline, options)):
        return turn
    lines = [
        f"{number}. {word('take_plan', lang, text=outline_taken(option.draft.text, titles))}"
        for number, option in enumerate(options[:_MOST], start=1)
    ]
    return replace(turn, text="\n".join(lines))
