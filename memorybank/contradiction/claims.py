"""Claims: what a clause says without its one value, so that two clauses can be compared by everything but the value.

The value is a number with its unit, the date of an act that happens once, a name in a role, or yes and no. All
other words of the clause are its `key`: subject with every modifier, predicate and complements. A number within a name
("Bus 7", 3号线) is the name's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Final

from memorybank.contradiction.clauses import DEFINITE, ONCE, RENEWED_RE, WORDS, Clause
from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.parse import Parsed, Place, Token, is_capital, meet
from memorybank.language.text import HAN, Piece
from memorybank.language.tokens import folded
from memorybank.language.values import Quantity
from memorybank.memory.types import Claim, ClaimKind
from memorybank.prompts.claim_words import GAP

Value = Quantity | Date | frozenset[str]
"""The value of a claim; a name as the set of its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a document, with who said it and when where it is a dialogue's."""

    text: str
    """The sentence as it stands in the text."""
    parsed: Parsed
    """The words of the sentence without the head of a turn or correction and without what a correction takes back."""
    speaker: str = ""
    moment: str = ""
    corrects: bool = False
    anchor: frozenset[str] = frozenset()
    """Names of what its text speaks of here, where its subject has none of its own; empty where nobody can tell."""
    entry: bool = False
    """Whether it has no subject of its own, as a row of a card: then its text's one subject is meant."""
    denied: str = ""
    """The value that it takes back: "12" of "14, not 12"; empty where it takes nothing back in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedClaim:
    """A claim as it is compared; `claim` is what the memory keeps of it."""

    claim: Claim
    key: frozenset[str]
    """All that is said but the value, as basic forms of the words; of Chinese their characters."""
    subject: frozenset[str]
    value: Value | None
    """The value; None for a claim that is no more than yes or no."""
    when: tuple[Date, ...] = ()
    where: frozenset[str] = frozenset()
    """Words on where and by whom a single act was done: details that one text may leave out."""
    anchor: frozenset[str] = frozenset()
    """Names what the text is on, as in `Sentence`: "the city" of a text on Wadi is not that of a text on Olden."""
    anchored: bool = False
    """Whether its own words name what it is about."""
    said: Sentence
    """The sentence that it is a claim of."""
    only: bool = True
    """Whether one value alone can hold."""
    once: bool = False
    """Whether it is an act that happens once."""
    within: frozenset[str] = frozenset()
    """Names of what a place lies in, where that is told with it: "Perth, Scotland"."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause: its words, its names and its text."""

    words: frozenset[str]
    names: frozenset[str]
    shown: str
    """The subject as it is written; for a pronoun, what it stands for."""


# -- the words of a claim ---------------------------------------------------------------------------------------------

_LIGHT: Final = frozenset(WORDS["light"].split())
_LIGHT_ZH: Final = frozenset("是 为 有 达 约 共 共有 设有".split())
_TELLING: Final = frozenset(("NOUN", "PROPN", "ADJ", "VERB", "AUX", "ADV", "NUM", "X"))
_BARE: Final = frozenset("of in at on by as".split())
"""Prepositions that say no more than that a word belongs to another."""
_KEPT: Final = frozenset("each every all other another most half both same".split())
_MEASURES: Final[Mapping[str, str]] = WORDS["measures"]
"""One word for what is measured or done, however it is put."""


def words_of(clause: Clause, places: Iterable[int], taken: Sequence[Place] = ()) -> Iterator[str]:
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
        elif word.lemma not in _LIGHT and (
            word.pos in _TELLING or word.lemma in _KEPT or is_capital(clause.sentence, word)
        ):
            yield from [folded(_MEASURES.get(word.lemma, word.lemma))] if re.search(r"\w", word.lemma) else ()


_ERSTWHILE_RE: Final = re.compile("曾|原|起初|最初|当初|本来|昔|先前|从前|以前|过去|再[次度]")
"""Adverbs that say of another time: what was so once is not denied by what is so now."""


def _characters(word: Token) -> Iterator[str]:
    if word.pos == "ADV" and _ERSTWHILE_RE.match(word.lemma):
        yield word.lemma
    if word.pos in ("ADV", "ADP", "CCONJ", "PUNCT") or word.lemma in _LIGHT_ZH:
        return
    if word.pos == "PART" and not word.lemma.isascii():
        return
    text = _MEASURES.get(word.lemma, word.lemma)
    yield from [folded(text)] if text.isascii() else text.removeprefix("不")


