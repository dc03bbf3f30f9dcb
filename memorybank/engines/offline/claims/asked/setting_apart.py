"""What sets two claims apart that look alike: another variant, edition or namesake, a plan and its outcome, a year."""

from __future__ import annotations

import re
from functools import lru_cache

from memorybank.engines.offline.claims import dates
from memorybank.engines.offline.claims.asked.marks import (
    Marks,
    apart,
    groups_of,
    lesser,
    marks,
    marks_at,
    marks_carried,
    taken,
    within,
)
from memorybank.text import sentences
from memorybank.types import Claim, Contradiction

_ONE_SIDED = taken("one_sided") | taken("subjects")
_OF_STATEMENTS = taken("two_sided") | taken("one_sided")
_OF_SUBJECTS = _OF_STATEMENTS | taken("subjects")
"""A sentence may name the elder one and speak of the younger."""


def set_apart(contradiction: Contradiction, texts: tuple[str, str], question: str = "") -> bool:
    """Whether one claim is said of another variant, edition, version or person of the name than the other.

    `texts`: what the claims stand in; the sentence before one may say what "it" is.
    """
    left, right = contradiction.left, contradiction.right
    sides = zip((left, right), texts, strict=True)
    groups = _OF_STATEMENTS - {"work"} if _tells_author(contradiction) else _OF_STATEMENTS
    one, other = (within(_marks_of(claim, text), groups) for claim, text in sides)
    if apart(one, other) or _restricts(one, other):
        return True
    asked = marks(question)
    if apart(one, asked) or apart(other, asked):
        return True
    if any(_of_other_years(claim, text, question) for claim, text in zip((left, right), texts, strict=True)):
        return True
    one, other = (within(marks(claim.subject), _OF_SUBJECTS) for claim in (left, right))
    return apart(one, other) or _restricts(one, other)


def _marks_of(claim: Claim, text: str) -> Marks:
    said = [text[piece.start : piece.end].strip() for piece in sentences(text[: text.find(claim.text) + 1])]
    before = marks_carried(said[-2]) if len(said) > 1 else frozenset()
    return marks_at(claim.text, max(0, claim.text.find(claim.value)), within(before, _TOLD_BEFORE))


_TOLD_BEFORE = frozenset({"version", "stage", "release", "season", "variant", "edition"})


def _tells_author(contradiction: Contradiction) -> bool:
    """Who wrote a book wrote it whatever was made of it."""
    return contradiction.left.attribute in _AUTHOR and "编剧" not in contradiction.left.text + contradiction.right.text


_AUTHOR = frozenset({"author", "作者"})


def _of_other_years(claim: Claim, text: str, question: str) -> bool:
    """ "In 1926 a strike lasted three weeks", asked of that of 1912; "Report of the board for 2021. Revenue was …"."""
    at = claim.text.find(claim.value)
    if claim.kind == "date" or at < 0:
        return False
    if other_years(claim.text, question, (at, at + len(claim.value))):
        return True
    headed = _HEADED_RE.match(text)
    asked = _years(question)
    return headed is not None and bool(asked) and not _years(claim.text) and not asked & _years(text)


_HEADED_RE = re.compile(
    r"[^.!?\n。！？]{0,120}\b(?:for|of)\s(?:1[5-9]|20)\d\d(?=[.:,\n])|[^.!?\n。！？]{0,40}(?:1[5-9]|20)\d\d年[度报]"
)
"""What a text is on, told by its first line."""


_COUNT_RE = re.compile("[\u3400-\u9fff]")
"""Behind four digits without 年: 1523万人."""


def _restricts(one: Marks, other: Marks) -> bool:
    """Whether one side names what tells of less, or of another, where the other names nothing."""
    return bool(groups_of(lesser(one | other)) & (groups_of(one) ^ groups_of(other)) & _ONE_SIDED)


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


@lru_cache(maxsize=256)
def _years(text: str) -> frozenset[int]:
    """Without those that end a name: Wonder Woman 1984."""
    days = (day for day in dates.scan(text) if not (day.bare and _NAME_BEFORE_RE.search(text[: day.start])))
    return frozenset(year for day in days for year in (day.first[0], day.last[0]) if year)


_NAME_BEFORE_RE = re.compile(r"\b[A-Z][\w’'-]*\s$")
