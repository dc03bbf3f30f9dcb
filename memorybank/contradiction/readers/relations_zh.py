"""Chinese known relations. A name has no border there: it is cut at characters that no name has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memorybank.contradiction import words_zh
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.relation_words import KINDS, LISTS, Trigger, Value, is_past, relation_frame, triggers
from memorybank.language import dates
from memorybank.language.dates import Date
from memorybank.language.han import HAN, HAN_RE
from memorybank.language.lexicon import any_of

_NOUNS = frozenset({"导演", "编剧", "作者", "主演"})
"""Verbs that are nouns, too: a name may follow them that is not before them."""

_HAN = f"[{HAN}]"
_NO = "".join(sorted(LISTS.characters("not_in_names_han")))
_CHAR = rf"(?:(?![{_NO}]){_HAN})"
"""A character that a name may have."""
_PLACES = rf"(?:{any_of(LISTS.ordered('places_with_such_han'))})"
"""Names of places that have other characters, too: 中国, 上海."""
_REGIONS = rf"(?:{any_of(sorted(words_zh.REGIONS, key=lambda name: (-len(name), name)))})"
_DOTTED = rf"{_CHAR}{{1,6}}(?:[·•・]{_CHAR}{{1,8}})+|(?:[A-Z][.·]?){{1,3}}{_CHAR}{{2,4}}(?:[·•・]{_CHAR}{{1,8}})*"
"""Foreign names: 布莱恩·辛格, J.K.罗琳."""
_PLAIN_LAZY = rf"(?:{_REGIONS}{{0,2}}(?:{_PLACES}|{_CHAR}{{2,6}}?))"
_PLAIN = rf"(?:{_REGIONS}{{0,2}}(?:{_CHAR}{{0,3}}{_PLACES}{_CHAR}{{0,2}}|{_CHAR}{{2,6}}))"
_SURNAMES = "".join(sorted(words_zh.SURNAMES))
_ENDS_NAME = sorted(
    {
        word
        for word in (*words_zh.VERB_CLASS, *words_zh.ROLE_OF, *LISTS.ordered("saying_han"))
        if len(word) > 1 or word in "说称"
    },
    key=lambda word: (-len(word), word),
)
_BORDER = rf"(?:(?!{_HAN})|(?=[{_NO}]|[东西南北]{{1,2}}[部郊侧]|{any_of(_ENDS_NAME)}))"
_PERSON = rf"[{_SURNAMES}]{_CHAR}{{1,3}}?{_BORDER}|[{_SURNAMES}]{_CHAR}{{1,2}}"
_PERSON_WIDEST = 4
_WHO = rf"(?:{_DOTTED}|(?![该其他她它这那本此于一由]|著名|知名)(?:(?![的了与及跟]){_HAN}){{2,5}}?)"
_LEAD = r"[\s：:，,】\]“《（(;；.。]{0,3}(?:[是为叫由]{1,2}|分别是)?\s?"
"""Between the words of a relation and the name behind them."""
_AFTER_RE = re.compile(rf"{_LEAD}(?P<name>{_DOTTED}|{_PLAIN_LAZY}{_BORDER})")
_PERSON_AFTER_RE = re.compile(rf"(?:{_LEAD}|的(?={_DOTTED}))(?P<name>{_DOTTED}|{_PERSON})")
_PARTICLE = rf"(?:{any_of(LISTS.ordered('particles_han'))})?"
_ADVERBS = rf"(?:{any_of(LISTS.ordered('adverbs_han'))})*"
_RESULT = r"(?:以?\s?\d+\s?[-–—－:：比]\s?\d+\s?的?(?:比分|总比分)?\s?)?"
_BEFORE_RE = re.compile(rf"(?P<name>{_DOTTED}|{_PLAIN}){_PARTICLE}{_RESULT}{_ADVERBS}(?:的|了|\s)?$")
_PLACE_BEFORE_RE = re.compile(rf"[在于](?P<name>{_PLAIN})(?:的[^，。；]{{0,16}})?{_ADVERBS}$")
_OPENS = r"(?:[12]\d{3}年?|第[一二三四五六七八九十\d]+届|^|[，。、；的\s])"
_EVENT = rf"(?:夏季|冬季)?(?:{any_of(LISTS.ordered('events_han'))})"
_EDITION = r"(?:[12]\d{3}年?|第[一二三四五六七八九十\d]+届)?"
_EDITION_RE = re.compile(rf"{_OPENS}(?P<name>{_PLACES}|{_CHAR}{{2,4}}?){_EDITION}{_EVENT}")
"""2012年伦敦奥运会, 伦敦2012奥运会: its place is part of its name."""
_OF = rf"(?P<of>{_CHAR}{{0,3}}{_PLACES}{_CHAR}{{0,4}}|{_CHAR}{{2,8}}队?)"
_CAPITAL_RE = re.compile(rf"(?P<name>{_PLAIN})(?:（[^）]*）)?，?是{_OF}的?首都")
_TITLE_RE = re.compile(r"《(?P<title>[^》]{1,24})》")
_DOT_RE = re.compile("[·•・.．‧]")
"""In foreign names, which are written in many ways: 《哈利·波特》, 《哈利波特》."""
_RUN_BEFORE_RE = re.compile(rf"{_OF}的?$")
_RUN_BEFORE_WHO_RE = re.compile(rf"(?P<of>(?:(?![的了是在和与由被把给对从为将]){_HAN}){{2,10}})是?由$")
"""What somebody did: 白鲸研究所由……创办. It opens its clause, so more may stand in it than in a name (所)."""
_REGION_RE = re.compile(_REGIONS)
_ENTRY_RE = re.compile(rf"\W*(?P<of>{_CHAR}{{2,8}}?)(?:[（(]|，?(?:又|也|亦|简|全|俗|通)称|[，,]?是)")
"""冰岚（1900年—1980年），本名…; 七七事变，又称卢沟桥事变，发生于…: an entry on what is not named again."""
_MADE = frozenset({"direct", "write", "compose"})
_TITLED = r"(?:新作|作品|代表作|影片|电影|影视|小说|处女作|名作|剧作|《)"
_TRADES = "(?:(?:导演|编剧|制片|监制|主演)[、和并]?)*"
_WORKER_RE = re.compile(rf"(?:由|》是)(?P<name>{_WHO}){_TRADES}$")
"""由佐佐木海执导: between 由 and what was done stands whoever did it, of whatever surname."""
_OPENING_WORKER_RE = re.compile(rf"(?:^|[，。；：:\s])(?P<name>{_WHO})$")
"""佐佐木海导演的《…》: whoever opens the clause before what was done and a title."""
_MAKER_RE = re.compile(rf"[是为]?\s?(?P<name>{_WHO})的{_TITLED}")
"""导演佐佐木海的作品."""
_GENERIC_PLACE_RE = re.compile(
    r"(?:联邦|直辖|中央|行政|特别|自治|首都|经济|全国|所在|辖|城|新|旧|老)*(?:区|市|州|省|县|地区|城市|地|城)"
)
"""No name: 首都直辖区."""
_BACK_RE = re.compile(r"[该此本其这那它他她]")
"""该片由……导演 names nothing."""
_MARK_RE = re.compile(r"第[一二三四五六七八九十\d]+[届任季部代]")
_ADVERBS_RE = re.compile(rf"^(?:{any_of(LISTS.ordered('adverbs_han'))})+")
_ADVERBS_AT_END_RE = re.compile(rf"(?<={_HAN}{{2}})(?:{any_of(LISTS.ordered('adverbs_han'))})+$")
_LEADS = (*LISTS.ordered("adverbs_han"), *LISTS.ordered("leads_han"), *words_zh.CONJUNCTIONS)
_LEADS_OF_TWO = frozenset(word for word in _LEADS if len(word) == 2)
_NO_NAME_RE = re.compile(any_of(LISTS.ordered("not_winners_han")))
_TELLING = (word for words in LISTS.classes("before_zh").values() for word in words)
_VERBS = frozenset(word for word in (*words_zh.VERB_CLASS, *_TELLING) if len(word) > 1)
_NOT_NAMES = (words_zh.PLAIN | words_zh.GENERIC | words_zh.ADVERBS | _VERBS) - LISTS.words("places_with_such_han")
_CLAUSE_ENDS = "，。；！？,;、：:"


def frames(sentence: str) -> Iterator[tuple[int, Frame]]:
    """The frames of a sentence, each with the characters between the words of the relation and the value."""
    days = dates.scan(sentence)
    for trigger in triggers("zh"):
        for match in trigger.pattern.finditer(sentence):
            if is_past(trigger, sentence[: match.start()]):
                continue
            span = _value(sentence, trigger, match)
            if span is not None:
                gap = max(span[0] - match.end(), match.start() - span[1])
                before = _RUN_BEFORE_RE if trigger.after else _RUN_BEFORE_WHO_RE
                of = before.search(sentence[: match.start() if trigger.after else span[0]])
                yield gap, _frame(sentence, trigger.relation, span, days, of["of"] if of else "")
    for relation, pattern in (("host", _EDITION_RE), ("capital", _CAPITAL_RE)):
        for match in pattern.finditer(sentence):
            if _is_name(match["name"]):
                value = match.span("name")
                yield 0, _frame(sentence, relation, value, days, match.groupdict().get("of", ""))


def _frame(sentence: str, relation: str, value: Value, days: tuple[Date, ...], of: str) -> Frame:
    start, end = value
    opening = _ENTRY_RE.match(sentence)
    of = of or (opening["of"] if opening else "")
    spoken_of = [of] if of and not _BACK_RE.match(of) else []
    named = (*(_DOT_RE.sub("", match["title"]) for match in _TITLE_RE.finditer(sentence)), *spoken_of)
    return relation_frame(
        relation, sentence, value,
        units=tuple(re.findall(_HAN, sentence[start:end])), days=days,
        subjects=tuple(dict.fromkeys(frozenset((name,)) for name in named)),
        periods=frozenset(mark[0] for mark in _MARK_RE.finditer(sentence)),
    )  # fmt: skip


def _value(sentence: str, trigger: Trigger, match: re.Match[str]) -> Value | None:
    kind = KINDS[trigger.relation]
    if trigger.after and kind == "person":
        maker = _MAKER_RE.match(sentence, match.end()) if trigger.relation in _MADE else None
        if maker and _may_be_person(maker["name"]):
            return maker.span("name")
        value_match = _PERSON_AFTER_RE.match(sentence, match.end())
    elif trigger.after:
        value_match = _AFTER_RE.match(sentence, match.end())
    elif kind == "person" and (worker := _worker(sentence, match)):
        return worker.span("name")
    elif kind == "place":
        value_match = _PLACE_BEFORE_RE.search(sentence[: match.start()])
    else:
        value_match = _BEFORE_RE.search(_clause(sentence, match.start()))
    return _trimmed(sentence, value_match, kind, after=trigger.after) if value_match else None


def _worker(sentence: str, match: re.Match[str]) -> re.Match[str] | None:
    """Who did what the words at `match` tell, where the words around the name show that it is one."""
    lead = sentence[: match.start()]
    goes_on = HAN_RE.match(sentence, match.end()) and not re.match("[的了]", sentence[match.end() :])
    worker = _WORKER_RE.search(lead) if match[0] not in _NOUNS or not goes_on else None
    if worker is None and re.match("的?《", sentence[match.end() :]):
        worker = _OPENING_WORKER_RE.search(lead)
    return worker if worker and _may_be_person(worker["name"]) else None


def _may_be_person(name: str) -> bool:
    return name not in _NOT_NAMES | words_zh.REGIONS and not _ADVERBS_RE.match(name) and not _NO_NAME_RE.search(name)


def _clause(sentence: str, end: int) -> str:
    """The sentence up to `end`, blank up to where its last clause begins, so that places stay."""
    begin = max(sentence.rfind(mark, 0, end) for mark in _CLAUSE_ENDS) + 1
    return " " * begin + sentence[begin:end]


def _trimmed(sentence: str, match: re.Match[str], kind: str, *, after: bool) -> Value | None:
    """The name alone: behind an adverb, and from its surname on; None where the run is none."""
    start, end = match.span("name")
    if sentence[max(0, start - 1) : start + 1] in _LEADS_OF_TWO:  # 最 is in no name, so the run begins within 最终
        start += 1
    if lead := _ADVERBS_RE.match(sentence[start:end]):
        start += lead.end()
    if kind != "place" and (tail := _ADVERBS_AT_END_RE.search(sentence[start:end])):
        end = start + tail.start()
    if kind == "person" and not after and not re.search("[·•・]", sentence[start:end]):
        places = range(max(start, end - _PERSON_WIDEST), end - 1)
        start = next((at for at in places if sentence[at] in _SURNAMES), end)
    if kind == "place":
        start = _inmost(sentence, start, end)
    name = sentence[start:end]
    if kind == "place" and _GENERIC_PLACE_RE.fullmatch(name):
        return None
    return (start, end) if _is_name(name) else None


def _is_name(name: str) -> bool:
    return not (len(name) < 2 or name in _NOT_NAMES or name[:2] in _VERBS or _NO_NAME_RE.search(name))


def _inmost(sentence: str, start: int, end: int) -> int:
    """Where the place itself begins, behind the regions it lies in: 成都 of 中国四川省成都."""
    while (region := _REGION_RE.match(sentence, start, end)) and end - region.end() >= 2:
        start = region.end()
    return start
