"""Places where something was done: beside the verb in English, 从, 在 before it in Chinese; and when two exclude."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.engines.offline.claims import words_en
from memorybank.engines.offline.claims.alignment.clauses import Clause
from memorybank.engines.offline.claims.alignment.frames import Frame, overlaps
from memorybank.engines.offline.claims.alignment.names import units_of
from memorybank.engines.offline.claims.alignment.words import (
    GENERIC_HAN,
    LIGHT_HAN,
    LISTS,
    NOT_NAMES,
    REPEATABLE,
    REPEATABLE_HAN,
    SHOWN,
    any_of,
)
from memorybank.engines.offline.claims.entity import is_region
from memorybank.engines.offline.claims.phrases import Units, is_han

_WORDS = r"[A-ZÀ-Þ][\w’'-]*"
_PLACE_EN_RE = re.compile(
    rf"\b(?:from|in|at|near)\s+(?P<place>{_WORDS}(?:\s+(?:of\s+)?{_WORDS})*"
    rf"(?:(?:,\s*|\s+in\s+){_WORDS}(?:\s+{_WORDS})*)*)"
)
_PLACE_ZH_RE = re.compile(r"[从在](?P<place>[\u4e00-\u9fff]{2,12}?)(?P<verb>[\u4e00-\u9fff]{2})(?=的|了|$|[，。；、])")
_PLACE_AFTER_ZH_RE = re.compile(r"(?P<verb>[\u4e00-\u9fff]{2})于(?P<place>[\u4e00-\u9fff]{2,8}?)(?=的|了|$|[，。；、])")
_ACT_EN_RE = re.compile(
    r"\b(?:was|were|is|are|been|be)\s+(?:\w+ly\s+)?[a-z]+(?:ed|en|lt|wn|rn|ld|nd|ut)(?:\s+\w+ly)?$"
    r"|\b(?:lies|stands|sits)$"
)
_NO_PLACE_RE = re.compile(r"[年月日的了一二三四五六七八九十]")
_WIDE_HAN_RE = re.compile(rf"(?:{any_of(LISTS.ordered('wide_han'))})$")
_NO_ACT_HAN = REPEATABLE_HAN | LISTS.words("unplaced_han")
_COMMON = LISTS.words("common_in_places")


def frames(clause: Clause) -> Iterator[Frame]:
    if clause.chinese:
        yield from _after_verb(clause)
    for match in (_PLACE_ZH_RE if clause.chinese else _PLACE_EN_RE).finditer(clause.text):
        start, end = match.start("place") + clause.start, match.end("place") + clause.start
        if overlaps(start, end, clause.dated()):
            continue
        if not (_is_act_zh(clause, match) if clause.chinese else _is_act_en(clause, match)):
            continue
        levels = _levels(match["place"], clause.chinese)
        before = match["verb"] if clause.chinese else clause.before(start)
        if levels and before and before not in REPEATABLE | SHOWN:
            yield replace(clause.frame("place", start, end), place=levels, before=before, definite=True)


def _after_verb(clause: Clause) -> Iterator[Frame]:
    """出土于龙泉: a place only if the other side says 在…出土, for 于 has other uses (适用于)."""
    for match in _PLACE_AFTER_ZH_RE.finditer(clause.text):
        start, end = match.start("place") + clause.start, match.end("place") + clause.start
        dated = overlaps(start, end, clause.dated())
        if not dated and match["verb"] not in _NO_ACT_HAN and not _NO_PLACE_RE.search(match["place"]):
            frame = clause.frame("place", start, end)
            yield replace(frame, place=_levels(match["place"], True), before=match["verb"])


def _levels(place: str, chinese: bool) -> tuple[Units, ...]:
    """A place and what it lies in; nothing if no level names one."""
    if chinese:
        return (units_of(place),)
    levels = tuple(units_of(part) for part in re.split(r",\s*|\s+in\s+", place))
    return () if any(set(level) <= NOT_NAMES for level in levels) else levels


def _is_act_zh(clause: Clause, match: re.Match[str]) -> bool:
    """Whether the two characters after the place are the verb of the clause."""
    whole = match["place"] + match["verb"]
    relative = clause.text[match.end() :].startswith("的") and clause.text[match.end() :].strip() != "的"
    opens = all(char in LIGHT_HAN for char in re.sub(r"例如|比如|其中", "", clause.text[: match.start()]))
    plain = not whole.endswith(GENERIC_HAN) and not _NO_PLACE_RE.search(whole)
    return plain and (opens or not relative) and match["verb"] not in REPEATABLE_HAN


def _is_act_en(clause: Clause, match: re.Match[str]) -> bool:
    """Whether a verb stands before the place: "was launched from"."""
    before = clause.start + match.start()
    days = [day for day in clause.days if clause.start <= day.start and day.end <= before]
    stretch = clause.text[: (days[-1].start - clause.start if days else match.start())]
    return bool(_ACT_EN_RE.search(re.sub(r"\s*\b(?:on|in|at|of)?\s*$", "", stretch)))


def differ(left: Frame, right: Frame) -> bool:
    told = left.definite or right.definite
    return told and left.before == right.before and _apart(left.place, right.place)


def _apart(left: tuple[Units, ...], right: tuple[Units, ...]) -> bool:
    """Whether neither place can lie in the other: unlike at every level they share, and equally wide."""
    if any(alike(one, other) for one in left for other in right):
        return False
    if is_region(left[0]) != is_region(right[0]):
        return False
    if len(left) > 1 and len(right) > 1:
        return True
    return len(left) == len(right) and _width(left[0]) == _width(right[0])


def alike(one: Units, other: Units) -> bool:
    if is_han("".join(one)):
        short, long = sorted(("".join(one), "".join(other)), key=len)
        return short in long or short[:2] == long[:2]
    return bool(set(one) & set(other) - _COMMON)


def _width(units: Units) -> str:
    """How wide a place is, as far as its last word tells."""
    if is_han(units[0]):
        found = _WIDE_HAN_RE.search("".join(units)) if len(units) > 2 else None
        return found[0] if found else ""
    if units[-1] in words_en.SITES:
        return "site"
    return "region" if is_region(units) or units[-1] in words_en.WIDE_PLACES else ""
