"""Sentences of an author's turns that gave no row, each with why and with what a row written by hand would name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from memorybank.language.text import Piece, detect_lang, sentences
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import Unread
from memorybank.narrative.hub.contracts import FactLayer, PlanLayer
from memorybank.narrative.reading.dating import first_chapter_named
from memorybank.narrative.reading.lists import lists as listed
from memorybank.narrative.reading.lists import words
from memorybank.narrative.reading.markers import Line
from memorybank.narrative.reading.mentions import Names
from memorybank.narrative.reading.outlines import called
from memorybank.narrative.reading.short_names import shared_names
from memorybank.narrative.reading.statements import is_denied
from memorybank.narrative.wording import joined

_QUESTION_RE: Final = re.compile(r"[?？][\s”\"'’」』）)]*$")


def is_question(sentence: str) -> bool:
    """Whether it is a question: it settles nothing."""
    return _QUESTION_RE.search(sentence) is not None


def not_read(text: str, read: Collection[Piece], accepting: Collection[str]) -> list[str]:
    """The statements of a text that no row stands on. `read`: stretches that gave rows; `accepting`: sentences by which
    the author took an option."""
    left = []
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()
        has_row = any(item.start < piece.end and piece.start < item.end for item in read)
        if _WORD_RE.search(sentence) and not is_question(sentence) and not has_row and sentence not in accepting:
            left.append(sentence)
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

    def __call__(self, turn: int, line: str, sentence: str, mark: str = "", why: str = "") -> Unread:
        """`sentence`: what stands after the mark. `why` it gave no row: empty where rules read it, and can tell."""
        whole_names = [self.names.whole(item.named, self.facts) for item in self.names.find(sentence)]
        names = tuple(dict.fromkeys(whole_names))
        why = why or self._why(line, sentence, mark, names)
        return Unread(turn=turn, line=line, why=why, names=names, chapter=first_chapter_named(sentence))

    def of(self, turn: int, line: Line) -> Unread:
        """Of a marked line."""
        return self(turn, line.raw, line.text, line.mark)

    def _why(self, line: str, sentence: str, mark: str, names: Sequence[str]) -> str:
        lang = detect_lang(line)
        if is_question(line):
            return self._say("question")
        if mark == "status":
            count = len(called(self.plans, sentence))
            return self._say("plans" if count > 1 else "no_plan", title=sentence, count=str(count))
        if name := next((name for name in self._shared if _stands_in(name, sentence, lang)), ""):
            return self._say("shared", name=name, names=joined(self._shared[name], self.lang))
        if _planned_re(lang).match(line):
            return self._say("plan")
        if not names:
            return self._say("nobody")
        return (
            self._say("denied") if is_denied(sentence, lang) else self._say("relation", names=joined(names, self.lang))
        )

    @cached_property
    def _shared(self) -> dict[str, tuple[str, ...]]:
        return shared_names(self.names.all)

    def _say(self, key: str, **values: str) -> str:
        return str(listed(f"reading.{self.lang}")["unread"][key]).format_map(values)


def _stands_in(name: str, sentence: str, lang: Lang) -> bool:
    return name in sentence if lang == "zh" else re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) is not None


@cache
def _planned_re(lang: Lang) -> re.Pattern[str]:
    labels = "|".join(map(re.escape, words(listed(f"markers.{lang}")["planned"])))
    return re.compile(rf"^[\s>*•·#-]*[【\[]?(?:{labels})[】\]]?\s*[:：]", re.IGNORECASE)
