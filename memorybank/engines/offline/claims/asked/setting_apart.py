"""What sets two like statements apart: adults and children, the whole and a part, a plan and what came of it."""

from __future__ import annotations

import re
from functools import cache

from memorybank.engines.offline.claims import dates
from memorybank.engines.offline.claims.asked.patterns import pattern
from memorybank.engines.offline.claims.lexicon import lexicon
from memorybank.text import sentences
from memorybank.types import Claim, Contradiction

Marks = frozenset[tuple[str, str]]
"""Groups and the members of them that a text names."""

_OWN = "own"
_WHOLE = frozenset({_OWN, "year"})
"""The member of a group that is meant where nothing is said: the whole, the main one, what came of it."""


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

_OF_CLAUSES = frozenset({"reality", "kin", "rate"})
"""Said of the clause they stand in: "it earned 37 million net, and it plans to build a hall"."""
_OF_ALL_BEFORE = frozenset({"reality", "rate"})
"""Of clauses before it, too: "The estimate, on which the vote was based, puts the cost at 240 million."."""
_CARRIED = frozenset(
    {
        "health",
        "version",
        "stage",
        "release",
        "season",
        "side",
        "variant",
        "edition",
        "age",
        "sex",
        "course",
        "work",
        "summit",
    }
)
"""Said on until the thing is named anew: "The second edition has been revised. ... its length is 548 pages."."""
_RESTRICT = frozenset(
    {
        "season",
        "variant",
        "edition",
        "age",
        "sex",
        "course",
        "work",
        "summit",
        "health",
        "rate",
        "extent",
        "reality",
        "round",
    }
) | {"kin", "part", "namesake"}
"""Named by a statement and not by the question, they tell of less, or of another; the others only tell two apart."""

_REQUIRED = frozenset({"rate"})
"""Asked for, they have to be told: passengers a day, and of a year."""


def marks_at(sentence: str, at: int, carried: Marks) -> Marks:
    """What a value at that place is said of."""
    begin = max(sentence.rfind(mark, 0, at) for mark in _CLAUSE_ENDS) + 1
    end = min((place for mark in _CLAUSE_ENDS if (place := sentence.find(mark, at)) >= 0), default=len(sentence))
    wide = {mark for mark in marks(sentence) if mark[0] not in _OF_CLAUSES}
    near = {mark for mark in marks(sentence[begin:end]) if mark[0] in _OF_CLAUSES}
    near |= {mark for mark in marks(sentence[:begin]) if mark[0] in _OF_ALL_BEFORE}
    named = {group for group, _ in wide}
    return frozenset(wide | near | {mark for mark in carried if mark[0] not in named})


_CLAUSE_ENDS = ", ", "; ", "，", "；", "。"


def marks_carried(sentence: str) -> Marks:
    return frozenset(mark for mark in marks(sentence) if mark[0] in _CARRIED)


def apart(one: Marks, other: Marks) -> bool:
    """Whether two statements name different members of a group, and none that both name."""
    for group in {group for group, _ in one} & {group for group, _ in other}:
        if not {mark for mark in one if mark[0] == group} & {mark for mark in other if mark[0] == group}:
            return True
    return False


def restricted(said: Marks, reference: Marks) -> bool:
    """Whether a statement speaks of less, or of something else, than was asked for."""
    named = {group for group, _ in reference}
    if named & _REQUIRED - {group for group, _ in said}:
        return True
    return apart(said, reference) or any(
        group in _RESTRICT and member not in _WHOLE and group not in named for group, member in said
    )


_TWO_SIDED = frozenset(
    {"version", "stage", "release", "term", "inclusion", "level", "side", "sex", "variant", "peak", "rate", "extent"}
)
"""Groups that set claims apart only where both name them."""
_OF_STATEMENTS = _TWO_SIDED | frozenset({"season", "variant", "edition", "work", "reality", "age", "sex", "summit"})
"""Groups that set claims apart which were found in another way, without a question: named on one side they restrict."""
_OF_SUBJECTS = _OF_STATEMENTS | {"namesake"}
"""A sentence may name the elder one and speak of the younger."""


def set_apart(contradiction: Contradiction, texts: tuple[str, str], question: str = "") -> bool:
    """Whether one claim is said of another variant, edition, version or person of the name than the other.

    `texts`: what the claims stand in; the sentence before one may say what "it" is.
    """
    left, right = contradiction.left, contradiction.right
    sides = zip((left, right), texts, strict=True)
    groups = _OF_STATEMENTS - {"work"} if _tells_author(contradiction) else _OF_STATEMENTS
    one, other = (_within(_marks_of(claim, text), groups) for claim, text in sides)
    if apart(one, other) or _restricts(one, other):
        return True
    asked = marks(question)
    if apart(one, asked) or apart(other, asked) or _of_other_years(left, question) or _of_other_years(right, question):
        return True
    one, other = (_within(marks(claim.subject), _OF_SUBJECTS) for claim in (left, right))
    return apart(one, other) or _restricts(one, other)


def _marks_of(claim: Claim, text: str) -> Marks:
    said = [text[piece.start : piece.end].strip() for piece in sentences(text[: text.find(claim.text) + 1])]
    before = marks_carried(said[-2]) if len(said) > 1 else frozenset()
    return marks_at(claim.text, max(0, claim.text.find(claim.value)), _within(before, _TOLD_BEFORE))


_TOLD_BEFORE = frozenset({"version", "stage", "release", "season", "variant", "edition"})


def _tells_author(contradiction: Contradiction) -> bool:
    """Who wrote a book wrote it whatever was made of it."""
    return contradiction.left.attribute in _AUTHOR and "编剧" not in contradiction.left.text + contradiction.right.text


_AUTHOR = frozenset({"author", "作者"})


def _of_other_years(claim: Claim, question: str) -> bool:
    """ "In 1926 a strike lasted three weeks", asked of that of 1912."""
    at = claim.text.find(claim.value)
    return claim.kind != "date" and at >= 0 and other_years(claim.text, question, (at, at + len(claim.value)))


_COUNT_RE = re.compile("[\u3400-\u9fff]")
"""Behind four digits without 年: 1523万人."""


def _within(found: Marks, groups: frozenset[str]) -> Marks:
    return frozenset(mark for mark in found if mark[0] in groups)


def _restricts(one: Marks, other: Marks) -> bool:
    lone = {group for group, _ in one} ^ {group for group, _ in other}
    return any(group in lone and group not in _TWO_SIDED and member != _OWN for group, member in one | other)


def other_years(sentence: str, reference: str, value: tuple[int, int]) -> bool:
    """Whether a sentence states years, its value left out, and none of those that the reference states."""
    asked = _years(reference)
    said = {
        year
        for day in dates.scan(sentence)
        if not (day.start < value[1] and value[0] < day.end) and not (day.bare and _COUNT_RE.match(sentence, day.end))
        for year in (day.first[0], day.last[0])
        if year
    }
    return bool(asked and said) and not asked & said


@cache
def _years(text: str) -> frozenset[int]:
    """Without those that end a name: Wonder Woman 1984."""
    days = (day for day in dates.scan(text) if not (day.bare and _NAME_BEFORE_RE.search(text[: day.start])))
    return frozenset(year for day in days for year in (day.first[0], day.last[0]) if year)


_NAME_BEFORE_RE = re.compile(r"\b[A-Z][\w’'-]*\s$")
