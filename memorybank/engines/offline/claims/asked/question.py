"""What a question asks for: attributes, and what it asks them of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memorybank.engines.offline.claims import words_en
from memorybank.engines.offline.claims.asked.attributes import Attribute, attributes, by_words, number_of
from memorybank.engines.offline.claims.asked.marks import Marks, marks
from memorybank.engines.offline.claims.asked.subject import Subject, subject_of
from memorybank.engines.offline.claims.asked.subject_zh import ChineseSubject
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.inflection_en import stem
from memorybank.engines.offline.claims.slots.english import fold
from memorybank.engines.offline.claims.slots.english import words_of as split
from memorybank.engines.offline.claims.units import unit_at
from memorybank.types import Lang


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    attribute: Attribute
    subject: Subject
    reference: str
    """The question; where only the claims are known, their sentences. What it names sets nothing apart."""
    marks: Marks
    object: frozenset[str] = frozenset()
    """What else the question names: what is allowed, what is supported. Of Chinese, pairs of characters."""


@lru_cache(maxsize=256)
def read(question: str) -> tuple[Asked, ...]:
    """Empty for a goal that asks for nothing that is known, or of nothing that is named."""
    lang: Lang = "zh" if is_chinese(question) else "en"
    asking = {one: match[0] for one in attributes() if (match := one.asks[lang].search(question))}
    counted = _COUNTED_RE[lang].search(question)
    if (
        not asking
        and counted
        and (counted["noun"] or counted["counter"])
        and not (lang == "zh" and unit_at(f"1{counted['noun'] or counted['counter']}", 1))
    ):
        verb = _DONE_RE.search(question, counted.end())
        asking[number_of((counted["noun"] or counted["counter"]).lower(), verb[1] if verb else "")] = counted[0]
    if not asking and (unlisted := _UNLISTED_RE[lang].search(question)) and (own := _by_own_words(unlisted, lang)):
        asking[own] = own.name
    found = [one for one in asking if not any(_within(asking[one], asking[other]) for other in asking)]
    subject = subject_of(question, tuple(asking[one] for one in found)) if found else None
    if subject is None:
        return ()
    return tuple(
        Asked(
            attribute=one,
            subject=subject,
            reference=question,
            marks=marks(question),
            object=_object(question, subject, asking[one]),
        )
        for one in found
    )


def _object(question: str, subject: Subject, asking: str) -> frozenset[str]:
    names = subject.names if isinstance(subject, ChineseSubject) else (subject.text,)
    rest = question.replace(asking, " ", 1)
    for name in names:
        rest = rest.replace(name, " ")
    return words_of(rest) - words_of(subject.text)


_PARTICLES_RE = re.compile("[吗呢的是么在了]|标准版")


def words_of(text: str) -> frozenset[str]:
    """What a text names, as it is looked for in another: stems of its plain words, pairs of Han characters."""
    if not is_chinese(text):
        words = (word for word in split(text) if len(word) > _SHORTEST and word not in words_en.FUNCTION)
        return frozenset(map(stem, words))
    runs = re.findall("[\u3400-\u9fff]+|[A-Za-z0-9]+", _PARTICLES_RE.sub(" ", text))
    return frozenset(
        fold(pair)
        for run in runs
        for pair in ([run] if run.isascii() else [run[at : at + 2] for at in range(len(run) - 1)])
    )


_SHORTEST = 2
_UNLISTED_RE: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"\b[Hh]ow (?P<much>much)\s(?P<noun>[a-z-]+(?:\s[a-z-]+)?)(?=\s(?:does|do|did|is|are|was|were|can|has)\b)"
        r"|\b(?:[Ww]hen|[Ii]n (?:which|what) year) (?:was|were|did) .{3,60}?\s(?P<verb>[a-z]{3,})"
        r"(?=\W*$|\s(?:in|by|at|for|as|from|to|into)\b)"
        r"|\b[Ww]hat (?:is|was|are|were) the (?P<attribute>(?:[a-z-]+\s){0,2}[a-z-]+)(?=\s(?:in|of|for|at|on|during)\b)"
    ),
    "zh": re.compile(
        r"(?P<attribute>[\u3400-\u9fff]{2,8}?)(?:大约|一共|总共)?(?:是|为|有|达|达到)?"
        r"(?:(?P<much>多少|(?<!第)几)(?P<unit>[\u3400-\u9fff%]{0,4}?)|多[久长高重大深宽远快])(?=[？?，,。]|$)"
    ),
}
"""A question for a number, or in English for the date of what was done, whose attribute is in no list."""
_OWN_HAN_RE = re.compile("^.*[的是在由]|^(?:现在|目前|一般|通常)")


def _by_own_words(match: re.Match[str], lang: Lang) -> Attribute | None:
    groups = match.groupdict()
    if verb := groups.get("verb"):
        return by_words(_ENDING_RE.sub("", verb), "date", "") if verb not in words_en.FUNCTION else None
    words = (groups.get("noun") or groups["attribute"] or "").strip()
    if lang == "en":
        kept = [word for word in words.split() if word not in words_en.FUNCTION and len(word) > 2]
        return by_words(kept[-1], "number", "*") if kept and kept[-1] not in _VAGUE else None
    name = _OWN_HAN_RE.sub("", words)[-4:]
    if len(name) < 2:
        return None
    unit = unit_at(f"1{groups['unit']}", 1) if groups.get("unit") else None
    return by_words(name, "number", unit[0].dimension.partition(":")[0] if unit else "*")


_ENDING_RE = re.compile("(?<=[a-z]{3})(?:ed|e)$")
_VAGUE = frozenset("name names title reason cause colour color author result".split())
_COUNTED_RE: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"\bhow many\s(?:(?!\w+s\b)[a-z-]+\s){0,2}?(?P<noun>[a-z-]+s|people|men|women|children)\b(?P<counter>)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:多少|(?<!第)几)(?P<counter>[个名位座条页张台辆艘所家间层级次块枚棵头只匹件套部本篇首段扇根孔株]?)"
        r"(?P<noun>[\u3400-\u9fff]{1,4}?)?(?=[？?，,。]|$)"
    ),
}


_DONE_RE = re.compile(r"\b(?:was|were|are|is|been|be)\s+(?:\w+ly\s+)?(\w+(?:ed|en|wn|ain|rn))\b")


def _within(words: str, others: str) -> bool:
    """Whether words are only a part of the others: 长 of 全长."""
    return words != others and words in others
