"""Chinese sentences into fillings. A name has no border there: it is cut at characters that no name has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memorybank.engines.offline.claims import dates, words_zh
from memorybank.engines.offline.claims.alignment.words import any_of
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.engines.offline.claims.slots.relations import KINDS, LISTS, Trigger, triggers

Value = tuple[int, int, Date | None]
"""Where a value stands in the sentence, and the date it is."""

_HAN = r"[\u3400-\u9fff]"
_NO = "".join(sorted(LISTS.characters("not_in_names_han")))
_CHAR = rf"(?:(?![{_NO}]){_HAN})"
"""A character that a name may have."""
_DOTTED = rf"{_CHAR}{{1,6}}(?:[·•・]{_CHAR}{{1,8}})+|(?:[A-Z][.·]?){{1,3}}{_CHAR}{{2,4}}"
"""Foreign names: 布莱恩·辛格, J.K.罗琳."""
_PLAIN = rf"{_CHAR}{{2,6}}"
_SURNAMES = "".join(sorted(words_zh.SURNAMES))
_BORDER = rf"(?:(?!{_HAN})|(?=[{_NO}]|{any_of(LISTS.ordered('saying_han'))}))"
_PERSON = rf"[{_SURNAMES}]{_CHAR}{{1,3}}?{_BORDER}|[{_SURNAMES}]{_CHAR}{{1,2}}"
_PERSON_WIDEST = 4
_LEAD = r"[\s：:，,】\]“《（(;；.。]{0,3}(?:[是为叫由]{1,2}|分别是)?\s?"
"""Between the words of a relation and the name behind them."""
_AFTER_RE = re.compile(rf"{_LEAD}(?P<name>{_DOTTED}|{_PLAIN}{_BORDER})")
_PERSON_AFTER_RE = re.compile(rf"{_LEAD}(?P<name>{_DOTTED}|{_PERSON})")
_PARTICLE = rf"(?:{any_of(LISTS.ordered('particles_han'))})?"
_ADVERBS = rf"(?:{any_of(LISTS.ordered('adverbs_han'))})*"
_RESULT = r"(?:以?\s?\d+\s?[-–—－:：比]\s?\d+\s?的?(?:比分|总比分)?)?"
_BEFORE_RE = re.compile(rf"(?P<name>{_DOTTED}|{_PLAIN}){_PARTICLE}{_RESULT}{_ADVERBS}(?:的|了)?$")
_PLACE_BEFORE_RE = re.compile(rf"[在于](?P<name>{_PLAIN})(?:的[^，。；]{{0,16}})?{_ADVERBS}$")
_OPENS = r"(?:[12]\d{3}年?|第[一二三四五六七八九十\d]+届|^|[，。、；的\s])"
_EVENT = rf"(?:夏季|冬季)?(?:{any_of(LISTS.ordered('events_han'))})"
_EDITION_RE = re.compile(rf"{_OPENS}(?P<name>{_CHAR}{{2,4}}?){_EVENT}")
"""2012年伦敦奥运会: its place is part of its name."""
_CAPITAL_RE = re.compile(rf"(?P<name>{_PLAIN})(?:（[^）]*）)?，?是(?P<of>{_CHAR}{{2,8}})的?首都")
_TITLE_RE = re.compile(r"《(?P<title>[^》]{1,24})》")
_RUN_BEFORE_RE = re.compile(rf"(?P<of>{_CHAR}{{2,8}})的?$")
_RUN_BEFORE_WHO_RE = re.compile(rf"(?P<of>(?:(?![的了是在和与由被把给对从为将]){_HAN}){{2,10}})是?由$")
"""What somebody did: 白鲸研究所由……创办. It opens its clause, so more may stand in it than in a name (所)."""
_MARK_RE = re.compile(r"第[一二三四五六七八九十\d]+[届任季部代]")
_ADVERBS_RE = re.compile(rf"^(?:{any_of(LISTS.ordered('adverbs_han'))})+")
_ADVERBS_OF_TWO = frozenset(word for word in LISTS.ordered("adverbs_han") if len(word) == 2)
_NO_NAME_RE = re.compile(any_of(LISTS.ordered("not_winners_han")))
_CLAUSE_ENDS = "，。；！？,;、：:"
_FAR, _NEAR = 24, 8
"""Characters between a date and the words behind it, and before it."""


def fillings(sentence: str) -> Iterator[Filling]:
    days = dates.scan(sentence)
    for trigger in triggers("zh"):
        for match in trigger.pattern.finditer(sentence):
            found = _value(sentence, trigger, match, days)
            if found is not None:
                gap = max(found[0] - match.end(), match.start() - found[1])
                before = _RUN_BEFORE_RE if trigger.after else _RUN_BEFORE_WHO_RE
                of = before.search(sentence[: match.start() if trigger.after else found[0]])
                yield _filling(sentence, trigger.relation, found, days, gap, of["of"] if of else "")
    for relation, pattern in (("host", _EDITION_RE), ("capital", _CAPITAL_RE)):
        for match in pattern.finditer(sentence):
            if not _NO_NAME_RE.search(match["name"]):
                value = (*match.span("name"), None)
                yield _filling(sentence, relation, value, days, 0, match.groupdict().get("of", ""))


def _filling(sentence: str, relation: str, value: Value, days: tuple[Date, ...], gap: int, of: str) -> Filling:
    start, end, day = value
    named = (*(match["title"] for match in _TITLE_RE.finditer(sentence)), *([of] if of else []))
    return Filling(
        relation=relation, kind=KINDS[relation], sentence=sentence, start=start, end=end, gap=gap,
        key=tuple(re.findall(_HAN, sentence[start:end])), date=day,
        subjects=tuple(dict.fromkeys(frozenset((name,)) for name in named)),
        years=frozenset(one.year for one in days if one.year and one is not day),
        marks=frozenset(mark[0] for mark in _MARK_RE.finditer(sentence)),
    )  # fmt: skip


def _value(sentence: str, trigger: Trigger, match: re.Match[str], days: tuple[Date, ...]) -> Value | None:
    kind = KINDS[trigger.relation]
    if kind == "date":
        return _date(sentence, match, days, after=trigger.after)
    if trigger.after:
        found = (_PERSON_AFTER_RE if kind == "person" else _AFTER_RE).match(sentence, match.end())
    elif kind == "place":
        found = _PLACE_BEFORE_RE.search(sentence[: match.start()])
    else:
        found = _BEFORE_RE.search(_clause(sentence, match.start()))
    return _trimmed(sentence, found, kind, after=trigger.after) if found else None


def _clause(sentence: str, end: int) -> str:
    """The sentence up to `end`, blank up to where its last clause begins, so that places stay."""
    begin = max(sentence.rfind(mark, 0, end) for mark in _CLAUSE_ENDS) + 1
    return " " * begin + sentence[begin:end]


def _date(sentence: str, match: re.Match[str], days: tuple[Date, ...], *, after: bool) -> Value | None:
    if after:
        near = (day for day in days if 0 <= day.start - match.end() <= _NEAR)
    else:
        near = (day for day in reversed(days) if 0 <= match.start() - day.end <= _FAR)
    day = next(near, None)
    if day is None or day.range:
        return None
    between = sentence[match.end() : day.start] if after else sentence[day.end : match.start()]
    return None if re.search(r"[。；！？;]", between) else (day.start, day.end, day)


def _trimmed(sentence: str, found: re.Match[str], kind: str, *, after: bool) -> Value | None:
    """The name alone: behind an adverb, and from its surname on; None where the run is none."""
    start, end = found.span("name")
    if sentence[max(0, start - 1) : start + 1] in _ADVERBS_OF_TWO:  # 最 is in no name, so the run begins within 最终
        start += 1
    if lead := _ADVERBS_RE.match(sentence[start:end]):
        start += lead.end()
    if kind == "person" and not after and not re.search("[·•・]", sentence[start:end]):
        places = range(max(start, end - _PERSON_WIDEST), end - 1)
        start = next((at for at in places if sentence[at] in _SURNAMES), end)
    name = sentence[start:end]
    if len(name) < 2 or name in words_zh.PLAIN | words_zh.GENERIC or _NO_NAME_RE.search(name):
        return None
    return start, end, None