def _beside(sentence: Parsed, word: Token, taken: Sequence[Place]) -> Iterator[str]:
    """Yield what is measured where a word holds it beside the value, 4471重, and which part of a year: 2023年上半年."""
    for at in range(word.start, word.end):
        kept = word.pos == "TIME" or sentence.text[at] in "长高宽深重"
        if kept and not any(value.start <= at < value.end for value in taken):
            yield sentence.text[at]


def bag(phrase: Parsed, taken: Sequence[Place] = ()) -> frozenset[str]:
    """Return the words of a phrase or of a question in the forms that keys have, less what is taken out."""
    places = range(len(phrase.tokens))
    return frozenset(words_of(Clause(sentence=phrase, subject=(), predicate=(), verb=""), places, taken))


def content(text: str) -> frozenset[str]:
    """Return the words of a text that was not parsed, in the forms that keys have where both are written alike."""
    words = (folded(_MEASURES.get(word, word)) for word in re.findall(rf"[^\W_{HAN}]+|[{HAN}]", text.casefold()))
    return frozenset(words) - _LIGHT


# -- values -----------------------------------------------------------------------------------------------------------


def _values_of(clause: Clause) -> tuple[list[Quantity], list[Date]]:
    """Return the numbers and dates that stand in a clause; a year after no preposition is a number, or a name's."""
    text, words = clause.sentence.text, clause.sentence.tokens
    inside = [*clause.subject, *clause.predicate]
    follows = {word.start for before, word in pairwise(words) if before.pos == "ADP"}
    days = [day for day in dates.scan(text) if not day.bare or day.start in follows]
    within = partial(_in, clause, inside)
    return [*filter(within, values.scan(text, dates=days))], [*filter(within, days)]


def _is_label(clause: Clause, number: Quantity) -> bool:
    """Whether a number is a part of a name: Bus 7, Order 4471, the 747; a bare one of a Chinese subject, 3号线."""
    words = clause.sentence.tokens
    at = next((at for at, word in enumerate(words) if meet(word, number)), 0)
    if number.unit is not None or clause.sentence.lang == "zh":
        return number.unit is None and (at in clause.subject or words[at].pos == "PROPN")
    head = words[at].head
    return (head < at and words[head].pos in ("NOUN", "PROPN")) or words[at].role in ("nsubj", "nsubjpass", "compound")


# -- the claims of a clause -------------------------------------------------------------------------------------------

_YEARLY: Final = frozenset("arrive be schedule take 定于 举行 举办 到达 抵达".split())
_HELD: Final = frozenset("hold play schedule take 定于 举行 举办 召开".split())
"""Verbs of what is held: matches, meetings, weddings."""
_ONCE_RE: Final = re.compile(
    "[建铸][于成造]|始建|[立刻凿塑植]于(?=[^，]{0,6}年)|成立|创[办建立]|出生|[生死卒葬]于|去世|逝世|发射|开[业馆放通幕工播始]|通车|竣工|落成|完[工成]|启用|发[布现明表行]|出版|签[署订]|"
    "投产|上[市映线]|诞生|合[龙并]|毕业|下水|[到抵]达|设计|设立|建[造立]|谱写|创作|执导|收购|定于|首[次映飞]|最[后近]一?次|当选|就任|结婚|截止|举[行办]"
)
_ROW_RE: Final = re.compile("建成|竣工|落成|完工|通[车航水]|蓄水|投[产用运]|[启使]用|开[放馆业学园]|发电|运[营行]")
"""Acts that are told in a row as one: 建成通车."""
_STANDING: Final = {
    "agent": frozenset("be lead command head run own chair coach govern direct".split()),
    "place": frozenset("base locate situate lie headquarter bury live 位于 坐落 坐落于".split()),
}
"""Verbs of what one alone does at a time ("is a novel by"), and of where one thing alone is."""


def claims_of(clause: Clause, about: Subject, sentence: Sentence, anchor: frozenset[str]) -> Iterator[ParsedClaim]:
    """Yield the claims of a clause; none of what is true "yesterday" or "last year", for each text has its own. Of acts
    in a row, 建成通车, each is claimed."""
    told = dates.RELATIVE_RE.search(clause.sentence.text)
    if told and (sentence.speaker or not (told["now"] or told["today"])):
        return
    acts = [at for at in clause.predicate if _ROW_RE.fullmatch(clause.sentence.tokens[at].lemma)]
    rows = [{*acts} - {at} for at in acts] if len(acts) > 1 and acts[-1] - acts[0] < len(acts) else [set[int]()]
    for others in rows:
        stated = replace(clause, predicate=tuple(at for at in clause.predicate if at not in others))
        reader = _ClauseReader(stated, about, sentence, anchor)
        if not clause.denied:
            yield from reader.numbers()
            yield from reader.moments()
            yield from reader.names()
        yield from reader.yes_or_no()


