"""Sentences of an author's turns that gave no row, each with why and with what a row written by hand would name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from memorybank.language.text import Piece, detect_lang, fold_space, sentences
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import Unread
from memorybank.narrative.hub.contracts import FactLayer, PlanLayer
from memorybank.narrative.reading.dating import chapter_named
from memorybank.narrative.reading.lists import lists as listed
from memorybank.narrative.reading.lists import words
from memorybank.narrative.reading.markers import Line, lines
from memorybank.narrative.reading.mentions import Names
from memorybank.narrative.reading.outlines import called
from memorybank.narrative.reading.short_names import shared_names
from memorybank.narrative.reading.statements import is_denied
from memorybank.narrative.types import Turn
from memorybank.narrative.wording import joined

_QUESTION_RE: Final = re.compile(r"[?？][\s”\"'’」』）)]*$")


def asks(sentence: str) -> bool:
    """Whether it is a question: it settles nothing."""
    return _QUESTION_RE.search(sentence) is not None


def not_read(text: str, read: Collection[Piece], accepting: Collection[str]) -> list[str]:
    """The statements of a text that no row stands on. `read`: stretches that gave rows; `accepting`: sentences by which
    the author took an option."""
    left = []
    for piece in sentences(text):
        said = text[piece.start : piece.end].strip()
        given = any(one.start < piece.end and piece.start < one.end for one in read)
        if _WORD_RE.search(said) and not asks(said) and not given and said not in accepting:
            left.append(said)
    return left


_WORD_RE: Final = re.compile(r"\w")


@dataclass(frozen=True)
class Explaining:
    """Writes the line of an unread sentence."""

    names: Names
    facts: FactLayer
    plans: PlanLayer
    lang: Lang
    """Of the reasons."""

    def __call__(self, turn: int, line: str, said: str, mark: str = "") -> Unread:
        """`said`: what stands after the mark."""
        found = [self.names.whole(one.named, self.facts) for one in self.names.find(said)]
        names = tuple(dict.fromkeys(found))
        why = self._why(line, said, mark, names)
        return Unread(turn=turn, line=line, why=why, names=names, chapter=chapter_named(said))

    def of(self, turn: int, line: Line) -> Unread:
        """Of a marked line."""
        return self(turn, line.raw, line.text, line.mark)

    def _why(self, line: str, said: str, mark: str, names: Sequence[str]) -> str:
        lang = detect_lang(line)
        if asks(line):
            return self._say("question")
        if mark == "status":
            count = len(called(self.plans, said))
            return self._say("plans" if count > 1 else "no_plan", title=said, count=str(count))
        if name := next((name for name in self._shared if _stands_in(name, said, lang)), ""):
            return self._say("shared", name=name, names=joined(self._shared[name], self.lang))
        if _planned_re(lang).match(line):
            return self._say("plan")
        if not names:
            return self._say("nobody")
        return self._say("denied") if is_denied(said, lang) else self._say("relation", names=joined(names, self.lang))

    @cached_property
    def _shared(self) -> dict[str, tuple[str, ...]]:
        return shared_names(self.names.all)

    def _say(self, key: str, **values: str) -> str:
        return str(listed(f"reading.{self.lang}")["unread"][key]).format_map(values)


@dataclass(frozen=True, slots=True)
class Cited:
    """What a language model says that a row stands on."""

    turns: tuple[int, ...]
    words: str
    names: tuple[str, ...]
    """Of what the row is about."""

    def reads(self, turn: int, line: Line) -> bool:
        """Whether it is this line: by its words, or, where another turn said the same, by its names."""
        if turn not in self.turns:
            return False
        said, words = fold_space(line.raw).casefold(), fold_space(self.words).strip().casefold()
        if words and (words in said or fold_space(line.text).casefold() in words):
            return True
        return len(self.turns) > 1 and bool(self.names) and all(name.casefold() in said for name in self.names)


def uncited(turns: Sequence[Turn], cited: Sequence[Cited], explaining: Explaining) -> tuple[Unread, ...]:
    """Lines with a mark of the author's on which no row stands, where a model read the rest."""
    return tuple(
        explaining.of(turn.number, line)
        for turn in turns
        if turn.role == "author"
        for line in lines(turn.text, detect_lang(turn.text))
        if _is_marked(line) and not any(one.reads(turn.number, line) for one in cited)
    )


def _is_marked(line: Line) -> bool:
    return (
        line.asked
        or line.mark not in ("", "definition")
        or _planned_re(detect_lang(line.raw)).match(line.raw) is not None
    )


def _stands_in(name: str, said: str, lang: Lang) -> bool:
    return name in said if lang == "zh" else re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) is not None


@cache
def _planned_re(lang: Lang) -> re.Pattern[str]:
    labels = "|".join(map(re.escape, words(listed(f"markers.{lang}")["planned"])))
    return re.compile(rf"^[\s>*•·#-]*[【\[]?(?:{labels})[】\]]?\s*[:：]", re.IGNORECASE)
