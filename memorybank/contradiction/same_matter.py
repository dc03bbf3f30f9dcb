"""Whether two frames speak of one matter: the same thing or event, in the same part, at the same time, counted alike.

This is the one place that decides it. When in doubt they do not: a false contradiction costs the user a round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from memorybank.contradiction import words_zh
from memorybank.contradiction.entity import (
    HARMLESS_SCOPE,
    Entity,
    same,
    stems,
)  # fmt: skip
from memorybank.contradiction.frame import Frame, Reading, overlap
from memorybank.contradiction.keys import key
from memorybank.contradiction.naming import of_other_names
from memorybank.contradiction.phrases import Match, Units, joined, match_units
from memorybank.contradiction.same_topic import of_one_thing
from memorybank.language import dates
from memorybank.language.han import is_han
from memorybank.language.lexicon import any_of, lexicon, whole
from memorybank.memory.types import Claim, Contradiction, Reader

_LONG_NAME = 5
"""Characters of a run that is hardly a common noun."""


def same_matter(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> Match:
    """Whether two frames of one slot are said of one thing; unknown where nothing tells their things apart."""
    return _BY_READER[left.found_by](left, right, left_reading, right_reading)


def _claims(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> Match:
    if left.about is not None and right.about is not None and same(left.about, right.about) == "different":
        return "different"
    if left.measure is None and (left.entity.scope ^ right.entity.scope) - HARMLESS_SCOPE:
        return "different"
    if _is_part_of(left, right) or _is_part_of(right, left):
        return "different"
    verdict = same(left.entity, right.entity)
    if (
        verdict == "different"
        and left.relation == "state"
        and _both_mention(left, right, left_reading.topic, right_reading.topic)
    ):
        verdict = "same"  # "drivers pay a toll on the X bridge", "no toll is charged on the X bridge"
    if verdict == "different" or _speaks_of_another(left, right, left_reading.topic, right_reading.topic):
        return "different"
    if verdict == "unknown" and not _likely_same(left, right):
        return "different"
    return verdict


def _says_what(entity: Entity) -> bool:
    """Whether a noun says what has the value: "the bridge"; not "it", nor an area that is nobody's."""
    nouns = entity.nouns | {entity.head}
    if entity.text and is_han(entity.text[-1]):
        return any(noun and not noun.startswith("@") for noun in nouns)
    return any(nouns) and not _SUPERLATIVE_RE.match(entity.text)  # the highest temperature: of any place


