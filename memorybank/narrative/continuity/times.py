"""When an event took place, how long it took, and what came first: a draft's words beside what is on record.

An event is recognised as a plan is, by the names and words of its title. Of its time only like is compared with like:
a month with a month (a feast and a season stand for the months they may fall in), a day of the week with another, a
length with a length. A sentence that speaks of before or after an event says nothing of its own time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from memorybank.engines.offline.claims.inflection_en import stem
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.extraction.lists import any_of
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.extraction.numerals import number
from memorybank.narrative.extraction.verbs_en import base_of
from memorybank.narrative.types import BEFORE, CAUSES, HAS_STATUS, IN_CHAPTER, EntityKey, EntityKind, Fact
from memorybank.text import CJK, Piece
from memorybank.types import Lang

SHARE: Final = 0.75
"""Of an event's words that must be in the sentence; its names must all be."""
ROUGHLY: Final = 1.2
"""Two lengths are the same up to this ratio."""
_EMPTY: Final = frozenset("the and of at in on for with from a an 的 了 在 与 和 之 案".split())
_UNIT_RE: Final = re.compile(rf"[{CJK}]|[A-Za-z]{{3,}}")


@dataclass(frozen=True, slots=True)
class Event:
    key: EntityKey
    name: str
    names: frozenset[EntityKey]
    words: frozenset[str]


def event_times(scene: Scene) -> Iterator[Finding]:
    for event, piece, text in told_events(scene):
        if _re("shifted", scene.lang).search(text):
            continue
        for fact in scene.record.about(event.key):
            when, long = fact.properties.get("when", ""), fact.properties.get("how_long", "")
            differs = (when and _differs(when, text, scene.lang)) or (long and _longer(long, text, scene.lang))
            if fact.subject == event.key and differs:
                yield scene.finding(FindingKind.CONTRADICTS, piece, fact, "time", name=event.name)


def states_at_events(scene: Scene) -> Iterator[Finding]:
    """ "On the day of the oath the lamp was already broken", where it broke in a later chapter than the oath."""
    for event, piece, text in told_events(scene):
        if _re("already", scene.lang).search(text) is None:
            continue
        chapter = _chapter(scene, event.key)
        for one in scene.all("destroyed", "lost", "die"):
            struck = one.subject if one.event == "die" else one.object
            if one.sentence != piece or struck is None or one.denied or chapter is None:
                continue
            became = [fact for fact in scene.record.of(struck.key, HAS_STATUS) if fact.since > chapter]
            if became:
                yield scene.finding(
                    FindingKind.CONTRADICTS, piece, became[0], "state", name=struck.name, event=event.name
                )


def _chapter(scene: Scene, event: EntityKey) -> int | None:
    return next((number(scene.record.name(fact.object)) for fact in scene.record.of(event, IN_CHAPTER)), None)


def event_order(scene: Scene) -> Iterator[Finding]:
    """ "After the wedding came the fire", where the fire is on record before the wedding."""
    events = _events(scene)
    for piece in scene.story.sentences if len(events) > 1 else ():
        text = scene.text[piece.start : piece.end]
        for pattern in _ORDER[scene.lang]:
            match = pattern.search(text)
            if match is None:
                continue
            first = _named_in(scene, events, match["first"])
            second = _named_in(scene, events, match["second"])
            for earlier in first:
                for later in second:
                    fact = _before(scene, later.key, earlier.key)
                    if fact is not None and earlier.key != later.key:
                        yield scene.finding(FindingKind.CONTRADICTS, piece, fact, "order", name=earlier.name)


_ORDER: Final[dict[Lang, tuple[re.Pattern[str], ...]]] = {
    "en": (
        re.compile(r"^\W*before\s+(?P<second>[^,;.]+),\s*(?P<first>[^.;]+)", re.IGNORECASE),
        re.compile(r"^\W*after\s+(?P<first>[^,;.]+?)(?:,|\s+came\b|\s+followed\b)\s*(?P<second>[^.;]+)", re.IGNORECASE),
        re.compile(r"^(?P<first>[^.;]+?)\bbefore\s+(?P<second>[^.;]+)", re.IGNORECASE),
        re.compile(r"^(?P<second>[^.;]+?)\b(?:after|followed)\s+(?P<first>[^.;]+)", re.IGNORECASE),
    ),
    "zh": (
        re.compile(r"^(?P<second>[^。；]+?)(?:之前|以前|前)[，,]?(?P<first>[^。；]+)"),
        re.compile(r"^(?P<first>[^。；]+?)(?:之后|以后|过后|后)[，,]?(?P<second>[^。；]+)"),
        re.compile(
            r"^(?P<second>[^。；]+?)(?:是在|设在|发生在|办在|定在|在)(?P<first>[^。；]+?)(?:之后|以后|过后|后)[。；]?$"
        ),
        re.compile(r"^(?P<first>[^。；]+?)(?:早于|先于|发生在)(?P<second>[^。；]+?)(?:之前|以前)?[。；]?$"),
    ),
}
"""Two parts of a sentence, of which it tells that one came first."""


# -- events -----------------------------------------------------------------------------------------------------------


