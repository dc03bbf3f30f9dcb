"""Plain statements and their denials; and when the one denies the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.engines.offline.claims import values
from memorybank.engines.offline.claims.alignment.clauses import Clause
from memorybank.engines.offline.claims.alignment.frames import Frame
from memorybank.engines.offline.claims.alignment.words import LISTS, any_of, whole
from memorybank.engines.offline.claims.numbers import ordinals_apart
from memorybank.engines.offline.claims.phrases import is_han

NEGATION_RE = re.compile(
    rf"{whole(LISTS.phrases('negations_en'))}|{any_of(LISTS.ordered('negations_han'))}"
    r"|(?<![时无])不(?![同少过仅断久锈错管论如可止足到得变])|(?<!从)未(?=[\u4e00-\u9fff])(?!来)",
    re.IGNORECASE,
)
_MODAL_RE = re.compile(f"{whole(LISTS.ordered('modals_en'))}|{any_of(LISTS.ordered('modals_han'))}", re.IGNORECASE)
_CONTRAST_RE = re.compile(
    f"{whole(LISTS.phrases('contrasts_en'))}|{any_of(LISTS.ordered('contrasts_han'))}", re.IGNORECASE
)
_CONDITION_RE = re.compile(
    f"{whole(LISTS.ordered('conditions_en'))}|{any_of(LISTS.ordered('conditions_han'))}", re.IGNORECASE
)
_PAST_RE = re.compile(whole(LISTS.ordered("past_en")), re.IGNORECASE)
_PRESENT_RE = re.compile(whole(LISTS.ordered("present_en")), re.IGNORECASE)
_ABLE_RE = re.compile(r"\bcan(?:not|'t)?\b|\bcould(?:n't)?\b|可以|能|无法|不可", re.IGNORECASE)
_SHARED_KEYS = 2
"""Words (or pairs of characters) that a statement and its denial must share."""


def frames(clause: Clause) -> Iterator[Frame]:
    found = list(NEGATION_RE.finditer(clause.text))
    conditional = _CONDITION_RE.search(clause.sentence[: clause.end])
    if len(found) > 1 or _CONTRAST_RE.search(clause.text) or conditional:
        return
    words = (*found, *_MODAL_RE.finditer(clause.text))
    holes = tuple((clause.start + match.start(), clause.start + match.end()) for match in words)
    frame = clause.frame("negation", clause.start, clause.start, holes)
    if len(frame.atoms) < 2 or values.scan(clause.text, dates=clause.days):
        return
    body = clause.text.strip()
    start = clause.start + clause.text.index(body)
    yield replace(frame, start=start, end=start + len(body), negated=bool(found), mood=_mood(clause.text))


def _mood(text: str) -> str:
    """Able, past or present; what was not done may well be possible, and what is not so may have been so."""
    if _ABLE_RE.search(text):
        return "able"
    past, present = _PAST_RE.search(text), _PRESENT_RE.search(text)
    return "past" if past and not present else "present" if present and not past else ""


def differ(left: Frame, right: Frame) -> bool:
    if left.negated == right.negated or len(left.keys & right.keys) < _SHARED_KEYS:
        return False
    if ordinals_apart(left.value, right.value):
        return False
    denied, affirmed = (left, right) if left.negated else (right, left)
    if denied.mood != "able" and affirmed.mood == "able":
        return is_han(denied.sentence)
    return {denied.mood, affirmed.mood} != {"past", "present"}
