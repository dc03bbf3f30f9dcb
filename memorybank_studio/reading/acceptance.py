"""What of a task's turns the author takes: all own words, and of the assistant's those that they chose or agreed to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.language.han import HAN
from memorybank.language.numerals import number
from memorybank.language.text import detect_lang, sentences
from memorybank.memory.types import Lang
from memorybank_studio.reading.lists import any_of, lists
from memorybank_studio.types import Turn


@dataclass(frozen=True, slots=True)
class AuthorText:
    """A text that the author settles: an own turn, or the assistant's that was taken."""

    text: str
    turns: tuple[int, ...]
    chosen: bool
    accepting: tuple[str, ...] = ()
    """Its sentences by which the author took what was offered before."""


def author_texts(turns: Sequence[Turn]) -> Iterator[AuthorText]:
    """In the order of the turns."""
    offered: Turn | None = None
    for turn in turns:
        if turn.role == "assistant":
            offered = turn
            continue
        accepted = tuple(_accepted(offered, turn)) if offered is not None else ()
        yield from (accepted_text for _, accepted_text in accepted)
        yield AuthorText(turn.text, (turn.number,), chosen=False, accepting=tuple(sentence for sentence, _ in accepted))
        offered = None


def _accepted(offered: Turn, turn: Turn) -> Iterator[tuple[str, AuthorText]]:
    """What a turn takes of the one before it, with the sentence that says so. A sentence that asks takes nothing."""
    lang = detect_lang(turn.text)
    options = _options(offered.text)
    numbers = (offered.number, turn.number)
    for piece in sentences(turn.text):
        sentence = turn.text[piece.start : piece.end]
        if _ASKS_RE.search(sentence):
            continue
        match = _choice(lang).search(sentence)
        if match and _label(match["n"]) in options:
            yield sentence.strip(), AuthorText(options[_label(match["n"])], numbers, chosen=True)
        elif not options and _accepts(lang).search(sentence):
            yield sentence.strip(), AuthorText(_without_lead(offered.text), numbers, chosen=True)
            return


_ASKS_RE: Final = re.compile(r"[？?]|\b(?:not|don't|never)\b|[不没别]")
"""Also a refusal: "不选方案二"."""


@cache
def _choice(lang: Lang) -> re.Pattern[str]:
    listed = lists(f"markers.{lang}")
    choose, option = any_of(listed["choose"], lang), any_of(listed["option"], lang)
    if lang == "zh":
        label = rf"(?P<n>[一二三四五六七八九\d]|[A-Da-d])(?:个|种)?(?:{option})?(?![\w{HAN}])"
        return re.compile(rf"(?:{choose})(?:第)?(?:{option})?{label}")
    return re.compile(rf"(?:{choose})\s+(?:{option}|number)?\s*(?P<n>\d|[a-d]|one|two|three|four)\b", re.IGNORECASE)


@cache
def _accepts(lang: Lang) -> re.Pattern[str]:
    return re.compile(any_of(lists(f"markers.{lang}")["accept"], lang), re.IGNORECASE)


_OPTION_RE: Final = re.compile(
    r"^\s*(?:方案|选项|版本|设想|option|version|variant|idea)?\s*(?P<n>[一二三四五六七八九\d]|[A-D])\s*[.)、:：]\s*",
    re.IGNORECASE | re.MULTILINE,
)


def _without_lead(text: str) -> str:
    """What a turn offers, without the sentence before it that says what it is, where it offers one thing by number."""
    first = next(_OPTION_RE.finditer(text), None)
    return text[first.end() :].strip() if first and first.start() and _place(first["n"]) == 1 else text


def _options(text: str) -> dict[str, str]:
    """The options of a turn, each up to the next one: a list that counts from 1 (or A) on, two at least.

    Another number at the head of a line is prose: "3. Bataillon", "Chapter 3.", a list that begins elsewhere.
    """
    starts: list[re.Match[str]] = []
    for match in _OPTION_RE.finditer(text):
        if _place(match["n"]) == len(starts) + 1:
            starts.append(match)
    if len(starts) < 2:
        return {}
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return {_label(match["n"]): text[match.end() : end].strip() for match, end in zip(starts, ends, strict=True)}


def _place(written: str) -> int | None:
    """1 for 1, 一 and A, and so on."""
    value = number(written)
    return value if value is not None else ord(written.upper()) - ord("A") + 1


def _label(written: str) -> str:
    value = number(written)
    return str(value) if value is not None else written.upper()
