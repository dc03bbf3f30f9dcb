"""Sentences of an author's discussion that report nothing: plans, suppositions, what somebody only believes, and what
is told of a chapter that the story has not reached.

A book's narrator seldom speaks of "the next chapter" or "my outline"; an author does all the time, in the present or
the past tense, so `narration` (which reads both) does not look for these. It errs on the side of leaving a row without
its tick. The words are in `discussion.*.yaml`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.language.text import Piece, sentences
from memorybank.memory.types import Lang
from memorybank.narrative.reading.lists import any_of, lists
from memorybank.narrative.reading.modality import Modality


@dataclass(frozen=True, slots=True)
class NonFactual:
    """Why a statement is not to be taken as happened, and the words that show it."""

    modality: Modality
    mark: str
    reason: str = ""
    """Name of the sentence in `reading.*.yaml` that says why; empty: that of the modality."""


class StoryTime:
    """Where the story stands while the turns of a task are read. `last` 0: it has no chapters; nothing is to come."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.reached = last
        """The last chapter that the turns have told as happened so far."""

    def shade(self, chapter: int | None) -> NonFactual | None:
        """That what is told of this chapter is still to come; the one after the last is being written."""
        if not self.last or chapter is None or chapter <= self.reached + 1:
            return None
        return NonFactual(Modality.INTENDED, str(self.reached), "ahead")

    def advance(self, chapter: int | None) -> None:
        if self.shade(chapter) is None:
            self.reached = max(self.reached, chapter or 0)


_SHADES: Final = (Modality.HYPOTHETICAL, Modality.INTENDED, Modality.REPORTED)


@cache
def _patterns(lang: Lang) -> tuple[tuple[Modality, re.Pattern[str]], ...]:
    listed = lists(f"discussion.{lang}")
    return tuple(
        (modality, re.compile(entry, re.IGNORECASE)) for modality in _SHADES for entry in listed[str(modality)]
    )


@cache
def _label_re(lang: Lang) -> re.Pattern[str]:
    labels = any_of(lists(f"discussion.{lang}")["labels"], lang)
    return re.compile(
        rf"^(?:[^:：。.!?！？\n]{{0,30}}?(?:{labels})[^:：。.!?！？\n]{{0,15}}"
        r"|第[^:：，,。]{1,12}[章回卷部]|(?:chapter|ch\.)\s[\w,-]{1,12}\s*)[:：]",
        re.IGNORECASE,
    )


def label_of(line: str, lang: Lang) -> str:
    """What stands before the colon of a line that is a plan, a remark, or a chapter's contents; else empty."""
    match = _label_re(lang).match(line)
    return match[0].rstrip(":： ") if match else ""


class Discussion:
    """The sentences of one turn (or line), with what shades them. `plain`: the text with □ for characters of names."""

    def __init__(self, text: str, plain: str, lang: Lang) -> None:
        self._text = text
        self._plain = plain
        self._lang: Lang = lang
        self._sentences = tuple(sentences(plain))

    def shade(self, span: Piece) -> NonFactual | None:
        """Of the statement that `span` makes; None where nothing speaks against it."""
        start = self._text.rfind("\n", 0, span.start) + 1
        if label := label_of(self._text[start:].partition("\n")[0].strip(), self._lang):
            return NonFactual(Modality.INTENDED, label)
        own = next((piece for piece in self._sentences if piece.start <= span.start < piece.end), span)
        sentence = self._plain[own.start : own.end]
        lead = own.start + len(sentence) - len(sentence.lstrip())
        for modality, pattern in _patterns(self._lang):
            if match := pattern.search(sentence.strip()):
                return NonFactual(modality, self._text[lead + match.start() : lead + match.end()].strip())
        return None
