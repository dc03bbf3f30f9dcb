"""The words of one clause that tell whether it speaks of what has happened: lists and forms of `moods.*.yaml`.

A list has words; a form is a pattern of the grammar around a word (着 sends only where somebody to send follows, a plan
"is" what follows its noun). Which mark wins, and how far it reaches, is told in `narration`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.language.han import HAN
from memorybank.language.text import Piece
from memorybank.memory.types import Lang
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.verbs_en import BASES, past_of


@dataclass(frozen=True, slots=True)
class Moods:
    """The lists of one language as patterns; what each means stands in its file."""

    chinese: bool
    masks: re.Pattern[str]
    auxiliaries: re.Pattern[str]
    conditional: re.Pattern[str]
    guess: re.Pattern[str]
    dream: re.Pattern[str]
    intended: re.Pattern[str]
    future: re.Pattern[str]
    orders: re.Pattern[str]
    speech_intended: re.Pattern[str]
    done: re.Pattern[str]
    told: re.Pattern[str]
    wh: re.Pattern[str]
    say: re.Pattern[str]
    plans: re.Pattern[str]
    turns: re.Pattern[str]
    realised: re.Pattern[str]


_NOTHING: Final = r"(?!)"


@cache
def moods(lang: Lang) -> Moods:
    listed = lists(f"moods.{lang}")

    def pattern(name: str, template: str = "{}") -> re.Pattern[str]:
        alternatives = [any_of(listed[name], lang)] if listed.get(name) else []
        alternatives += listed["forms"].get(name, [])
        joined = "|".join(alternatives) or _NOTHING
        return re.compile(template.format(f"(?:{joined})"), re.IGNORECASE)

    templates = {
        "say": "{}$" if lang == "zh" else "{}",
        "turns": "^{}",
        "realised": r"{}\s+$",
    }
    names = [name for name in Moods.__dataclass_fields__ if name != "chinese"]
    return Moods(chinese=lang == "zh", **{name: pattern(name, templates.get(name, "{}")) for name in names})


def first(body: str, *patterns: re.Pattern[str]) -> re.Match[str] | None:
    """What the first of these patterns that is in a clause finds."""
    return next((match for pattern in patterns if (match := pattern.search(body))), None)


# -- words that look like a mark --------------------------------------------------------------------------------------

_CAPITAL_RE: Final = re.compile(r"(?<=[\w,]\s)(?:May|Will)\b")
"""A month, a man: no verb of intention stands so within an English clause."""
_CALLED_RE: Final = re.compile(r"^(?:May|Will)(?=\s+(\w+))")
"""At its beginning only the verb after it tells: "Will closed the shutters"."""
_HEDGE_RE: Final = re.compile(r"\b(?:almost|nearly)\s+(\w+)", re.IGNORECASE)


def masked(text: str, known: Moods) -> str:
    """A clause without the words that look like a mark and are none."""
    body = known.masks.sub(_blank, text)
    if known.chinese:
        return body
    body = _CAPITAL_RE.sub(_blank, body)
    body = _CALLED_RE.sub(lambda match: _blank(match) if past_of(match[1].lower()) else match[0], body)
    return _HEDGE_RE.sub(lambda match: match[0] if past_of(match[1].lower()) else _blank(match), body)


def _blank(match: re.Match[str]) -> str:
    return "□" * len(match[0])


# -- intentions -------------------------------------------------------------------------------------------------------

_BARE_RE: Final = re.compile(
    rf"了[一二两三几半多这那]|要了|[他她它]叫(?![^，]*[来去人])[{HAN}]{{2,4}}$|[不未没]曾?(?:[要欲想])"
)
"""A deed with its measure: 要诗瞧了一遍, 要了一碗茶; a name: 她叫小满; and what nobody wanted."""
_WISH_RE: Final = re.compile(
    "(?<![思梦幻理联猜回设料妄假心暗自默不没未么敢着]|[一细])想(?![必来起见念到象像了着得过不法通明家他她它你我谁什的一这那起，。：“□]|$|明白|开了)"
)
"""想 with a verb after it, which is a wish; alone it is a thought."""


def intention(body: str, known: Moods) -> re.Match[str] | None:
    """The first plan, wish or order in a narrated clause: an order to promise is an order."""
    measured = known.chinese and _BARE_RE.search(body)
    found = (
        None if measured else known.intended.search(body),
        _WISH_RE.search(body) if known.chinese else None,
        known.future.search(body),
        _order(body, known),
    )
    return min((match for match in found if match), key=lambda match: match.start(), default=None)


_DEMANDS_RE: Final = re.compile(
    r"(?:\s+\S+){0,4}?\s+(?:to(?!\s+(?:the|an?|his|her|its|their|my|our|your|this|that)\b)|that)\s", re.IGNORECASE
)


def _order(body: str, known: Moods) -> re.Match[str] | None:
    """An order nothing of which is told as done: 命人送去了 is a deed, 催他快交 is none yet.

    An English one says what is to be done: "told him to go", not "told him a story".
    """
    done = max((match.start() for match in known.done.finditer(body)), default=-1)
    found = (one for one in known.orders.finditer(body) if known.chinese or _DEMANDS_RE.match(body, one.end()))
    return next((one for one in found if one.end() > done), None)


# -- English infinitives ----------------------------------------------------------------------------------------------

_TO_RE: Final = re.compile(
    r"(?P<of>\bfor\s+(?:\S+\s+){1,3}?)?\bto\s+(?:\w+ly\s+)?(?P<verb>[a-z]+)(?:\s+(?P<next>[\w□]+))?"
)
_DETERMINER: Final = frozenset(
    "the a an his her its their my our your this that these those him them me us you it himself herself themselves "
    "all both each every no some any one two three what whom whoever whose which".split()
)
_GOES_ON_RE: Final = re.compile(r"\b(?:and|but|then|so)\s+(?:\w+ly\s+|then\s+)?(?P<verb>[a-z]+)")
_RELATIVE_RE: Final = re.compile(r"\b(?:who|that|which|whom)\b", re.IGNORECASE)
_WORD_RE: Final = re.compile(r"[\w□]+")
_NEAR: Final = 80
"""Characters before an infinitive in which the word that it hangs on stands."""


def aim(body: str, known: Moods) -> Piece | None:
    """What an English infinitive says that something is done for: "rode north *to kill the duke*".

    It is told neither as done nor as not done, but for the verbs and adjectives whose infinitive has happened ("managed
    to", "was surprised to").
    """
    if known.chinese:
        return None
    for match in _TO_RE.finditer(body):
        verb, after = match["verb"], match["next"] or ""
        names = after[:1].isupper() or after[:1] == "□"
        says_what = match["of"] or verb in BASES or names or after.lower() in _DETERMINER
        if verb in _DETERMINER or not says_what or not body[: match.start()].strip():
            continue
        if not known.realised.search(body, max(0, match.start() - _NEAR), match.start()):
            return Piece(match.start(), _end_of_aim(body, match))
    return None


def _end_of_aim(body: str, match: re.Match[str]) -> int:
    """Where the sentence goes on with what was done: "to arrest him *found* …", "to kill him and *took* …"."""
    for one in _GOES_ON_RE.finditer(body, match.end()):
        if past_of(one["verb"]):
            return one.start()
    if _RELATIVE_RE.search(body, 0, match.start()):
        before = match["next"] or ""
        for one in _WORD_RE.finditer(body, match.end()):
            if past_of(one[0]) and before.lower() not in ("the", "a", "an", "his", "her", "its", "their", "be", "been"):
                return one.start()
            before = one[0]
    return len(body)
