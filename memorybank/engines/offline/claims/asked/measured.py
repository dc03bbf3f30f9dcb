"""Dates and numbers beside the words that tell what they are of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.engines.offline.claims import dates, values
from memorybank.engines.offline.claims.asked.answer import Answer
from memorybank.engines.offline.claims.asked.attributes import Attribute, rivals
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.units import unit_at
from memorybank.engines.offline.claims.values import Quantity
from memorybank.types import Lang

_REACH: dict[Lang, int] = {"en": 70, "zh": 24}
"""Characters between the words of an attribute and its value."""


def beside_words(
    sentence: str, attribute: Attribute, lang: Lang, others: frozenset[str] = frozenset()
) -> Iterator[Answer]:
    """The value nearest to each of the attribute's words, if no words of another stand nearer to it.

    `others`: what else the question names. A sentence that has most of it, and at least two, needs no word of the
    attribute: "The glaze is fired at 1,240 °C", asked for the temperature. It must not tell of a time of its own.
    """
    days = tuple(day for day in dates.scan(sentence) if not _is_count(sentence, day, attribute, lang))
    told = [match.span() for match in attribute.tells[lang].finditer(sentence)]
    if not told and lang == "en" and attribute.dimension not in ("", "*") and _in_time(days, others):
        told = _repeated(sentence, others)
    if not told:
        return
    rival = [(match.span(), one) for one in rivals(attribute) for match in one.tells[lang].finditer(sentence)]
    rival = [(span, one) for span, one in rival if not any(_overlap(span, own) for own in told)]
    found = list(_values(sentence, attribute, days))
    for words in told:
        value = min(found, key=lambda one: _gap((one.start, one.end), words, sentence), default=None)
        if value is None:
            return
        span = value.start, value.end
        near = _gap(span, words, sentence)
        nearer = (
            other
            for other, one in rival
            if _may_own(one, value) and not _overlap(other, span) and _gap(span, other, sentence) < near
        )
        if near <= _REACH[lang] and not any(nearer):
            yield replace(value, told_from=words[0])


def _repeated(sentence: str, words: frozenset[str]) -> list[tuple[int, int]]:
    """Where a sentence repeats a question: two of its words at least, and more than half."""
    said = sentence.casefold()
    spans = [match.span() for word in sorted(words) if (match := re.search(rf"\b{re.escape(word)}", said))]
    return spans if len(spans) >= _TWO and 2 * len(spans) > len(words) else []


_TWO = 2


def _in_time(days: tuple[Date, ...], words: frozenset[str]) -> bool:
    """Whether a sentence tells of no time but one that the question names."""
    return all(str(day.first[0]) in words for day in days)


def _may_own(rival: Attribute, value: Answer) -> bool:
    """Whether a value is of a kind that another attribute has: no percentage is a speed."""
    return value.quantity is None or _is_measured(value.quantity, rival.dimension)


def _is_count(sentence: str, day: Date, attribute: Attribute, lang: Lang) -> bool:
    """Whether four digits are a number with its unit, and no year: 1284米, 1150 passengers."""
    if not day.bare:
        return False
    counted = attribute.counted.get(lang)
    follows = counted.search(sentence, day.end) if counted else None
    return unit_at(sentence, day.end) is not None or bool(
        follows and _BETWEEN_RE.fullmatch(sentence[day.end : follows.start()])
    )


def _values(sentence: str, attribute: Attribute, days: tuple[Date, ...]) -> Iterator[Answer]:
    if attribute.kind == "date":
        for day in days:
            if day.year and not day.range:
                yield Answer(sentence=sentence, start=day.start, end=day.end, date=day)
        return
    counted = attribute.counted.get("zh" if is_chinese(sentence) else "en")
    for found in values.scan(sentence, dates=days):
        if _OFFSET_RE.match(sentence, found.end):
            continue
        counts = counted is not None and _counts(sentence, found, counted, attribute.verb)
        measures = (counted is None or attribute.dimension) and (
            _is_measured(found, attribute.dimension) or _counts_money(sentence, found, attribute)
        )
        if counts or measures:
            yield Answer(sentence=sentence, start=found.start, end=found.end, quantity=found)


def _counts(sentence: str, found: Quantity, counted: re.Pattern[str], verb: str) -> bool:
    """Whether what is counted follows a number, and what is told of it is what was asked."""
    noun = counted.search(sentence, found.end)
    if found.unit or noun is None or not _BETWEEN_RE.fullmatch(sentence[found.end : noun.start()]):
        return False
    return not _of_another_verb(sentence[noun.end() :], verb)


_OFFSET_RE = re.compile(r"\s(?:short|under|over|less|more|past|shy|later|earlier|before|after|ago)\b|[之以]?[前后]")
"""Two minutes short of two hours: no value of its own."""


def _is_measured(found: Quantity, dimension: str) -> bool:
    """`dimension` "*": of any unit, which the question does not tell."""
    if dimension == "*":
        return bool(found.unit)
    return found.dimension.partition(":")[0] in dimension.split() if dimension else not found.unit


def _of_another_verb(after: str, verb: str) -> bool:
    """ "219 patients completed it" tells nothing on how many were enrolled."""
    done = _DONE_RE.match(after) if verb else None
    return done is not None and done[1].lower()[:4] != verb.lower()[:4]


_DONE_RE = re.compile(r"\s+(?:(?:was|were|are|is|have|had|has|been)\s+){0,2}(?:\w+ly\s+)?(\w+(?:ed|en|wn))\b")
_BETWEEN_RE = re.compile(
    r"\s?(?:[\w-]+\s){0,2}|[个名位座条页张台辆艘所家间层级次块枚棵头只匹件套部本篇首段扇根株多余几]{0,2}[\u3400-\u9fff]{0,2}"
)
"""Between a number and what is counted."""
_MONEY_RE = re.compile(
    r"\s?(?:crowns?|florins?|krone[rn]?|marks?|lire|pesos?|guilders?|thalers?|credits?)\b", re.IGNORECASE
)


def _counts_money(sentence: str, found: Quantity, attribute: Attribute) -> bool:
    """Currencies that no unit is known of are counted like things."""
    return attribute.dimension == "money" and not found.unit and _MONEY_RE.match(sentence, found.end) is not None


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


_CLAUSE_RE = re.compile(r"[;；。]|，|, (?:and|but|while)\b")


def _gap(value: tuple[int, int], words: tuple[int, int], sentence: str) -> int:
    """Characters between; the end of a clause counts as many."""
    first, second = sorted((value, words))
    between = sentence[first[1] : second[0]]
    return len(between) + 10 * len(_CLAUSE_RE.findall(between))
