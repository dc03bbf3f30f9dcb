"""Chapters to come: what an author tells of a chapter that the story has not reached is a plan, unless it is told as
past.

    the story stands at chapter 7
    "Tomas dies in chapter 12."        第十二章托马斯死了。 第十二章卡尔杀死狱长。      to come
    "Tomas died in chapter 12."        第十二章卡尔杀了狱长。 第十二章他已经死了。      has happened in what is written

Chinese has no tense. 过, 已, 曾 and a 了 within its clause (杀了狱长) tell of a deed that is done; a 了 at its end
and a verb of result (杀死, 来到) tell that something has changed by then, which may be of a plan as well: these
count where chapters are told in their order, none left out.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

from memorybank.narrative.extraction.discussing import Shade
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.extraction.verbs_en import BE, HAVE, is_participle, past_of, present_of
from memorybank.types import Lang


class Past(IntEnum):
    """How far the words say that something is done."""

    NO = 0
    CHANGED = 1
    """A Chinese clause with a result, or with 了 at its end."""
    YES = 2


class Clock:
    """Where the story stands while the turns of a task are read. `last` 0: it has no chapters; nothing is to come."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.reached = last
        """The last chapter that the turns have told as happened so far."""

    def shade(self, chapter: int | None, past: Past) -> Shade | None:
        """That what is told of this chapter is still to come; the chapter after the last one is being written."""
        if not self.last or chapter is None or chapter <= self.last + 1 or past is Past.YES:
            return None
        if past is Past.CHANGED and chapter <= self.reached + 1:
            return None
        return Shade(Telling.INTENDED, str(self.last), "ahead")

    def told(self, chapter: int | None) -> None:
        self.reached = max(self.reached, chapter or 0)


def past_of_clause(clause: str, verb: int, lang: Lang) -> Past:
    """How a clause tells of its verb, which begins at this character; -1: of what no verb states."""
    if lang == "zh":
        return _chinese(clause, max(verb, 0))
    return Past.YES if _english(clause, verb) else Past.NO


_WORD_RE: Final = re.compile(r"[A-Za-z]+|['’]s\b")
_BEFORE_VERB: Final = 3
"""Words before a verb among which its auxiliaries stand: "has just been killed"."""


def _english(clause: str, verb: int) -> bool:
    if verb >= 0:
        before = [match[0].lower() for match in _WORD_RE.finditer(clause[:verb])][-_BEFORE_VERB:]
        own = [match[0].lower() for match in _WORD_RE.finditer(clause[verb:])][:_BEFORE_VERB]
        if own:
            auxiliary = next((word for word in reversed(before) if word in BE or word in HAVE), "")
            return _is_past([auxiliary, *own] if auxiliary and is_participle(own[0]) else own)
    words = [match[0].lower() for match in _WORD_RE.finditer(clause)]
    at = next((at for at, word in enumerate(words) if _is_finite(word)), None)
    return at is not None and _is_past(words[at : at + _BEFORE_VERB])


def _is_finite(word: str) -> bool:
    """'s is a genitive more often than not."""
    if not word[0].isalpha():
        return False
    return word in BE or word in HAVE or past_of(word) is not None or present_of(word) is not None


def _is_past(words: list[str]) -> bool:
    """Of a finite verb and what follows it; "has died" is past, "is killed" and "is dead" are not."""
    first, rest = words[0], words[1:]
    if first in ("has", "have", "'s", "’s"):
        return any(is_participle(word) for word in rest)
    return first in ("was", "were", "had") or past_of(first) is not None


_DONE_ZH: Final = re.compile(
    r"(?<![为除罢不得])了(?![解结却不得])(?=[^\W\d_]|□)(?![吧呢啊吗嘛么])|[一-鿿](?<![经不难])过(?![来去程往于年几节着])|已|曾|早就"
    r"|当时|当年|那时|此前|先前|从前|之前"
)
_CHANGED_ZH: Final = re.compile(r"(?<![为除])了|[到得走死下入进出住掉碎断毁成给开完回穿伤尽透]|[在于]□")


def _chinese(clause: str, verb: int) -> Past:
    """By what stands in the clause; a result stands with its verb or after it."""
    if _DONE_ZH.search(clause):
        return Past.YES
    return Past.CHANGED if _CHANGED_ZH.search(clause, verb) else Past.NO
