"""Claims: what a clause says without its one value, so that two clauses can be compared by everything but the value.

The value is a number with its unit, the date or hour of an act that happens once, a name in a role, or yes and no. All
other words of the clause are its `key`: subject with every modifier, predicate and complements. A number within a name
("Bus 7", 3号线) is the name's. A pronoun stands for the subject of the sentence before, in its own document, or the
claim is dropped; in a dialogue the first person is who speaks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memorybank.contradiction.clauses import Clause, Role, clauses
from memorybank.contradiction.words import GAP
from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.han import HAN, is_han
from memorybank.language.numerals import read_han
from memorybank.language.parse import Parse, Parsed, Place, Token, meet
from memorybank.language.text import Piece, blocks, fold_space, is_known_language, sentences
from memorybank.language.values import Quantity
from memorybank.memory.types import Claim, ClaimKind


@dataclass(frozen=True, slots=True)
class Hour:
    """`text[start:end]`: an hour of the day in minutes, or a day of the week from 0."""

    start: int
    end: int
    weekday: bool
    value: int


Value = Quantity | Date | Hour | frozenset[str]
"""What a claim gives; a name as the set of its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A sentence of a document, with who said it and when where it is a dialogue's."""

    text: str
    """The sentence as it stands in the text."""
    parsed: Parsed
    """Its words, without the head of a turn or of a correction and without what a correction takes back."""
    speaker: str = ""
    moment: str = ""
    corrects: bool = False
    anchor: frozenset[str] = frozenset()
    """Names of what its text speaks of here, where its subject has none of its own; empty where nobody can tell."""
    denied: str = ""
    """What it takes back: "12" of "14, not 12"; empty where it takes nothing back in words."""

    @property
    def names(self) -> frozenset[str]:
        return name_in(self.parsed.tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedClaim:
    """A claim as it is compared; `claim` is what the memory keeps of it."""

    claim: Claim
    key: frozenset[str]
    """All that is said but the value, as basic forms of the words; of Chinese their characters."""
    subject: frozenset[str]
    aside: frozenset[str]
    """Other nouns for the subject, which the key of another claim may have besides."""
    value: Value | None
    """None of a claim that is no more than yes or no."""
    when: tuple[Date | Hour, ...] = ()
    where: frozenset[str] = frozenset()
    """Where, and by whom, an act was done that happens once: details that one text may leave out."""
    anchor: frozenset[str] = frozenset()
    """Names what the text is on, as in `Spoken`: "the city" of a text on Wadi is not that of a text on Olden."""
    anchored: bool = False
    """Whether its own words name what it is about."""
    said: Spoken
    """The sentence that it is a claim of."""
    only: bool = True
    """Whether one value alone can hold."""
    once: bool = False
    """Whether it is an act that happens once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """What a text states."""

    said: tuple[Spoken, ...]
    statements: tuple[ParsedClaim, ...]
    topic: frozenset[str] = frozenset()
    """Names and numbers in the line that says what the text is about."""


# -- reading ----------------------------------------------------------------------------------------------------------


def read(text: str, parse: Parse, topic: str = "", subject: str = "") -> ReadText:
    """Read what a text states; nothing where no parser is at hand. `subject`: what a pronoun in its beginning means."""
    (reading,) = read_all([(text, topic)], parse, _before(subject, parse) if subject else None)
    return reading


def read_all(texts: Sequence[tuple[str, str]], parse: Parse, before: _Subject | None = None) -> list[ReadText]:
    """Read texts, each with its topic line; the sentences of all of them are parsed in one go."""
    spoken = [list(_spoken(text)) for text, _ in texts]
    sentences_of = [
        [*(spoke.parsed.text for spoke in said), topic] for said, (_, topic) in zip(spoken, texts, strict=True)
    ]
    parsed = iter(parse([sentence for asked in sentences_of for sentence in asked]))
    readings = []
    for spoke in spoken:
        said = [
            (replace(item, parsed=sentence), list(clauses(sentence))) for item in spoke for sentence in [next(parsed)]
        ]
        named = _topic(next(parsed), said)
        stated = list(_stated(said, named, before))
        readings.append(
            ReadText(
                topic=named,
                said=tuple(item for item, _ in stated),
                statements=tuple(statement for _, statements in stated for statement in statements),
            )
        )
    return readings


_Said = Sequence[tuple[Spoken, Sequence[Clause]]]
"""Sentences with their clauses."""


def _topic(line: Parsed, said: _Said) -> frozenset[str]:
    """What a topic line names, less what the text itself says of something else: who wrote the novel is no topic."""
    days = dates.scan(line.text)
    named = _identity(word for word in line.tokens if not any(meet(day, word) for day in days))
    words = {folded(word.lemma) for item, _ in said for word in item.parsed.tokens}
    subjects = {folded(item.parsed.tokens[at].lemma) for item, stated in said for each in stated for at in each.subject}
    kept = frozenset(word for word in named if word in subjects or word not in words)
    return kept if any(not word[0].isdigit() for word in kept) else frozenset()


class Readings:
    """What texts state, as one parser reads them; they are remembered, for each is compared often."""

    def __init__(self, parse: Parse) -> None:
        self._parse = parse
        self._known: dict[tuple[str, str], ReadText] = {}

    def of(self, texts: Sequence[tuple[str, str]]) -> list[ReadText]:
        """Read texts, each with its topic line; those that are not known are parsed in one go."""
        known = self._known if len(self._known) < REMEMBERED else {}  # threads share it: none is ever taken out
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(fresh, read_all(fresh, self._parse), strict=True))
        self._known = known
        return [known[text] for text in texts]


REMEMBERED: Final = 2_048
"""Texts that are remembered as they were read; with more it begins anew."""


_HEADER_RE: Final = re.compile(
    r"^\[?(?P<before>\d[\d.:/,\sTZ+-]*\d(?:Z|\s?[ap]\.?m\.?)?)?\]?\s*(?:-\s)?(?P<speaker>[^\W\d][^:：()（）\n]{0,30}?)"
    r"\s*(?:[(（](?P<time>[^)）\n]{1,40})[)）])?\s*[:：]\s+(?=\S)",
    re.IGNORECASE,
)
"""The head of a turn: who, and when, before the colon or before the name."""
_CUE_RE: Final = re.compile(r"^\s*(?:\d+\s*\n)?\s*[\d:.,]+\s*-->\s*[\d:.,]+[^\n]*\n", re.MULTILINE)
"""The number and times of a subtitle."""


_MARKS_RE: Final = re.compile(r"^(?:[-*•#>\s]+|\[\d{1,3}\]\s*)+")
"""The mark of a list and the number of a note before a sentence."""
_CORRECTION_RE: Final = re.compile(
    r"^\W*(?:correction|corrigendum|erratum|errata|更正|勘误|订正)(?:启事|说明)?\s*[:：]\s*", re.IGNORECASE
)
_PUT_RIGHT_RE: Final = re.compile(r"\bshould (?:have )?(?:read|say|said)\b|应[为作](?!了)|实为|有误", re.IGNORECASE)
_TAKEN_BACK_RE: Final = re.compile(
    r"\s*[,;，；]?\s*(?:\b(?:and |but )?not|\brather than|\binstead of|而?不是|而非|而?并非)"
    r"\s*(?P<denied>[^,;.，；。]*?\d[^,;，；。]*)",
    re.IGNORECASE,
)


def _spoken(text: str) -> Iterator[Spoken]:
    """Yield each sentence with who said it and when; headings, tables and code are no sentences, and a text in another
    language than English and Chinese is not read: what the parsers made of it would be a guess."""
    if not is_known_language(text):
        return
    plain = _CUE_RE.sub(" ", text)
    if plain != text:
        plain = fold_space(plain)
    for block in blocks(plain):
        if block.kind in ("heading", "table", "code"):
            continue
        speaker = moment = ""
        for start, end in sentences(plain[block.start : block.end]):
            sentence = plain[block.start + start : block.start + end].strip()
            opens = start == 0 or "\n" in plain[block.start + start - 1]
            head = _HEADER_RE.match(sentence) if opens else None
            if head and (speaker or head["time"] or head["before"]):
                speaker, moment = head["speaker"].strip(), head["time"] or head["before"] or ""
                sentence = sentence[head.end() :]
            yield _sentence(_MARKS_RE.sub("", sentence), speaker, moment)


def _sentence(text: str, speaker: str, moment: str) -> Spoken:
    """A sentence with what a correction takes back set apart: "14, not 12 as we wrote" states 14."""
    head = _CORRECTION_RE.match(text)
    back = _TAKEN_BACK_RE.search(text, head.end() if head else 0)
    corrects = head is not None or _PUT_RIGHT_RE.search(text) is not None
    plain = text[head.end() if head else 0 :]
    denied = ""
    if corrects and back:
        denied, plain = back["denied"], text[head.end() if head else 0 : back.start()] + text[back.end() :]
    return Spoken(
        text=text, parsed=Parsed(plain, "en"), speaker=speaker, moment=moment, corrects=corrects, denied=denied
    )


def _before(subject: str, parse: Parse) -> _Subject:
    """What was spoken of before a text begins."""
    (parsed,) = parse([subject])
    return _Subject(bag(parsed), _identity(parsed.tokens), subject)


def _stated(said: _Said, topic: frozenset[str], last: _Subject | None) -> Iterator[tuple[Spoken, list[ParsedClaim]]]:
    """Yield each sentence with its claims; a pronoun, or "the bridge" after Tarrow Bridge, means the subject before."""
    anchor, known = topic, list[frozenset[str]]()
    for item, stated in said:
        first: _Subject | None = None
        day = next(iter(dates.scan(item.moment)), None)
        statements: list[ParsedClaim] = []
        for clause in stated:
            about = [clause.sentence.tokens[at] for at in clause.subject]
            shown = written(clause, clause.subject)
            subject = _Subject(frozenset(_words(clause, clause.subject)), _identity(about), shown)
            earlier = first or last
            if clause.refers == "speaker":
                if not item.speaker:
                    continue
                own = frozenset(map(folded, item.speaker if is_han(item.speaker) else item.speaker.split()))
                alone = item.speaker if not subject.words else f"{item.speaker}: {shown}"
                subject = _Subject(subject.words | own, own, alone)
            elif clause.refers == "back":
                if earlier is None or item.speaker:
                    continue
                alone = earlier.shown if not subject.words else f"{earlier.shown}: {shown}"
                subject = _Subject(subject.words | earlier.words, subject.names | earlier.names, alone)
            elif earlier and not subject.names and subject.words < earlier.words:
                subject = earlier
            first = first or subject
            if subject.names:  # "Holm" of a text on Ida Holm is not that of a text on Karl Holm
                anchor = next((name for name in known if subject.names <= name), subject.names)
                known.append(subject.names)
            statements += _of_clause(clause, subject, day, item, anchor)
        last = first or last
        yield replace(item, anchor=anchor), statements


@dataclass(frozen=True, slots=True)
class _Subject:
    words: frozenset[str]
    names: frozenset[str]
    shown: str
    """The subject as it is written; for a pronoun, what it stands for."""


def _identity(words: Iterable[Token]) -> frozenset[str]:
    """The names among some words, with the numbers beside them; empty without a name."""
    listed = list(words)
    names = name_in(listed)
    return names | {word.lemma for word in listed if word.pos == "NUM"} if names else names


# -- the words of a claim ---------------------------------------------------------------------------------------------

_LIGHT: Final = frozenset(
    "be have do include contain comprise measure stand reach total amount number count exactly only just also "
    "still about around roughly approximately some nearly almost over more less than now currently today already "
    "alone total mr mrs ms dr sir prof".split()
)
_LIGHT_ZH: Final = frozenset(
    "是 为 有 达 达到 约 约为 共 共有 共计 合计 设有 拥有 现有 可 可以 能 的 了 于 在 由 被 系 该 其 它 他 她 这 "
    "那 此 不是 没有 记载 显示 一共 总共 名 个 只 位 条 座 家 支 张 件 辆 台 户 所 株 艘 枚 册 部 把 间 孔 人次 "
    "才 已 已经 目前 现在 如今 今 现今 当时".split()
)
_TELLING: Final = frozenset(("NOUN", "PROPN", "ADJ", "VERB", "AUX", "ADV", "NUM", "X"))
_BARE: Final = frozenset("of in at on by as".split())
"""Prepositions that say no more than that a word belongs to another."""
_KEPT: Final = frozenset("each every all other another most half both same".split())
_MEASURES: Final = {
    "long": "length", "tall": "height", "high": "height", "wide": "width", "broad": "width", "deep": "depth",
    "heavy": "weight", "weigh": "weight", "old": "age",
    "全长": "长", "长度": "长", "总长": "长", "高度": "高", "身高": "高", "宽度": "宽",
    "深度": "深", "重量": "重", "体重": "重",
}  # fmt: skip
"""One word for what is measured, however it is put."""


def _words(clause: Clause, places: Iterable[int], taken: Sequence[Place] = ()) -> Iterator[str]:
    """Yield what words say, less what is taken for values."""
    chinese = clause.sentence.lang == "zh"
    for at in places:
        word = clause.sentence.tokens[at]
        if any(meet(word, value) for value in taken):
            yield from _beside(clause.sentence, word, taken) if chinese else ()
        elif chinese:
            yield from _characters(word)
        elif word.pos in ("ADP", "SCONJ"):
            yield from [word.lemma] if word.lemma not in _BARE else ()
        elif (word.pos in _TELLING or word.lemma in _KEPT) and word.lemma not in _LIGHT:
            yield from [folded(_MEASURES.get(word.lemma, word.lemma))] if re.search(r"\w", word.lemma) else ()


def _characters(word: Token) -> Iterator[str]:
    if word.pos in ("ADV", "ADP", "CCONJ", "PUNCT") or word.lemma in _LIGHT_ZH:
        return
    if word.pos == "PART" and not word.lemma.isascii():
        return
    text = _MEASURES.get(word.lemma, word.lemma)
    yield from [folded(text)] if text.isascii() else text.removeprefix("不")


def _beside(sentence: Parsed, word: Token, taken: Sequence[Place]) -> Iterator[str]:
    """Yield what is measured where a word holds it beside the value: 4471重."""
    for at in range(word.start, word.end):
        if sentence.text[at] in "长高宽深重" and not any(value.start <= at < value.end for value in taken):
            yield sentence.text[at]


def bag(phrase: Parsed, taken: Sequence[Place] = ()) -> frozenset[str]:
    """The words of a phrase or of a question in the forms that keys have, less what is taken out."""
    places = range(len(phrase.tokens))
    return frozenset(_words(Clause(sentence=phrase, subject=(), said=(), verb=""), places, taken))


def content(text: str) -> frozenset[str]:
    """The words of a text that was not parsed, in the forms that keys have where both are written alike."""
    words = (folded(_MEASURES.get(word, word)) for word in re.findall(rf"[^\W_{HAN}]+|[{HAN}]", text.casefold()))
    return frozenset(words) - _LIGHT


def folded(word: str) -> str:
    """The form of a word in keys: small letters, no accents, no possessive."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char)).removesuffix("'s")


# -- values -----------------------------------------------------------------------------------------------------------

_CLOCK_RE: Final = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\d:.])(?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)(?![\d:])"
    r"|(?P<part>凌晨|早上|上午|中午|下午|傍晚|晚上)?(?P<han>\d{1,2}|[一二三四五六七八九十两]{1,3})[点時时](?![间代期候])"
    r"(?:(?P<thirty>半)|(?P<minutes>\d{1,2}|[一二三四五]?十[一二三四五六七八九]?)分?)?"
    r"|\b(?P<day>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|(?:周|星期|礼拜)(?P<day_zh>[一二三四五六日天])",
    re.IGNORECASE,
)


