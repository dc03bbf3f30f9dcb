"""A task's turns as numbered sentences, and in pieces that a model reads one after the other.

Numbers go through the whole history. A sentence *counts* when the author says it (a proposal is taken by its button, as
words of the author's): what is read of the history has to account for each of these, so that none is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from memorybank.language.text import Piece, detect_lang, fold_space, sentences
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank_studio.drafts import Unread
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.reading.mentions import Names, first_chapter_named, words
from memorybank_studio.reading.mentions import lists as listed
from memorybank_studio.reading.outlines import called
from memorybank_studio.types import Role, Turn

MOST_COUNTED: Final = 40
"""Sentences that count in one piece: what is read of more would not fit one answer."""
_PER_SENTENCE: Final = 4
"""Estimated tokens around a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedSentence:
    number: int
    turn: int
    role: Role
    text: str

    @property
    def counts(self) -> bool:
        return self.role == "author"

    @property
    def cost(self) -> int:
        return estimate(self.text) + _PER_SENTENCE


def numbered(turns: Sequence[Turn], longest: int) -> tuple[NumberedSentence, ...]:
    """Return all sentences with a letter or digit, in order. `longest`: estimated tokens; one that is longer is cut."""
    found: list[NumberedSentence] = []
    for turn in turns:
        for piece in _cut(turn.text, longest):
            text = fold_space(turn.text[piece.start : piece.end])
            found.append(NumberedSentence(number=len(found) + 1, turn=turn.number, role=turn.role, text=text))
    return tuple(found)


def pieces(sentences_: Sequence[NumberedSentence], window: int) -> Iterator[tuple[NumberedSentence, ...]]:
    """Yield consecutive sentences within a window of estimated tokens, each in one piece; one alone may be longer."""
    piece: list[NumberedSentence] = []
    for sentence in sentences_:
        grown = [*piece, sentence]
        if piece and (sum(one.cost for one in grown) > window or sum(one.counts for one in grown) > MOST_COUNTED):
            yield tuple(piece)
            grown = [sentence]
        piece = grown
    if piece:
        yield tuple(piece)


def before(sentences_: Sequence[NumberedSentence], first: int, tokens: int) -> tuple[NumberedSentence, ...]:
    """Return the last sentences before the number `first`, within so many tokens."""
    shown: list[NumberedSentence] = []
    for sentence in reversed(sentences_[: first - 1]):
        tokens -= sentence.cost
        if tokens < 0:
            break
        shown.append(sentence)
    return tuple(reversed(shown))


def as_lines(sentences_: Iterable[NumberedSentence], role_words: dict[str, str]) -> str:
    """Return a line a sentence, under whose turn it is. `role_words`: with a place for the turn's number."""
    parts = []
    for (turn, role), told in groupby(sentences_, lambda sentence: (sentence.turn, sentence.role)):
        parts.append("\n".join([role_words[role].format(turn=turn), *(f"[{one.number}] {one.text}" for one in told)]))
    return "\n\n".join(parts)


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers in order, runs as a range: "1-4, 6"."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _cut(text: str, longest: int) -> Iterator[Piece]:
    """Yield sentences with a letter or a digit; those that are too long in parts."""
    for piece in sentences(text):
        start = piece.start
        while start < piece.end:
            end = piece.end if estimate(text[start : piece.end]) <= longest else min(start + longest, piece.end)
            if any(map(str.isalnum, text[start:end])):
                yield Piece(start, end)
            start = end


_QUESTION_RE: Final = re.compile(r"[?？][\s”\"'’」』）)]*$")


def is_question(sentence: str) -> bool:
    """Whether it is a question: it settles nothing."""
    return _QUESTION_RE.search(sentence) is not None


def statements(text: str) -> list[str]:
    """Return the sentences of a text that state something."""
    whole = (text[piece.start : piece.end].strip() for piece in sentences(text))
    return [one for one in whole if _WORD_RE.search(one) and not is_question(one)]


_WORD_RE: Final = re.compile(r"\w")


@dataclass(frozen=True)
class Explaining:
    """Writes the line of an unread sentence."""

    names: Names
    facts: Facts
    plans: Plans
    lang: Lang
    """The language of the reasons."""

    def __call__(self, turn: int, line: str, sentence: str, mark: str = "", why: str = "") -> Unread:
        """`sentence`: what stands after the mark. `why` it gave no row: empty where rules read it, and can tell."""
        whole_names = [self.names.whole(item.named, self.facts) for item in self.names.find(sentence)]
        names = tuple(dict.fromkeys(whole_names))
        why = why or self._why(line, sentence, mark)
        return Unread(turn=turn, line=line, why=why, names=names, chapter=first_chapter_named(sentence))

    def _why(self, line: str, sentence: str, mark: str) -> str:
        if is_question(line):
            return self._say("question")
        if mark == "status":
            count = len(called(self.plans, sentence))
            return self._say("plans" if count > 1 else "no_plan", title=sentence, count=str(count))
        if _planned_re(detect_lang(line)).match(line):
            return self._say("plan")
        return self._say("form" if mark == "settled" else "prose")

    def _say(self, key: str, **values: str) -> str:
        return str(listed(f"reading.{self.lang}")["unread"][key]).format_map(values)


@cache
def _planned_re(lang: Lang) -> re.Pattern[str]:
    labels = "|".join(map(re.escape, words(listed(f"markers.{lang}")["planned"])))
    return re.compile(rf"^[\s>*•·#-]*[【\[]?(?:{labels})[】\]]?\s*[:：]", re.IGNORECASE)
