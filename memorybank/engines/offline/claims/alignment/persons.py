"""Who did it or holds the office: passive voice, agent nouns, 由; and when two persons exclude each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from memorybank.engines.offline.claims import words_en, words_zh
from memorybank.engines.offline.claims.alignment.clauses import Clause
from memorybank.engines.offline.claims.alignment.frames import Frame
from memorybank.engines.offline.claims.alignment.names import units_of
from memorybank.engines.offline.claims.alignment.words import LISTS, REPEATABLE, REPEATABLE_HAN, any_of
from memorybank.engines.offline.claims.entity import is_region
from memorybank.engines.offline.claims.phrases import is_han

_WHO_EN = r"(?P<who>[A-ZÀ-Þ][\w’'.-]*(?:\s+(?:de |van |von |der |bin |al-)?[A-ZÀ-Þ][\w’'.-]*){1,3})"
_ROLE = rf"(?P<act>(?!(?:{any_of(LISTS.ordered('no_roles'))})s?\b)[a-z]{{3,}})"
"""Any noun: "the patron of X is Y" names the one patron."""
_DONE = r"\b(?:was|were|is|are|been)\s+(?:\w+ly\s+)?(?P<act>[a-z]+(?:ed|en|wn|lt))"
_PERSON_EN: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(rf"{_DONE}\s+by\s+{_WHO_EN}"), True),
    (re.compile(rf"\b(?:the|The|its|Its)\s+{_ROLE}\s+of\s+.{{2,60}}?\s(?:was|is)\s+{_WHO_EN}"), True),
    (re.compile(rf"{_WHO_EN}\s+(?:was|is)\s+the\s+{_ROLE}\s+of\b"), True),
    (re.compile(rf"{_WHO_EN}\s+(?P<act>[a-z]+ed)\s+(?=the\s|[A-Z])"), False),
)  # fmt: skip
_ROLE_ZH = rf"(?P<act>[\u4e00-\u9fff]{{0,4}}(?:{any_of(LISTS.ordered('roles_han'))}))"
_WHO_ZH = r"(?P<who>[\u4e00-\u9fff]{2,4}|[\u4e00-\u9fff]{1,6}(?:·[\u4e00-\u9fff]{1,8})+)"
_PERSON_ZH: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(rf"的{_ROLE_ZH}(?:是|为){_WHO_ZH}$"), True),
    (re.compile(rf"由{_WHO_ZH}担任{_ROLE_ZH}"), True),
    (re.compile(r"(?P<act>由)(?P<who>[\u4e00-\u9fff]{4,8})(?=的|$)"), True),
)
"""Patterns with their `who` and `act`, and whether nobody else can have done it."""
_BY = "由"
"""Before a run of person and verb that is cut only when another such run stands beside it."""
_ORGANISATIONS = LISTS.words("organisations")


def frames(clause: Clause) -> Iterator[Frame]:
    for pattern, definite in _PERSON_ZH if clause.chinese else _PERSON_EN:
        for match in pattern.finditer(clause.text):
            start, end = match.start("who") + clause.start, match.end("who") + clause.start
            act = match["act"] if clause.chinese else _act(match["act"])
            who = match["who"].strip()
            if not act or act in REPEATABLE or (act != _BY and not _is_person(who, clause.chinese)):
                continue
            hole = (match.start("act") + clause.start, match.end("act") + clause.start)
            frame = clause.frame("name", start, end, (hole,))
            yield replace(frame, person=units_of(who), before=act, definite=definite)


@lru_cache(maxsize=4096)
def _act(word: str) -> str:
    """What a regular verb and its agent noun share: command in commanded and commander."""
    bare = re.sub(r"(?:ed|er|or|ist|ing|s)$", "", word)
    bare = bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2:-1] and bare[-1] not in "lsz" else bare
    return bare.rstrip("e")


def _is_person(name: str, chinese: bool) -> bool:
    if chinese:
        surname = len(name) <= 3 and name[:1] in words_zh.SURNAMES and name not in words_zh.PLAIN
        return len(name) > 1 and ("·" in name or surname)
    parts = name.lower().split()
    return (
        2 <= len(parts) <= 4 and not set(parts) & (_ORGANISATIONS | words_en.DEMONYMS) and not is_region(tuple(parts))
    )


def differ(left: Frame, right: Frame) -> bool:
    if left.before == right.before == _BY:
        left, right = told_apart(left, right)
        persons = all(_is_person("".join(frame.person), True) for frame in (left, right))
        if not persons or left.before in REPEATABLE_HAN:
            return False
    return (
        left.before == right.before
        and (left.definite or right.definite)
        and not set(left.person) & set(right.person)
        and is_han("".join(left.person)) == is_han("".join(right.person))
    )


def told_apart(left: Frame, right: Frame) -> tuple[Frame, Frame]:
    """Two runs 由 + person + verb, cut where they begin to be the same: 由周启明设计, 由冯立群设计."""
    if not left.before == right.before == _BY:
        return left, right
    tail = 0
    while tail < min(len(left.person), len(right.person)) and left.person[-1 - tail] == right.person[-1 - tail]:
        tail += 1
    if tail < 2:
        return replace(left, person=()), replace(right, person=())
    act = "".join(left.person[-tail:])
    one, other = (
        replace(frame, person=frame.person[:-tail], end=frame.end - tail, before=act) for frame in (left, right)
    )
    return one, other