def hours(text: str) -> tuple[Hour, ...]:
    """Read the hours of the day and the days of the week of a text."""
    return tuple(_hour(match) for match in _CLOCK_RE.finditer(text))


def _hour(match: re.Match[str]) -> Hour:
    start, end = match.span()
    if match["day"] or match["day_zh"]:
        named, day = match["day"], match["day_zh"]
        weekday = dates.WEEKDAYS.index(named.lower()) if named else min(dates.HAN_WEEKDAYS.index(day), 6)
        return Hour(start, end, weekday=True, value=weekday)
    if match["han"]:
        hour, minute = int(read_han(match["han"])), 30 if match["thirty"] else int(read_han(match["minutes"] or "0"))
        hour += 12 if match["part"] in ("下午", "傍晚", "晚上") and hour < 12 else 0
    elif match["half"]:
        hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
        minute = int(match["minute"] or 0)
    else:
        hour, minute = int(match["hour2"]), int(match["minute2"])
    return Hour(start, end, weekday=False, value=60 * hour + minute)


def _values_of(clause: Clause, meant: Sequence[Date]) -> tuple[list[Quantity], list[Date], list[Hour]]:
    """The numbers, dates and hours that stand in a clause; a year after no preposition is a number, or a name's."""
    text, words = clause.sentence.text, clause.sentence.tokens
    inside = [words[at] for at in (*clause.subject, *clause.said)]
    clocks = [hour for hour in hours(text) if not any(meet(day, hour) for day in meant)]
    written = [day for day in dates.scan(text) if not any(meet(day, hour) for hour in clocks)]
    moments = [*meant, *(day for day in written if not day.bare or _follows_preposition(clause.sentence, day))]

    def within(item: Place) -> bool:
        return any(meet(word, item) for word in inside)

    numbers = values.scan(text, dates=[*moments, *clocks])
    return [*filter(within, numbers)], [*filter(within, moments)], [*filter(within, clocks)]


