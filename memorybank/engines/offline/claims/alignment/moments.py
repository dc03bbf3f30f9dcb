"""The one date of a clause, with what happened then; and when two exclude each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.engines.offline.claims import dates, values
from memorybank.engines.offline.claims.alignment.clauses import Clause
from memorybank.engines.offline.claims.alignment.covering import equal_but_for_value
from memorybank.engines.offline.claims.alignment.frames import Frame
from memorybank.engines.offline.claims.alignment.words import REPEATABLE, REPEATABLE_HAN
from memorybank.engines.offline.claims.dates import Date

_PASSIVE_RE = re.compile(r"\b(?:was|were)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|lt|nt|ught|de|nd)\b")
_BEFORE_YEAR_RE = re.compile(r"\b(?:in|of|since)\s$")
_SINGLED_OUT_RE = re.compile(r"(?:的(?:日子|日期|时间|年份)[是为]在?|是在?)$")
"""Before a date that says when the one event was: 首演是在1958年, 点亮的日子是10月2日."""
_AFTER_SINGLED_OUT_RE = re.compile(r"\s*(?:[\u4e00-\u9fff]{2}的|的)?\s*$")
_ONLY_ONE_RE = re.compile(r"\b(?:first|last|final|maiden|inaugural)\b", re.IGNORECASE)
_FEWEST_ATOMS = 4


def frames(clause: Clause) -> Iterator[Frame]:
    own = clause.own_days()
    if len(own) != 1 or own[0].range or not own[0].year:
        return
    day, after = own[0], clause.after(own[0].end)
    if not clause.chinese:
        if _tells_moment(clause, day):
            before = clause.before(day.start)
            yield replace(clause.frame("date", day.start, day.end), date=day, before=before, after=after)
        elif _ONLY_ONE_RE.search(clause.text) and _happens_once(clause):
            yield replace(clause.frame("date", day.start, day.end), date=day, definite=True)
    elif _tells_event(clause, after):
        yield replace(clause.frame("date", day.start, day.end), date=day, after=after)
    elif _happens_once(clause):
        yield _loose(clause, day)


def _tells_moment(clause: Clause, day: Date) -> bool:
    """Whether something was done then, and a bare year is one."""
    return bool(_PASSIVE_RE.search(clause.text)) and (
        not day.bare or bool(_BEFORE_YEAR_RE.search(clause.sentence[: day.start]))
    )


def _tells_event(clause: Clause, after: str) -> bool:
    if len(after) < 2 or after[0] in "的有共约" or after in REPEATABLE_HAN:
        return False
    return not values.scan(clause.text, dates=clause.days)


def _happens_once(clause: Clause) -> bool:
    counted = values.scan(clause.text, dates=clause.days)
    return not counted and not any(word in clause.text for word in REPEATABLE_HAN)


def _loose(clause: Clause, day: Date) -> Frame:
    """A date with no event right after it; definite where the clause is about the date."""
    before = _SINGLED_OUT_RE.search(clause.sentence, clause.start, day.start)
    definite = before is not None and bool(_AFTER_SINGLED_OUT_RE.match(clause.sentence, day.end, clause.end))
    drop = (before.span(),) if before is not None and definite else ()
    return replace(clause.frame("date", day.start, day.end, drop), date=day, definite=definite)


def differ(left: Frame, right: Frame) -> bool:
    assert left.date is not None
    assert right.date is not None
    if left.before in REPEATABLE or dates.relate(left.date, right.date) != "different":
        return False
    if left.definite or right.definite:
        enough = min(len(left.atoms), len(right.atoms)) >= _FEWEST_ATOMS
        return enough and equal_but_for_value(left, right)
    return left.before == right.before and (left.before != "" or left.after == right.after != "")
