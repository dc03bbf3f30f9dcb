"""Sentences of an author's discussion that report nothing: plans, suppositions, and what somebody only believes.

A book's narrator seldom speaks of "the next chapter" or "my outline"; an author does all the time, in the present or
the past tense, so `narration` (which reads both) does not look for these. It errs on the side of leaving a row without
its tick. The words are in `discussing.*.yaml`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.narration import Telling
from memorybank.text import Piece, sentences
from memorybank.types import Lang


@dataclass(frozen=True, slots=True)
class Shade:
    """Why a statement is not to be taken as happened, and the words that show it."""

    telling: Telling
    mark: str
    reason: str = ""
    """Name of the sentence in `reading.*.yaml` that says why; empty: that of the telling."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    telling: Telling
    regex: re.Pattern[str]
    after: bool
    """It speaks of what comes after it alone."""


_GOES_ON: Final = {
    "en": re.compile(r"[,;]?\s+(?:and|but|because|so|until|then)\s+(?!that\b)|;\s"),
    "zh": re.compile(r"[；;]|，(?:但|可是|却|因为|由于|于是|所以|后来|便|就)"),
}
"""Where a sentence goes on with something else than what was believed or planned."""
_SHADES: Final = (Telling.HYPOTHETICAL, Telling.INTENDED, Telling.TOLD)


@cache
def _patterns(lang: Lang) -> tuple[_Pattern, ...]:
    listed = lists(f"discussing.{lang}")
    return tuple(
        _Pattern(telling, re.compile(entry, re.IGNORECASE), where == "after")
        for telling in _SHADES
        for where, entries in listed[str(telling)].items()
        for entry in entries
    )


@cache
def _label_re(lang: Lang) -> re.Pattern[str]:
    labels = any_of(lists(f"discussing.{lang}")["labels"], lang)
    return re.compile(
        rf"^(?P<label>[^:：。.!?！？\n]{{0,30}}?(?:{labels})[^:：。.!?！？\n]{{0,15}})[:：]", re.IGNORECASE
    )


_CHAPTER_LABEL_RE: Final = re.compile(
    r"^(?:第[^:：，,。]{1,12}[章回卷部]|(?:chapter|ch\.)\s[\w,-]{1,12})\s*[:：]", re.IGNORECASE
)


def label_of(line: str, lang: Lang) -> str:
    """What stands before the colon of a line that is a plan, a remark, or a chapter's contents; else empty."""
    match = _label_re(lang).match(line) or _CHAPTER_LABEL_RE.match(line)
    return match[0].rstrip(":： ") if match else ""


class Discussion:
    """The sentences of one turn (or line), with what shades them. `plain`: the text with □ for characters of names."""

    def __init__(self, text: str, plain: str, lang: Lang) -> None:
        self._text = text
        self._plain = plain
        self._lang: Lang = lang
        self._sentences = tuple(sentences(plain))
        self._labels = tuple(_labelled(text, lang))

    def shade(self, span: Piece) -> Shade | None:
        """Of the statement that `span` makes; None where nothing speaks against it."""
        label = next((one for piece, one in self._labels if piece.start <= span.start < piece.end), "")
        if label:
            return Shade(Telling.INTENDED, label)
        own = next((one for one in self._sentences if one.start <= span.start < one.end), span)
        said = self._plain[own.start : own.end]
        lead = len(said) - len(said.lstrip())
        said = said.strip()
        for pattern in _patterns(self._lang):
            match = pattern.regex.search(said)
            if match and (not pattern.after or self._reaches(said, match, span.end - own.start - lead)):
                start = own.start + lead
                mark = start + match.start() + len(match[0]) - len(match[0].lstrip("□"))
                return Shade(pattern.telling, self._text[mark : start + match.end()].strip())
        return None

    def _reaches(self, said: str, match: re.Match[str], place: int) -> bool:
        """Whether what ends at `place` still belongs to what a word before it opened."""
        stop = _GOES_ON[self._lang].search(said, match.end())
        return match.start() < place <= (stop.start() if stop else len(said))


def _labelled(text: str, lang: Lang) -> list[tuple[Piece, str]]:
    """Lines with a label."""
    found = []
    at = 0
    for line in text.splitlines(keepends=True):
        label = label_of(line.strip(), lang)
        if label:
            found.append((Piece(at, at + len(line)), label))
        at += len(line)
    return found