def _follows_preposition(sentence: Parsed, day: Date) -> bool:
    before = [word for word in sentence.tokens if word.end <= day.start]
    return bool(before) and before[-1].pos == "ADP"


_COUNTED_NAMES: Final = "号栋幢班期届组路线楼室型代版回章集款次卷层部院区"


def _is_label(clause: Clause, number: Quantity) -> bool:
    """Whether a number is a part of a name: Bus 7, Order 4471, the 747; 3号线, 一期工程, 订单4471."""
    text, words = clause.sentence.text, clause.sentence.tokens
    if number.unit is not None:
        return False
    at = next((at for at, word in enumerate(words) if word.start <= number.start < word.end), -1)
    before = words[at - 1] if at > 0 else None
    touching = before is not None and number.start - before.end <= 1
    if clause.sentence.lang == "en":
        own = words[at]
        named = touching and before is not None and before.pos in ("NOUN", "PROPN") and own.head <= at - 1
        return bool(named) or own.role in ("nsubj", "nsubjpass", "compound")
    after = text[number.end : number.end + 1]
    if after and after in _COUNTED_NAMES and at in clause.subject:
        return True
    following = words[at + 1] if at + 1 < len(words) else None
    inner = words[at].start < number.start  # LAC took the number for a part of the word
    leads = after in "长高宽深重的" or (
        following is not None and following.start == number.end and following.pos == "VERB"
    )
    noun = touching and before is not None and before.pos in ("NOUN", "PROPN")
    return inner or after == "号" or bool(noun and after and leads)


