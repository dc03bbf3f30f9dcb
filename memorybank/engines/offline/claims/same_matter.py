"""Whether two statements whose values differ speak of one matter: the same thing, counted alike, at the same time.

Every reader's contradictions pass here. When in doubt they do not: a false contradiction costs the user a round.
"""

from __future__ import annotations

import re

from memorybank.engines.offline.claims.entity import other_kin, other_parts, other_structures
from memorybank.engines.offline.claims.extract import leans_on, read
from memorybank.engines.offline.claims.naming import of_other_names
from memorybank.language.lexicon import any_of, lexicon, whole
from memorybank.memory.types import Claim, Contradiction

_LISTS = lexicon("same_matter")


def _listed(name: str) -> re.Pattern[str]:
    """Words of both languages."""
    return re.compile(f"{whole(_LISTS.phrases(f'{name}_en'))}|{any_of(_LISTS.ordered(f'{name}_han'))}", re.IGNORECASE)


_SUPERLATIVE_RE = re.compile(
    r"(?:\S+\s+){0,3}?(?:largest|biggest|smallest|fastest|longest|tallest|latest|newest|current|record|most \w+)\b"
    r"|.{0,8}?(?:最[大小快长高新多少强]|目前|当前|现任|纪录)",
    re.IGNORECASE,
)
"""At the head of a subject: the largest chip of IBM; 目前最大的芯片."""
_YEAR_RE = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_INDEFINITE_RE = re.compile(r"^an?\s(?!.*\bthat\b)", re.IGNORECASE)
_CONDITION_RE, _COUNTING_RE = _listed("condition"), _listed("counting")
_FROM_RE, _UNTIL_RE = _listed("from"), _listed("until")
_GENERIC = _LISTS.words("kinds_behind_names")


def one_matter(found: Contradiction) -> bool:
    left, right = found.left, found.right
    return not (
        _superlatives_of_other_times(left, right)
        or _of_others(left.text, right.text)
        or _of_other_sources(left.text, right.text)
        or _of_variants(left, right)
        or of_other_names(found)
        or _before_and_after(left.text, right.text)
        or _before_and_after(right.text, left.text)
        or (found.found_by == "claims" and _told_differently(left, right))
    )


def _told_differently(left: Claim, right: Claim) -> bool:
    """On one side only: some thing of its kind at another time, a condition told before, or another way of counting."""
    if _on_one_side(_CONDITION_RE, left.text, right.text):
        return True
    if left.kind in ("text", "negation"):
        return False
    another_time = set(_YEAR_RE.findall(left.text)) != set(_YEAR_RE.findall(right.text))
    if another_time and _on_one_side(_INDEFINITE_RE, left.subject, right.subject):
        return True
    return left.kind == "number" and _on_one_side(_COUNTING_RE, left.text, right.text)


def _on_one_side(words: re.Pattern[str], left: str, right: str) -> bool:
    return bool(words.search(left)) != bool(words.search(right))


def _before_and_after(one: str, other: str) -> bool:
    """ "was owned by the Venns until 2016", "has been owned by the trust since 2016"."""
    return bool(_UNTIL_RE.search(one) and _FROM_RE.search(other)) and not _UNTIL_RE.search(other)


def _of_variants(left: Claim, right: Claim) -> bool:
    """A name that goes on tells of another thing: Lanternhouse, Lanternhouse North; Kestrelmap, Kestrelmap Cloud."""
    names = {name for claim in (left, right) if (name := claim.subject.strip()) and name.isascii()}
    values = f"{left.value} {right.value}".lower().split()
    return any(
        left_goes != right_goes and not {left_goes, right_goes} & {*values}
        for left_goes, right_goes in ((_goes_on(name, left.text), _goes_on(name, right.text)) for name in names)
    )


def _goes_on(name: str, sentence: str) -> str:
    """The word with a capital that stands behind a name everywhere in a sentence; empty where it is a plain kind."""
    found = re.findall(rf"\b{re.escape(name)}((?: [A-Z][\w-]*)?)(?![\w-])", sentence, re.IGNORECASE)
    words = {word.strip().lower() for word in found if word[:2].strip()[:1].isupper() or not word}
    return "" if len(words) != 1 or words <= _GENERIC else words.pop()


def _of_others(left: str, right: str) -> bool:
    """What sentences are about that were laid side by side and not taken apart: "the Orla mill", "the road to Orla";
    "Mara Ellison", "Mara Ellison's son".
    """
    ours, theirs = ([fact.entity for fact in read(text).facts] for text in (left, right))
    return bool(ours and theirs) and all(
        other_structures(one, other) or other_kin(one, other) or other_parts(one, other)
        for one in ours
        for other in theirs
    )


def _of_other_sources(left: str, right: str) -> bool:
    """Each the own of who tells it: "Smith says that his father …", "Jones says that his father …"."""
    ours, theirs = leans_on(left), leans_on(right)
    return bool(ours and theirs) and not ours & theirs


def _superlatives_of_other_times(left: Claim, right: Claim) -> bool:
    """ "In 2022 the largest chip had …" and "the largest chip has …": what is the largest changes with time."""
    if left.kind == "date" or not (_SUPERLATIVE_RE.match(left.subject) or _SUPERLATIVE_RE.match(right.subject)):
        return False
    return set(_YEAR_RE.findall(left.text)) != set(_YEAR_RE.findall(right.text))