class _ClauseReader:
    """Makes the claims of one clause, each of one value; all other values of the clause are words of its key."""

    def __init__(self, clause: Clause, about: Subject, sentence: Sentence, anchor: frozenset[str]) -> None:
        self._about, self._sentence, self._anchor = about, sentence, anchor
        is_held = clause.verb in _HELD and not about.names  # nobody knows which match: a text tells of one of many
        self._once, self._clause = _happens_once(clause) and not is_held, clause
        numbers, self._times = _values_of(clause)
        self._numbers = [number for number in numbers if not _is_label(clause, number)]
        self._stated = [number for number in self._numbers if not _in(clause, clause.subject, number)]
        told = {at for role, phrase in clause.names for at in phrase if role != "is" and at in clause.predicate}
        told |= {*clause.kind} if self._once else set()
        self._named, self._details = told, told | {*clause.beside} if self._once else told

    def numbers(self) -> Iterator[ParsedClaim]:
        clause, own = self._clause, self._about.words
        for number in self._stated:
            beside = clause.beside if self._once and not _in(clause, clause.beside, number) else ()
            yield self._claim("number", number, number, key=self._key(own, beside, number))
        for number in (number for number in self._numbers if _in(clause, clause.subject[:1], number)):
            counted = frozenset(words_of(clause, clause.subject, [number]))  # "84 mm of rain fell"
            yield self._claim("number", number, number, key=self._key(counted, value=number), subject=counted)

    def moments(self) -> Iterator[ParsedClaim]:
        """Yield a claim of the day of an act; of several days, none. Behind 经过大修 the act is another one."""
        beside = [*self._details, *self._clause.subject]
        number_tells = not all(_in(self._clause, beside, number) for number in self._numbers)
        said = [day for day in self._times if not _in(self._clause, self._clause.subject, day)]  # the fair of 2023
        if len(said) != 1 or said[0].range or number_tells:
            return
        (day,), named = said, tuple(day for day in self._times if day not in said)
        until = self._clause.sentence.tokens[max(self._clause.predicate, default=-1)].end
        again = self._once and RENEWED_RE.search(self._clause.sentence.text[:until])
        key = self._key(self._about.words, self._details) | ({"@again"} if again else set())
        where = frozenset(words_of(self._clause, self._named, [day]))
        dated = day.year and not day.bare and self._clause.verb in _YEARLY  # each year's fair has a day of its own
        when = (replace(day, first=(day.year, 1, 1), last=(day.year, 12, 31)),) if dated else named
        yield self._claim("date", day, day, key=key, when=when, where=where, only=self._once)

    def names(self) -> Iterator[ParsedClaim]:
        clause, words = self._clause, self._clause.sentence.tokens
        for role, phrase in clause.names:
            name = name_in(words[at] for at in phrase)
            if not name or not clause.subject or any(_in(clause, phrase, number) for number in self._stated):
                continue
            if role == "agent" and any(other == role and at < phrase for other, at in clause.names):
                continue  # "climbed by Otto Brandl, by the east ridge"
            names_more = any(words[at].pos in ("PROPN", "TIME") for at in clause.predicate)
            if phrase == clause.subject and role == "agent" and not names_more:
                continue  # who drew attention, or has a workshop: many may have
            own = frozenset[str]() if phrase == clause.subject else self._about.words
            details = self._details - {*phrase} if self._once else set()
            within = self._within(phrase) if role == "place" else frozenset()
            yield self._claim(
                "place" if role == "place" else "name", name - within,
                Piece(words[phrase[0]].start, words[phrase[-1]].end),
                key=self._key(own, {*phrase, *details}) | {f"@{role}"}, subject=frozenset(), within=within,
                where=frozenset(words_of(clause, self._named - {*phrase}, self._times)),
                only=clause.only if role == "is" else self._once or clause.verb in _STANDING[role],
            )  # fmt: skip

    def _within(self, place: tuple[int, ...]) -> frozenset[str]:
        """Return what a place is said to lie in: the names set behind it in English, those before it in Chinese."""
        words = self._clause.sentence.tokens
        if self._clause.sentence.lang == "zh":
            return name_in(words[at] for at in [at for at in place if words[at].pos == "PROPN"][:-1])
        behind = {at for at, word in enumerate(words) if word.role == "appos" and word.head in place}
        of = {at for at, word in enumerate(words) if word.role == "prep" and word.head in behind}  # "a town in France"
        return name_in(word for at, word in enumerate(words) if at in behind or word.head in of)

    def yes_or_no(self) -> Iterator[ParsedClaim]:
        subject = self._about.words
        key = self._key(subject)
        if subject and len(key - subject) >= (2 if self._clause.sentence.lang == "zh" else 1):
            yield self._claim("negation", None, Piece(0, 0), key=key)

    def _key(self, of: frozenset[str], left_out: Collection[int] = (), value: Quantity | None = None) -> frozenset[str]:
        """Return all that is said of a subject but the times, the value and the words that are left out."""
        places = (at for at in self._clause.predicate if at not in left_out)
        words = frozenset(words_of(self._clause, places, [*self._times, *self._numbers]))
        others = [item for item in self._numbers if item is not value and not _in(self._clause, left_out, item)]
        return (of | words | {f"{item.in_base(item.value):g} {item.dimension}" for item in others}) - {"一"}

    def _claim(self, kind: ClaimKind, value: Value | None, place: Place, **fields: Any) -> ParsedClaim:
        clause, about = self._clause, self._about
        claim = replace(claim_of(clause, kind, (place.start, place.end), about.shown), text=self._sentence.text)
        if self._times and value not in self._times:
            first = self._times[0]
            claim = replace(claim, time=clause.sentence.text[first.start : first.end])
        is_own_name = value == name_in(clause.sentence.tokens[at] for at in clause.subject)
        return ParsedClaim(
            claim=claim, value=value, once=self._once, said=self._sentence,
            anchored=bool(about.names), anchor=frozenset() if is_own_name else self._anchor,
            **{"when": tuple(self._times), "subject": about.words, **fields},
        )  # fmt: skip