# -- the claims of a clause -------------------------------------------------------------------------------------------

_ONCE: Final = frozenset(
    "abolish acquire announce appoint arrive assassinate baptise bear begin break build burn bury buy close "
    "commission complete compose construct create commence crash defeat demolish design destroy die direct "
    "discover dissolve elect end erect establish expire finish found hold inaugurate install institute introduce "
    "invent join land launch leave marry move name open paint patent produce publish purchase release retire "
    "schedule sell ship sign sink start unveil win write due premiere debut graduate take".split()
)
"""What is done once to a thing: an act with two dates was dated wrongly by one of two texts."""
_ONCE_RE: Final = re.compile(
    "建[于成]|始建|成立|创[办建立]|出生|[生死卒葬]于|去世|逝世|发射|开[业馆放通幕工播始]|通车|竣工|落成|完[工成]|启用|发[布现明表行]|出版|签[署订]|"
    "投产|上[市映线]|诞生|合[龙并]|毕业|举[行办]|召开|设计|设立|建[造立]|谱写|创作|执导|收购|定于|首[次映飞]|最[后近]一?次|当选|就任|结婚|截止"
)
_STANDING: Final = {
    "agent": frozenset("lead command head run own chair coach govern direct".split()),
    "place": frozenset("base locate situate lie headquarter bury live 位于 坐落 坐落于".split()),
}
"""What one alone does at a time, and where one thing alone is."""
_DOERS: Final = {"author": "write", "writer": "write", "architect": "design"} | {
    form: verb
    for verb in sorted(_ONCE | _STANDING["agent"])
    for form in (f"{verb}er", f"{verb}or", f"{verb.removesuffix('e')}er", f"{verb.removesuffix('e')}or")
}
"""Who did it, by what was done: the author of a novel wrote it, its founder founded it."""


