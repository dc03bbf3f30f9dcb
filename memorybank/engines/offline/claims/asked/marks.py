"""What a statement is said of beside its subject: adults, a part, a plan, the second edition; lists in `asked.yaml`."""

from __future__ import annotations

import re
from functools import cache

from memorybank.engines.offline.claims.asked.patterns import pattern
from memorybank.engines.offline.claims.lexicon import lexicon

Marks = frozenset[tuple[str, str]]
"""Groups and the members of them that a text names."""

_WHOLE = frozenset({"own", "year"})
_GROUPS: dict[str, frozenset[str]] = {
    how: frozenset(named) for how, named in lexicon("asked").classes("groups").items()
}
"""How each is taken; told in the list."""


@cache
def _groups() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    lists = lexicon("asked").lists["apart"]
    return tuple((group, member, pattern(words)) for group, of in lists.items() for member, words in of.items())


def marks(text: str) -> Marks:
    listed = frozenset((group, member) for group, member, words in _groups() if words.search(text))
    return listed | {
        (group, name[-_LONGEST:].casefold())
        for group, shape in _NAMED.items()
        for name in map(_first, shape.findall(text))
    }


def _first(found: str | tuple[str, ...]) -> str:
    return found if isinstance(found, str) else next(filter(None, found), "")


_NAMED = {
    "version": re.compile("([\u3400-\u9fff]{2,6}?)(?:版|(?<![一这该那此几两新每各])款)(?![本面权画社税图式项])"),
    "stage": re.compile("([\u3400-\u9fff]{2})阶段"),
    "release": re.compile(
        r"\b(\d{1,3}\.(?:x|\d+))(?=\s?(?:版|系列|release|series))|\b(?:version|v)\s?(\d{1,3}\.[\dx]+)"
    ),
}
"""Groups whose members a text names itself: 标准续航版, 施工阶段, 2.x 版本."""
_LONGEST = 4
"""Characters of such a name that tell it from another."""


def groups_of(found: Marks) -> frozenset[str]:
    return frozenset(group for group, _ in found)


def within(found: Marks, groups: frozenset[str]) -> Marks:
    return frozenset(mark for mark in found if mark[0] in groups)


def taken(how: str) -> frozenset[str]:
    """The groups that are taken so."""
    return _GROUPS[how]


def marks_at(sentence: str, at: int, carried: Marks) -> Marks:
    """What a value at that place is said of."""
    begin = max(sentence.rfind(mark, 0, at) for mark in _CLAUSE_ENDS) + 1
    end = min((place for mark in _CLAUSE_ENDS if (place := sentence.find(mark, at)) >= 0), default=len(sentence))
    everywhere = marks(sentence)
    wide = everywhere - within(everywhere, _GROUPS["of_clauses"])
    near = within(marks(sentence[begin:end]), _GROUPS["of_clauses"])
    near |= within(marks(sentence[:begin]), _GROUPS["of_all_before"])
    return wide | near | (carried - within(carried, groups_of(wide)))


_CLAUSE_ENDS = ", ", "; ", "，", "；", "。"


def marks_carried(sentence: str) -> Marks:
    """What the sentences after it are said of, too."""
    return within(marks(sentence), _GROUPS["carried"])


def apart(one: Marks, other: Marks) -> bool:
    """Whether two statements name different members of a group, and none that both name."""
    both = groups_of(one) & groups_of(other)
    return bool(both - groups_of(one & other))


def lesser(found: Marks) -> Marks:
    """Those that are not meant where nothing is said."""
    return frozenset(mark for mark in found if mark[1] not in _WHOLE)


def restricted(said: Marks, reference: Marks) -> bool:
    """Whether a statement speaks of less, or of something else, than was asked for."""
    named = groups_of(reference)
    if named & (_GROUPS["required"] - groups_of(said)):
        return True
    return apart(said, reference) or bool(groups_of(lesser(said)) & (_GROUPS["restrict"] - named))
