"""Relations with one value: the words that open or close their slot (`relations.yaml`), and the frame of one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from memorybank.contradiction.entity import Entity
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.phrases import Name, Units
from memorybank.language.dates import Date
from memorybank.language.lexicon import lexicon

Kind = Literal["person", "name", "place"]

LISTS = lexicon("relations")
KINDS: dict[str, Kind] = {relation: kind[0] for relation, kind in LISTS.classes("kinds").items()}  # type: ignore[misc]
AGAIN = LISTS.words("again")
"""Relations of what happens again: another year has another value."""
WORD_RE = re.compile(r"[\w-]+")
_PAST_RE = re.compile(
    r"(?:\b(?:defending|former|previous|ex|past|two-time|three-time)[\s-]+|卫冕|上届|往届|历届|前任|(?<![目之此以年日])前)$",
    re.IGNORECASE,
)
"""Before the words of an office or a title: whoever had it before."""

Value = tuple[int, int]
"""Where a value stands in the sentence."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """Words that tell a relation; the value is on one side of them."""

    relation: str
    pattern: re.Pattern[str]
    after: bool
    firsts: frozenset[str] = frozenset()
    """Of English phrases the first words: a sentence without any of them need not be searched."""


@cache
def triggers(lang: Literal["en", "zh"]) -> tuple[Trigger, ...]:
    listed = []
    for side in ("after", "before"):
        for relation, words in LISTS.classes(f"{side}_{lang}").items():
            if words:
                firsts = frozenset(first[0] for word in words if (first := WORD_RE.findall(word.replace("_", " "))))
                listed.append(Trigger(relation, _pattern(words, lang), side == "after", firsts))
    return tuple(listed)


def is_past(trigger: Trigger, before: str) -> bool:
    """Whether the words behind `before` tell who had it before: the defending champion won another contest."""
    return trigger.relation in AGAIN and _PAST_RE.search(before) is not None


def _pattern(words: tuple[str, ...], lang: str) -> re.Pattern[str]:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    if lang == "zh":
        return re.compile("|".join(map(re.escape, ordered)))
    listed = "|".join(("" if word.startswith("~") else r"(?<![\w-])") + _written(word) for word in ordered)
    return re.compile(rf"(?:{listed})(?![\w-])", re.IGNORECASE)


def _written(word: str) -> str:
    """ "directed_by" also as "directed, written and produced by"."""
    pattern = re.escape(word).replace(r"\~", ",").replace("_", r"\s+")
    return re.sub(r"(?<=ed)\\s\+by$|(?<=en)\\s\+by$", lambda _: r"(?:(?:,|,?\s+and)\s+[a-z-]+){0,5}\s+by", pattern)


def relation_frame(
    relation: str,
    sentence: str,
    value: Value,
    *,
    units: Units,
    subjects: tuple[frozenset[str], ...],
    days: tuple[Date, ...],
    periods: frozenset[str],
) -> Frame:
    """`units`: the name as it is compared; `days`: all dates of the sentence; `periods`: its edition, season, part."""
    start, end = value
    kind = KINDS[relation]
    return Frame(
        found_by="relations", kind="name" if kind == "person" else kind, relation=relation, sentence=sentence,
        start=start, end=end, entity=Entity(text=""), subjects=subjects, times=days, periods=periods,
        names=(Name(text=sentence[start:end], start=start, end=end, units=units),),
    )  # fmt: skip