def acts(words: frozenset[str]) -> frozenset[str]:
    """The words of a key with acts in place of those who did them: what the designer of a bridge did."""
    return frozenset(_DOERS.get(word, word) for word in words)


def _of_clause(
    clause: Clause, about: _Subject, day: Date | None, spoken: Spoken, anchor: frozenset[str]
) -> Iterator[ParsedClaim]:
    """Yield the claims of a clause; `day` is the one on which it was said, where that is known."""
    meant = dates.relative(clause.sentence.text, day) if day else ()
    numbers, moments, clocks = _values_of(clause, meant)
    subject = about.words
    numbers = [item for item in numbers if not _is_label(clause, item)]
    words = clause.sentence.tokens
    own_name = name_in(words[at] for at in clause.subject)
    once = _happens_once(clause)
    free = [item for item in numbers if not _in(clause, clause.subject, item)] or numbers
    timed: list[Date | Hour] = [*moments, *clocks]

    def key(of: frozenset[str], left_out: Collection[int] = (), value: Quantity | None = None) -> frozenset[str]:
        """All that is said of a subject but the times, the value and the words that are left out."""
        said = frozenset(_words(clause, (at for at in clause.said if at not in left_out), [*timed, *numbers]))
        kept = [item for item in numbers if item is not value and not _in(clause, left_out, item)]
        return (of | said | {_literal(item) for item in kept}) - {"一"}

    def statement(kind: ClaimKind, value: Value | None, place: Place, **fields: Any) -> ParsedClaim:
        claim = replace(claim_of(clause, kind, (place.start, place.end), about.shown), text=spoken.text)
        if value in meant:  # "yesterday" is told by its date
            claim = replace(claim, value=_iso(value))
        elif timed and value not in timed:
            claim = replace(claim, time=_iso(timed[0]) if timed[0] in meant else _at(clause, timed[0]))
        return ParsedClaim(
            claim=claim, value=value, aside=clause.aside, once=once, said=spoken, anchored=bool(about.names),
            anchor=frozenset() if value == own_name else anchor,
            **{"when": tuple(timed), "subject": subject, **fields},
        )  # fmt: skip

    if not clause.denied:
        own = subject | frozenset(_words(clause, clause.subject, [*timed, *numbers]))
        for item in free:
            of = own if _in(clause, clause.subject, item) else subject
            yield statement("number", item, item, key=key(of, value=item))
        places = {at for role, phrase in clause.names for at in phrase if role != "is" and at in clause.said}
        details = frozenset(_words(clause, places, timed))
        dated: Sequence[Date | Hour] = moments or clocks
        single = len(moments) <= 1 and len({hour.weekday for hour in clocks}) == len(clocks)
        for moment in dated if single and all(_in(clause, places, item) for item in free) else ():
            if not (isinstance(moment, Date) and moment.range):
                rest = tuple(hour for hour in clocks if hour is not moment and not moments)
                yield statement(
                    "date", moment, moment, key=key(subject, places), when=rest, where=details, only=once
                )  # fmt: skip
        for role, phrase in clause.names:
            found = name_in(words[at] for at in phrase)
            if not found or not clause.subject or any(_in(clause, phrase, item) for item in free):
                continue
            if phrase == clause.subject and role == "agent" and not any(words[at].pos in NAMING for at in clause.said):
                continue  # who drew attention, or has a workshop: many may have
            whole = key(frozenset() if phrase == clause.subject else subject, phrase)
            made = _DOERS.keys() & whole if role == "is" else frozenset()
            whole = (whole - made) | {_DOERS[word] for word in made}
            mark: Role = "agent" if made else role
            kind: ClaimKind = "place" if role == "place" else "name"
            other = frozenset(_words(clause, places - {*phrase}, timed)) if once else frozenset()
            place = Piece(words[phrase[0]].start, words[phrase[-1]].end)
            yield statement(
                kind, found, place, key=(whole - other) | {f"@{mark}"}, where=other, subject=frozenset(),
                only=clause.only if role == "is" else once or clause.verb in _STANDING[role],
            )  # fmt: skip
    whole = key(subject)
    if len(whole - subject) >= (2 if clause.sentence.lang == "zh" else 1) and subject:
        yield statement("negation", None, Piece(0, 0), key=whole)