def _happens_once(clause: Clause) -> bool:
    words = clause.sentence.tokens
    if clause.sentence.lang == "zh":
        return bool(_ONCE_RE.search("".join(words[at].lemma for at in clause.predicate)))
    lemmas = {words[at].lemma for at in clause.predicate}
    scheduled = clause.verb == "be" and not lemmas & {"open", "closed", "available"} and not any(
        words[at].role in ("attr", "acomp") and words[at].lemma != "due" for at in clause.predicate
    )  # fmt: skip
    order = {words[at].lemma for at in clause.predicate if words[at].role != "amod"}  # but "in the last few years"
    done_to = (words[at] for at in clause.predicate if words[at].role == "dobj")
    if any(word.pos == "NOUN" and word.lemma != "place" and order.isdisjoint(DEFINITE) for word in done_to):
        return False  # who bought a house may have bought another
    return clause.verb in ONCE or bool(order & {"last", "first", "due"}) or scheduled


def name_in(words: Iterable[Token]) -> frozenset[str]:
    """Return the words that are names, without titles."""
    return frozenset(
        folded(word.lemma) for word in words if word.pos == "PROPN" and word.lemma.strip(".") not in _LIGHT
    )


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

    What stands before the subject follows the rest in English: "In 2019 the museum had …" gives "had … in 2019". How,
    where and by whom an act was done is left out, for a source of the same value need not say so.
    """
    _, lang, words = clause.sentence
    places, value = {*clause.predicate}, Piece(*span)
    if any(span) and _happens_once(clause):
        phrases = [clause.beside, *(phrase for role, phrase in clause.names if role != "is")]
        asides = [phrase for phrase in phrases if not any(meet(words[at], value) for at in phrase)]
        led = {phrase[0] - 1 for phrase in asides if phrase and words[phrase[0] - 1].pos == "ADP"}
        places -= led.union(*asides)
    for at, word in enumerate(words):  # "was", and the "and" between two things that are said
        between = word.role == "cc" and at + 1 in places
        if (between or word.role in ("aux", "auxpass")) and word.head in places and at not in clause.subject:
            places.add(at)
    first = min(clause.subject, default=0) if lang == "en" else 0
    return written(clause, sorted(places, key=lambda at: (at < first, at)), span)


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
        elif len(beside) > 1 or beside.isalnum() or word.start < last:  # but the hyphen of "105-qubit"
            beside = " "
        last = word.end
        if not (word.start < end and start < word.end):
            shown = text[word.start : word.end]
            phrase += beside + (shown if word.start or not phrase or word.pos in ("PROPN", "NUM") else shown.lower())
            continue
        if not phrase.endswith(GAP):
            phrase += beside + text[word.start : max(word.start, start)] + GAP
        phrase += text[end : word.end]
    return phrase.rstrip(" .,;。，；")
