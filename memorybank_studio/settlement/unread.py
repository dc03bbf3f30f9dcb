"""Sentences of an author's turns that gave no row, each with why and with what a row written by hand would name."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.language.text import detect_lang, sentences
from memorybank.memory.types import Lang
from memorybank_studio.drafts import Unread
from memorybank_studio.hub.contracts import FactLayer, PlanLayer
from memorybank_studio.reading.dating import first_chapter_named
from memorybank_studio.reading.lists import lists as listed
from memorybank_studio.reading.lists import words
from memorybank_studio.reading.markers import Line
from memorybank_studio.reading.mentions import Names
from memorybank_studio.reading.outlines import called

_QUESTION_RE: Final = re.compile(r"[?？][\s”\"'’」』）)]*$")


def is_question(sentence: str) -> bool:
    """Whether it is a question: it settles nothing."""
    return _QUESTION_RE.search(sentence) is not None


def statements(text: str, accepting: Collection[str] = ()) -> list[str]:
    """The sentences of a text that state something. `accepting`: those by which the author took an option."""
    whole = (text[piece.start : piece.end].strip() for piece in sentences(text))
    return [one for one in whole if _WORD_RE.search(one) and not is_question(one) and one not in accepting]


_WORD_RE: Final = re.compile(r"\w")


@dataclass(frozen=True)
class Explaining:
    """Writes the line of an unread sentence."""

    names: Names
    facts: FactLayer
    plans: PlanLayer
    lang: Lang
    """The language of the reasons."""

    def __call__(self, turn: int, line: str, sentence: str, mark: str = "", why: str = "") -> Unread:
        """`sentence`: what stands after the mark. `why` it gave no row: empty where rules read it, and can tell."""
        whole_names = [self.names.whole(item.named, self.facts) for item in self.names.find(sentence)]
        names = tuple(dict.fromkeys(whole_names))
        why = why or self._why(line, sentence, mark)
        return Unread(turn=turn, line=line, why=why, names=names, chapter=first_chapter_named(sentence))

    def of(self, turn: int, line: Line) -> Unread:
        """Of a marked line."""
        return self(turn, line.raw, line.text, line.mark)

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