def _happens_once(clause: Clause) -> bool:
    words = clause.sentence.tokens
    if clause.sentence.lang == "zh":
        return bool(_ONCE_RE.search("".join(words[at].lemma for at in (*clause.said,))))
    lemmas = {words[at].lemma for at in clause.said}
    scheduled = clause.verb == "be" and not lemmas & {"open", "closed", "available"} and not any(
        words[at].role in ("attr", "acomp") and words[at].lemma != "due" for at in clause.said
    )  # fmt: skip
    order = {words[at].lemma for at in clause.said if words[at].role != "amod"}  # but "in the last few years"
    return clause.verb in _ONCE or bool(order & {"last", "first", "due"}) or scheduled


NAMING: Final = ("PROPN", "TIME")
"""Parts of speech of words that tell one thing from others of its kind."""


def name_in(words: Iterable[Token]) -> frozenset[str]:
    """Return the words that are names, without titles."""
    return frozenset(
        folded(word.lemma) for word in words if word.pos == "PROPN" and word.lemma.strip(".") not in _LIGHT
    )


def _literal(item: Quantity) -> str:
    return f"{item.in_base(item.low):g}-{item.in_base(item.high):g} {item.dimension}"


def _in(clause: Clause, places: Iterable[int], item: Place) -> bool:
    """Whether a value stands in the words at these places."""
    return any(meet(clause.sentence.tokens[at], item) for at in places)