def _events(scene: Scene) -> list[Event]:
    found = []
    for name, key in scene.record.facts.names((EntityKind.EVENT,)).items():
        mentions = scene.names.find(name)
        rest = name
        for one in reversed(mentions):
            rest = rest[: one.start] + " " + rest[one.end :]
        words = _words(rest, scene.lang)
        if words:
            found.append(Event(key, name, frozenset(one.named.key for one in mentions), words))
    return found


def _words(text: str, lang: Lang) -> frozenset[str]:
    units = (match[0].lower() for match in _UNIT_RE.finditer(text))
    return frozenset((stem(base_of(unit)) if lang == "en" else unit) for unit in units if unit not in _EMPTY)


def told_events(scene: Scene) -> Iterator[tuple[Event, Piece, str]]:
    """Events with the sentences that tell of them as happened."""
    events = _events(scene)
    for piece in scene.story.sentences if events else ():
        told = [one for one in scene.story.within(piece) if one.telling is Telling.HAPPENED and not one.clause.spoken]
        text = "，".join(scene.text[one.clause.start : one.clause.end] for one in told)
        for event in _named_in(scene, events, text):
            yield event, piece, text


def _named_in(scene: Scene, events: list[Event], text: str) -> list[Event]:
    words = _words(text, scene.lang)
    names = {one.named.key for one in scene.names.find(text)}
    return [one for one in events if one.names <= names and len(one.words & words) >= SHARE * len(one.words)]


def _before(scene: Scene, earlier: EntityKey, later: EntityKey, steps: int = 5) -> Fact | None:
    """The fact by which one event came before another, over as many others."""
    frontier: dict[EntityKey, Fact | None] = {earlier: None}
    for _ in range(steps):
        reached: dict[EntityKey, Fact | None] = {}
        for key, first in frontier.items():
            for fact in scene.record.of(key, BEFORE, CAUSES):
                if fact.object == later:
                    return first or fact
                reached.setdefault(fact.object, first or fact)
        frontier = reached
    return None


# -- times ------------------------------------------------------------------------------------------------------------


@cache
def _calendar(lang: Lang) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((files(__package__) / "calendar.yaml").read_text("utf-8"))
    found: dict[str, Any] = loaded[lang]
    return found


@cache
def _re(name: str, lang: Lang) -> re.Pattern[str]:
    return re.compile(any_of(_calendar(lang)[name], lang), re.IGNORECASE)


def _differs(known: str, said: str, lang: Lang) -> bool:
    for kind in (_months, _weekdays, _years):
        one, other = kind(known, lang), kind(said, lang)
        if one and other and not one & other:
            return True
    return False


_MONTH_ZH_RE: Final = re.compile(r"(?<![个几])([一二三四五六七八九十]{1,3}|1?\d)月(?![光亮饼色台球])")


def _months(text: str, lang: Lang) -> frozenset[int]:
    calendar = _calendar(lang)
    if lang == "en":
        # "May" and "March" are other words too, unless they stand as a date.
        named = re.findall(r"\b([A-Z][a-z]{2,8})\b", text)
        exact = {calendar["months"].index(word.lower()) + 1 for word in named if word.lower() in calendar["months"]}
    else:
        exact = {value for match in _MONTH_ZH_RE.finditer(text) if (value := number(match[1])) and value <= 12}
    if exact:
        return frozenset(exact)
    low = text.lower()
    wide = [
        {int(month) for month in str(months).split()}
        for names in (calendar["feasts"], calendar["seasons"])
        for name, months in names.items()
        if name in low
    ]
    return frozenset(set.union(*wide)) if wide else frozenset()


def _weekdays(text: str, lang: Lang) -> frozenset[int]:
    days = _calendar(lang)["weekdays"]
    if lang == "en":
        return frozenset(days.index(word) for word in re.findall(r"\b(\w+day)s?\b", text.lower()) if word in days)
    named = re.findall(r"(?:周|星期|礼拜)([一二三四五六日天])", text)
    return frozenset("一二三四五六日".index(day.replace("天", "日")) for day in named)


def _years(text: str, lang: Lang) -> frozenset[int]:
    pattern = r"\b(1[0-9]\d\d|20\d\d)\b" if lang == "en" else r"(?<!\d)(\d{4})年"
    return frozenset(int(year) for year in re.findall(pattern, text))


def _longer(known: str, said: str, lang: Lang) -> bool:
    one = _length(known, lang)
    match = _re("lasting", lang).search(said)
    other = _length(said[match.end() :], lang) if match else None
    return one is not None and other is not None and not 1 / ROUGHLY <= one / other <= ROUGHLY


def _length(text: str, lang: Lang) -> float | None:
    """The first length of time in a text, in minutes."""
    units = _calendar(lang)["units"]
    named = "|".join(sorted(units, key=len, reverse=True))
    if lang == "en":
        match = re.search(rf"\b(\d+|[a-z]+(?:-[a-z]+)?)\s+(?:whole\s+|long\s+|full\s+)?({named})s?\b", text.lower())
        count = (1 if match[1] in ("a", "an", "one") else number(match[1])) if match else None
    else:
        match = re.search(rf"([一二两三四五六七八九十百\d]+)\s*个?({named})", text)
        count = number(match[1]) if match else None
    return count * units[match[2]] if match and count else None
