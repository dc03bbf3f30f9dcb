"""Whether a sentence names what a contradiction is about: a source speaks on it only there (design section 6)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from memorybank.language.han import HAN_RE
from memorybank.language.tokens import query_tokens
from memorybank.memory.types import Contradiction

_NAME_RE: Final = re.compile(r"[A-ZÀ-Þ][\w’'-]*|\b[\w-]*\d[\w-]*")
"""A word of a name: with a capital, or with a digit."""
_COUNT_RE: Final = re.compile(r"\b\d[\d,.]*(?= [a-z])")
"""15 people, 107 wind turbines: how many there are is no name."""
_ARTICLE_RE: Final = re.compile(r"^(?:The|An?|This|That|Its|His|Her|Their|Our)\s+")
_POSSESSIVE_RE: Final = re.compile(r"['’]s?$")
_MARKS_RE: Final = re.compile(r"\W|_|[的之这该本]")


def names_subject(sentence: str, contradiction: Contradiction) -> bool:
    """Whether a sentence writes the subject of one of the two claims: all of its name, or all words of one without."""
    subjects = dict.fromkeys(
        claim.subject for claim in (contradiction.left, contradiction.right) if claim.subject.strip()
    )
    return any(_writes(sentence, subject) for subject in subjects)


def of_other_names(contradiction: Contradiction) -> bool:
    """Whether each claim is said of a name that the other's sentence does not write: Tarn Moss, Tarn Head."""
    left, right = contradiction.left, contradiction.right
    left_names, right_names = (_names(_COUNT_RE.sub("", claim.subject)) for claim in (left, right))
    if not left_names or not right_names:
        return False
    mine, theirs = _words(" ".join(left_names)), _words(" ".join(right_names))
    here, there = _words(left.text), _words(right.text)
    return mine <= here and theirs <= there and not mine <= there and not theirs <= here


def _writes(sentence: str, subject: str) -> bool:
    if HAN_RE.search(subject):
        return _MARKS_RE.sub("", subject) in _MARKS_RE.sub("", sentence)
    wanted = _telling(subject)
    return bool(wanted) and wanted <= _words(sentence)


@lru_cache(maxsize=4096)
def _telling(subject: str) -> frozenset[str]:
    """The words of its names; of a subject without one all words that tell something."""
    return _words(" ".join(_names(subject)) or subject)


def _names(subject: str) -> list[str]:
    if HAN_RE.search(subject):
        return []
    return [_POSSESSIVE_RE.sub("", name) for name in _NAME_RE.findall(_ARTICLE_RE.sub("", subject))]


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(query_tokens(text, limit=len(text) + 1))