# -- what the memory keeps --------------------------------------------------------------------------------------------


def claim_of(clause: Clause, kind: ClaimKind, span: tuple[int, int], subject: str) -> Claim:
    """Return what the memory keeps of a clause whose value stands at `span`."""
    (text, _, words), (start, end) = clause.sentence, span
    value = text[start:end].strip()
    if value and any(words[at].start < end and start < words[at].end for at in clause.subject):
        subject = subject.replace(value, GAP, 1)
    return Claim(
        text=text, kind=kind, subject=subject, attribute=_attribute(clause, span), value=value,
        polarity=not clause.denied,
    )  # fmt: skip


def _attribute(clause: Clause, span: tuple[int, int]) -> str:
    """Return the clause without its subject, as it is written, with a gap where the value stands: "was opened in …".

    What stands before the subject follows the rest in English: "In 2019 the museum had …" gives "had … in 2019".
    """
    _, lang, words = clause.sentence
    said = {*clause.said}
    for at, word in enumerate(words):  # "was", and the "and" between two things that are said
        between = word.role == "cc" and at + 1 in said
        if (between or word.role in ("aux", "auxpass")) and word.head in said and at not in clause.subject:
            said.add(at)
    before = [at for at in sorted(said) if at < min(clause.subject, default=0)]
    after = [at for at in sorted(said) if at not in before]
    if lang == "zh" or not before:
        return written(clause, [*before, *after], span)
    first = words[before[0]]
    moved = written(clause, before, span)
    moved = moved if first.pos in ("PROPN", "NUM") else moved[:1].lower() + moved[1:]
    return f"{written(clause, after, span)} {moved}".strip()


def _at(clause: Clause, item: Date | Hour) -> str:
    return clause.sentence.text[item.start : item.end]


def _iso(day: Value | None) -> str:
    """A day as 2024-03-11, two of them where it is a time between."""
    assert isinstance(day, Date)
    ends = dict.fromkeys(f"{year:04}-{month:02}-{number:02}" for year, month, number in (day.first, day.last))
    return "/".join(ends)


def written(clause: Clause, places: Sequence[int], gap: tuple[int, int] = (0, 0)) -> str:
    """Return the words at these places as they are written; "…" for what stands in the gap."""
    text, lang, words = clause.sentence
    start, end = gap
    phrase, last = "", 0
    for at in places:
        word = words[at]
        beside = text[last : word.start] if phrase else ""
        if lang == "zh" or not phrase:
            beside = ""
        elif len(beside) > 1 or beside.isalnum():  # but the hyphen of "105-qubit"
            beside = " "
        last = word.end
        if not (word.start < end and start < word.end):
            phrase += beside + text[word.start : word.end]
            continue
        if not phrase.endswith(GAP):
            phrase += beside + text[word.start : max(word.start, start)] + GAP
        phrase += text[end : word.end]
    return phrase.rstrip(" .,;。，；")