def _denials(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> Match:
    """Texts of several sentences must share their topic; a tense or a date must stand on both sides."""
    if bool(left.times) != bool(right.times) or {left.verb, right.verb} == {"past", "present"}:
        return "different"
    ours, theirs = (reading.topic if reading.sentences > 1 else () for reading in (left_reading, right_reading))
    return match_units(ours, theirs) if ours or theirs else "same"


def _relations(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> Match:
    return "same" if of_one_thing(left, right, left_reading.text, right_reading.text) else "different"


_BY_READER: Final[Mapping[Reader, Callable[[Frame, Frame, Reading, Reading], Match]]] = {
    "claims": _claims, "denials": _denials, "relations": _relations,
}  # fmt: skip


# -- the same time ----------------------------------------------------------------------------------------------------

_NOW_RE = re.compile(r"\b(?:today|now|nowadays|currently|at present|these days)\b|如今|现在|目前|现今|当前|而今", re.I)
"""What holds today need not have held in a year that is named."""


def times_differ(left: Frame, right: Frame, *, varying: bool) -> bool:
    """Whether two facts speak of different times; a value that varies needs a time on both sides or on none."""
    if left.periods and right.periods and not left.periods & right.periods:
        return True
    if bool(left.times) != bool(right.times):
        timed, untimed = (left, right) if left.times else (right, left)
        now = _NOW_RE.search(untimed.sentence) and not _NOW_RE.search(timed.sentence)
        return varying or bool(now) or _was_then(timed, untimed)
    if not left.times:
        return False
    return all(
        dates.relate(left_time, right_time) == "different" for left_time in left.times for right_time in right.times
    )


_WAS_RE = re.compile(r"\b(?:was|were|had|measured|stood)\b", re.IGNORECASE)
_IS_RE = re.compile(r"\b(?:is|are|has|have|measures|stands)\b", re.IGNORECASE)


def _was_then(timed: Frame, untimed: Frame) -> bool:
    """ "In 1929 the dam was 20 metres high", "it is 64 metres high": it may have grown since."""
    past, present = (frame.sentence[: frame.start] for frame in (timed, untimed))
    return bool(_WAS_RE.search(past) and _IS_RE.search(present)) and not _WAS_RE.search(present)


def parts_differ(left: Frame, right: Frame) -> bool:
    """Whether one speaks of a part ("its new wing") and the other of the whole, or of another part."""
    left_nouns = left.entity.nouns - {left.verb} - stems(right.entity)
    right_nouns = right.entity.nouns - {right.verb} - stems(left.entity)
    if left_nouns and right_nouns:
        return not left_nouns & right_nouns
    lone = left_nouns or right_nouns
    known = (right.context if left_nouns else left.context) | {"headquarters"}
    named = bool(left.entity.units and right.entity.units) and not (left.entity.possessive or right.entity.possessive)
    return bool(lone - known) and not named


_PART_EN_RE = re.compile(
    r"^(?:the|an?|its)\s+(?:(?!of\s)[a-z-]+\s+){0,2}?(?P<part>[a-z]+)\s+of\s+the\s+(?P<owner>.+)$", re.IGNORECASE
)
_ACT_RE = re.compile(r"(?:ing|ion|ment)$")
"""Ends of nouns for what is done to a thing, which is no part of it: the construction of the bridge."""


def _is_part_of(part: Frame, whole: Frame) -> bool:
    """Whether a subject is what belongs to the other one: the toll house of the bridge, 白塔寺的塔刹 beside 白塔寺,
    大桥主跨; or one of its kin, 李成的儿子李明. What is measured or stated itself is no part: the length of the bridge,
    the launch of the satellite, 云川市的人口.
    """
    match = _PART_EN_RE.match(part.entity.text.strip())
    if match is not None:
        noun, bare = match["part"].lower(), whole.entity.text.strip().lower().removeprefix("the ")
        stated = key(noun).startswith("@") or key(noun) in whole.attribute or _ACT_RE.search(noun)
        return match["owner"].lower() == bare and not stated
    owner, text, head = whole.entity.text.strip(), part.entity.text.strip(), part.entity.head
    owner = whole.entity.head if whole.entity.head and owner.startswith(whole.entity.head) else owner  # 博物馆面积
    if not owner or not is_han(owner[-1]) or not text.startswith(owner):
        return False
    if head == owner:
        return bool(_measured(part.entity.nouns) - whole.attribute)
    if head == whole.entity.head or text[len(owner) : len(owner) + 1] not in ("的", "之"):
        return False
    kin = head.startswith(tuple(words_zh.KIN))
    return kin or bool(_measured(part.attribute) and not _measured(part.entity.nouns))


def _measured(keys: frozenset[str]) -> frozenset[str]:
    """The keys of what can be measured: length, area."""
    return frozenset(key for key in keys if key.startswith("@"))


# -- the same thing ---------------------------------------------------------------------------------------------------


def _speaks_of_another(left: Frame, right: Frame, topic: Units, other_topic: Units) -> bool:
    """Whether two texts about different things only share a noun: each names its own, or leaves it to be understood."""
    if not topic or not other_topic or match_units(topic, other_topic) != "different":
        return False
    named_left, named_right = _mentions(left.sentence, topic), _mentions(right.sentence, other_topic)
    if named_left and named_right:
        return not (_mentions(right.sentence, topic) or _mentions(left.sentence, other_topic))
    if (left.entity.proper and right.entity.proper) or _is_long_name(left.entity.units, right.entity.units):
        return False
    names = (left.entity.name, topic), (right.entity.name, other_topic)
    return not any(name and match_units(name, about) == "same" for name, about in names)


def _is_long_name(left: Units, right: Units) -> bool:
    """Whether both write one run of Chinese that is too long to be a common noun: 爱因斯坦探针."""
    short, long = sorted(("".join(left), "".join(right)), key=len)
    return len(short) >= _LONG_NAME and is_han(short[0]) and short in long


def _both_mention(left: Frame, right: Frame, topic: Units, other_topic: Units) -> bool:
    """Whether two statements with different grammatical subjects speak of the one thing that both texts are about."""
    if match_units(topic, other_topic) != "same":
        return False
    return _mentions(left.sentence, topic) and _mentions(right.sentence, other_topic)


def _mentions(sentence: str, units: Units) -> bool:
    low = sentence.lower()
    if joined(units) in low:
        return True
    long = [unit for unit in units if len(unit) > 2]
    return bool(long) and all(unit in low for unit in long)


def _likely_same(left: Frame, right: Frame) -> bool:
    """For subjects without a name on both sides: one noun twice ("the bridge"), in a statement otherwise alike; of
    states also a pronoun twice."""
    if left.entity.name or right.entity.name:
        return False
    if left.relation != "state" and not (_says_what(left.entity) and _says_what(right.entity)):
        return False
    left_theme, right_theme = _theme(left), _theme(right)
    heads = {left.entity.head}, {right.entity.head}
    if all(map(any, heads)) and not (heads[0] & right_theme or heads[1] & left_theme):
        return False
    wanted = 0.5 if left.relation == "state" else 0.66  # two opposite words are part of what is said
    if not left_theme and not right_theme:
        return left.entity.back and right.entity.back
    return bool(left_theme & right_theme) and overlap(left_theme, right_theme) >= wanted


def _theme(frame: Frame) -> frozenset[str]:
    return frame.entity.nouns | frame.attribute | ({frame.entity.head} if frame.entity.head else frozenset())


# -- what sets two sentences apart ------------------------------------------------------------------------------------

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


def are_set_apart(contradiction: Contradiction) -> bool:
    """Whether something in the two sentences sets them apart: a condition, another time, a like name."""
    left, right = contradiction.left, contradiction.right
    return (
        _of_variants(left, right)
        or of_other_names(contradiction)
        or _before_and_after(left.text, right.text)
        or _before_and_after(right.text, left.text)
        or (contradiction.found_by == "claims" and _told_differently(left, right))
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


def _before_and_after(left: str, right: str) -> bool:
    """ "was owned by the Venns until 2016", "has been owned by the trust since 2016"."""
    return bool(_UNTIL_RE.search(left) and _FROM_RE.search(right)) and not _UNTIL_RE.search(right)


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
    continuations = re.findall(rf"\b{re.escape(name)}((?: [A-Z][\w-]*)?)(?![\w-])", sentence, re.IGNORECASE)
    words = {word.strip().lower() for word in continuations if word[:2].strip()[:1].isupper() or not word}
    return "" if len(words) != 1 or words <= _GENERIC else words.pop()
