"""The words of one clause that tell whether it speaks of what has happened: lists and forms of `modality.*.yaml`.

A list has words; a form is a pattern of the grammar around a word (着 sends only where somebody to send follows, a plan
"is" what follows its noun). Which mark wins, and how far it reaches, is told in `narration`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from memorybank.language.inflection import BASES
from memorybank.language.text import Piece
from memorybank.memory.types import Lang
from memorybank.narrative.reading.lists import any_of, lists


class Modality(StrEnum):
    """How a clause presents what it speaks of."""

    HAPPENED = "happened"
    """The narrator states that it took place or was so."""
    INTENDED = "intended"
    """Someone wants, plans, promises, orders or is about to do it."""
    HYPOTHETICAL = "hypothetical"
    """A condition, a guess, a question of yes or no, a comparison, a dream."""
    REPORTED = "told"
    """Someone in the story says that it happened or is so."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The lists of one language as patterns; what each means stands in its file."""

    chinese: bool
    masks: re.Pattern[str]
    conditional: re.Pattern[str]
    guess: re.Pattern[str]
    intended: re.Pattern[str]
    future: re.Pattern[str]
    orders: re.Pattern[str]
    speech_intended: re.Pattern[str]
    done: re.Pattern[str]
    told: re.Pattern[str]
    turns: re.Pattern[str]


_NOTHING: Final = r"(?!)"


@cache
def marks(lang: Lang) -> Marks:
    listed = lists(f"modality.{lang}")

    def pattern(name: str) -> re.Pattern[str]:
        alternatives = [any_of(listed[name], lang)] if listed.get(name) else []
        alternatives += listed["forms"].get(name, [])
        return re.compile("|".join(alternatives) or _NOTHING, re.IGNORECASE)

    names = [name for name in Marks.__dataclass_fields__ if name != "chinese"]
    return Marks(chinese=lang == "zh", **{name: pattern(name) for name in names})


def first(body: str, *patterns: re.Pattern[str]) -> re.Match[str] | None:
    """What the first of these patterns that is in a clause finds."""
    return next((match for pattern in patterns if (match := pattern.search(body))), None)


def masked(text: str, known: Marks) -> str:
    """A clause without the words that look like a mark and are none."""
    return known.masks.sub(lambda match: "□" * len(match[0]), text)


# -- intentions -------------------------------------------------------------------------------------------------------

_WISH_RE: Final = re.compile(
    "(?<![思梦幻理联猜回设料妄假心暗自默不没未么敢着]|[一细])想(?![必来起见念到象像了着得过不法通明家他她它你我谁什的一这那起，。：“□]|$|明白|开了)"
)
"""想 with a verb after it, which is a wish; alone it is a thought."""


def intention(body: str, known: Marks) -> re.Match[str] | None:
    """The first plan, wish or order in a narrated clause: an order to promise is an order."""
    matches = (
        known.intended.search(body),
        _WISH_RE.search(body) if known.chinese else None,
        known.future.search(body),
        _order(body, known),
    )
    return min((match for match in matches if match), key=lambda match: match.start(), default=None)


_DEMANDS_RE: Final = re.compile(
    r"(?:\s+\S+){0,4}?\s+(?:to(?!\s+(?:the|an?|his|her|its|their|my|our|your|this|that)\b)|that)\s", re.IGNORECASE
)


def _order(body: str, known: Marks) -> re.Match[str] | None:
    """An order nothing of which is told as done: 命人送去了 is a deed, 催他快交 is none yet.

    An English one says what is to be done: "told him to go", not "told him a story".
    """
    done = max((match.start() for match in known.done.finditer(body)), default=-1)
    matches = (match for match in known.orders.finditer(body) if known.chinese or _DEMANDS_RE.match(body, match.end()))
    return next((match for match in matches if match.end() > done), None)


# -- English infinitives ----------------------------------------------------------------------------------------------

_TO_RE: Final = re.compile(
    r"(?P<of>\bfor\s+(?:\S+\s+){1,3}?)?\bto\s+(?:\w+ly\s+)?(?P<verb>[a-z]+)(?:\s+(?P<next>[\w□]+))?"
)
_DETERMINER: Final = frozenset(
    "the a an his her its their my our your this that these those him them me us you it himself herself themselves "
    "all both each every no some any one two three what whom whoever whose which".split()
)


def aim(body: str, known: Marks) -> Piece | None:
    """What an English infinitive says that something is done for: "rode north *to kill the duke*".

    It is told neither as done nor as not done.
    """
    if known.chinese:
        return None
    for match in _TO_RE.finditer(body):
        verb, after = match["verb"], match["next"] or ""
        names = after[:1].isupper() or after[:1] == "□"
        says_what = match["of"] or verb in BASES or names or after.lower() in _DETERMINER
        if verb not in _DETERMINER and says_what and body[: match.start()].strip():
            return Piece(match.start(), len(body))
    return None
