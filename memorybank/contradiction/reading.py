"""Texts, read: their sentences with who said each and when, and the claims of each sentence.

A pronoun stands for the subject of the sentence before, in its own document, or the claim is dropped; in a dialogue the
first person is who speaks. What a correction takes back is set apart from what it states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

from memorybank.contradiction.claims import ParsedClaim, Sentence, Subject, bag, claims_of, name_in, words_of, written
from memorybank.contradiction.clauses import SPEAKER, WORDS, Clause, clauses
from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.names import names_in
from memorybank.language.parse import Parse, Parsed, Token
from memorybank.language.text import HAN, TURN_RE, blocks, is_han, is_known_language, sentences
from memorybank.language.tokens import folded


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """The sentences of a text and the claims in them; what it repeats word for word counts once."""

    said: tuple[Sentence, ...]
    statements: tuple[ParsedClaim, ...]
    topic: frozenset[str] = frozenset()
    """Names and numbers in the line that says what the text is about."""


def read(text: str, parse: Parse, topic: str = "", subject: str = "") -> ReadText:
    """Read what a text states; nothing where no parser is at hand. `subject`: what a pronoun in its beginning means."""
    before = [Subject(bag(parsed), _identity(parsed.tokens), subject) for parsed in parse([subject] if subject else [])]
    return read_all([(text, topic)], parse, *before)[0]


def read_all(texts: Sequence[tuple[str, str]], parse: Parse, before: Subject | None = None) -> list[ReadText]:
    """Read texts, each with its topic line; the sentences of all of them are parsed in one go."""
    written_out = [list(_sentences(text, before.shown if before else "")) for text, _ in texts]
    asked = [
        [*(item.parsed.text for item in items), topic] for items, (_, topic) in zip(written_out, texts, strict=True)
    ]
    parsed = iter(parse([text for each in asked for text in each]))
    readings = []
    for items in written_out:
        by_sentence = [(replace(item, parsed=words), clauses(words)) for item in items for words in [next(parsed)]]
        whole = {
            item.text for item, stated in by_sentence if stated and not item.entry
        }  # "Built in 1812, it has sails"
        by_sentence = [(item, stated) for item, stated in by_sentence if not item.entry or item.text not in whole]
        line = next(parsed)
        topic = _identity(word for word in line.tokens if not line.text[word.start].islower())
        stated = list(_stated(by_sentence, topic, before))
        statements = tuple(dict.fromkeys(statement for _, claims in stated for statement in claims))
        said = tuple(dict.fromkeys(item for item, _ in stated))
        readings.append(ReadText(topic=topic, said=said, statements=statements))
    return readings


_BySentence = Sequence[tuple[Sentence, Sequence[Clause]]]
"""The sentences of a text, each with its clauses."""


class Readings:
    """The readings of texts by one parser; they are remembered, for each is compared often."""

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


_MARKS_RE: Final = re.compile(r"^(?:[-*•#>\s]+|\[\d{1,3}\]\s*)+")
"""The mark of a list and the number of a note before a sentence."""
_LED_RE: Final = re.compile(r"^(?:In|At|On|During|Since|By|After|Before)\b[^,;]{0,40}?\b[12]\d{3}(?= [A-Z])")
_PLACE_RE: Final = re.compile(
    r"(?:the |lake|loch|mount|river|port|fort|glen|san|st\b|saint|great|little|upper|lower|new|\w+th\b|east|west|old)",
    re.IGNORECASE,
)
"""Beginnings of names that are others without them: Lake Garrow is not Garrow, as Mabel Torrance is Torrance."""
_CORRECTION_RE: Final = re.compile(
    r"^\W*(?:correction|corrigendum|erratum|errata|更正|勘误|订正)(?:启事|说明)?\s*[:：]\s*", re.IGNORECASE
)
_PUT_RIGHT_RE: Final = re.compile(r"\bshould (?:have )?(?:read|say|said)\b|应[为作](?!了)|实为|有误", re.IGNORECASE)
_TAKEN_BACK_RE: Final = re.compile(
    r"\s*[,;，；]?\s*(?:\b(?:and |but )?not|\brather than|\binstead of|而?不是|而非|而?并非)"
    r"\s*(?P<denied>[^,;.，；。]*?\d[^,;，；。]*)",
    re.IGNORECASE,
)


def _sentences(text: str, title: str) -> Iterator[Sentence]:
    """Yield each sentence with who said it and when, and each entry of a card or table. Headings and code are no
    sentences, and a text in another language than English and Chinese is not read: the parsers would guess."""
    if not is_known_language(text):
        return
    least = 1 if title else 2  # a claim that is read again stands alone
    for block in blocks(text):
        if block.kind in ("heading", "code"):
            title = _title_in(text[block.start : block.end]) if block.kind == "heading" else title
            continue
        entries = list(_rows(text[block.start : block.end], title, least))
        yield from (replace(_sentence(row, "", ""), parsed=Parsed(said, "en"), entry=True) for row, said in entries)
        if entries or block.kind == "table":
            continue
        speaker = moment = ""
        for start, end in sentences(text[block.start : block.end]):
            sentence = text[block.start + start : block.start + end].strip()
            opens = start == 0 or "\n" in text[block.start + start - 1]
            head = TURN_RE.match(sentence) if opens else None
            when = (head["time"] or head["before"] or head["at"] or "") if head else ""
            if head and (speaker or when):
                speaker, moment = (head["speaker"] or head["who"]).strip(), when
                sentence = sentence[head.end() :]
            if not speaker and (said := _fragment(sentence, title)):
                yield replace(_sentence(sentence, "", ""), parsed=Parsed(said, "en"), entry=True)
            if sentence:
                yield from _parts(_sentence(_MARKS_RE.sub("", sentence), speaker, moment))


def _parts(sentence: Sentence) -> Iterator[Sentence]:
    """Yield what semicolons and "On a postcard:" part in English, with a comma behind "in the final of 2019"."""
    text = sentence.parsed.text
    for part in [text] if sentence.corrects or is_han(text) else re.split(r"; |: (?=[A-Z])", text):
        yield replace(sentence, parsed=Parsed(_LED_RE.sub(r"\g<0>,", part), "en"))


def _sentence(text: str, speaker: str, moment: str) -> Sentence:
    """Return a sentence with what a correction takes back set apart: "14, not 12 as we wrote" states 14."""
    head = _CORRECTION_RE.match(text)
    plain, denied = text[head.end() if head else 0 :], ""
    corrects = head is not None or _PUT_RIGHT_RE.search(text) is not None
    if corrects and (back := _TAKEN_BACK_RE.search(plain)):
        plain, denied = plain[: back.start()] + plain[back.end() :], back["denied"]
    return Sentence(
        text=text, parsed=Parsed(plain, "en"), speaker=speaker, moment=moment, corrects=corrects, denied=denied
    )


def _stated(
    by_sentence: _BySentence, topic: frozenset[str], last: Subject | None
) -> Iterator[tuple[Sentence, list[ParsedClaim]]]:
    """Yield each sentence with its claims; a pronoun, or "the bridge" after Tarrow Bridge, means the subject before."""
    anchor, known, named = topic, [last] if last and last.names else [], list[Subject]()
    for item, stated in by_sentence:
        first: Subject | None = None
        own = frozenset(map(folded, item.speaker if is_han(item.speaker) else item.speaker.split()))
        statements: list[ParsedClaim] = []
        for clause in stated:
            about = [clause.sentence.tokens[at] for at in clause.subject]
            shown = written(clause, clause.subject)
            subject = Subject(frozenset(words_of(clause, clause.subject)), _identity(about), shown)
            earlier = first or last or next(iter(named), None)  # "Perrine, a yacht. She was launched in 1891."
            if item.entry and not subject.names:
                mains = known or named or ([last] if last else [])
                earlier = mains[0] if mains and all(other.names <= mains[0].names for other in mains) else None
            if item.entry and not (subject.names or clause.refers):
                continue
            if clause.refers == "speaker":
                if not item.speaker:
                    continue
                alone = item.speaker if not subject.words else f"{item.speaker}: {shown}"
                subject = Subject(subject.words | own, own, alone)
            elif clause.refers == "back":
                if earlier is None or item.speaker:
                    continue
                alone = earlier.shown if not subject.words else f"{earlier.shown}: {shown}"
                subject = Subject(subject.words | earlier.words, subject.names | earlier.names, alone)
            elif earlier and not subject.names and subject.words < earlier.words:
                subject = earlier
            elif subject.words and not subject.names:  # "This is Tolland Mill. The mill was built in 1859."
                subject = next((name for name in named if subject.words < name.words), subject)
            first = first or subject
            if earlier and subject.words and not (subject.names or anchor or item.speaker or subject is earlier):
                whose = earlier.shown if is_han(shown) else f"{earlier.shown}: "  # without names: its own crew
                subject = Subject(subject.words | earlier.words, subject.names, whose + shown)
            full = next((other for other in known if other.shown.endswith(f" {shown}")), None)
            if (
                subject.names and full and full.shown.istitle() and not _PLACE_RE.match(full.shown)
            ):  # "Torrance" of a text on Mabel Torrance
                subject = full
            if subject.names:  # "Holm" of a text on Ida Holm is not that of a text on Karl Holm
                anchor = next((other.names for other in known if subject.names <= other.names), subject.names)
                known.append(subject)
            if any(clause.sentence.tokens[at].lemma.lower() in SPEAKER for at in clause.predicate):
                subject = replace(subject, words=subject.words | own)  # "the vet said so of our dog": of whose
            statements += claims_of(clause, subject, item, anchor)
        last = first or last
        text, parsed = item.parsed.text, item.parsed
        runs = groupby(parsed.tokens, key=lambda word: word.pos in ("NOUN", "PROPN"))  # a name and its noun: Sarn bowl
        named = [
            Subject(bag(parsed._replace(tokens=run)), name_in(run), text[run[0].start : run[-1].end])
            for run in [tuple(words) for is_noun, words in runs if is_noun] if name_in(run)
        ]  # fmt: skip
        yield replace(item, anchor=anchor), statements


def _identity(words: Iterable[Token]) -> frozenset[str]:
    """Return the names among some words, with the numbers beside them and the noun behind each, for Lowe Bridge is
    not Lowe Tunnel; empty without a name."""
    listed = list(words)
    names = name_in(listed)
    behind = (word for name, word in pairwise(listed) if name.pos == "PROPN" and 0 <= word.start - name.end <= 1)
    beside = {word.lemma for word in listed if word.pos == "NUM"}
    beside |= {folded(word.lemma) for word in behind if word.pos == "NOUN"}
    return names | beside if names else names


# -- entries: a card, a table of two columns, or a sentence without a verb, as sentences on what the title names ------

_LINE_RE: Final = re.compile(
    r"^[-*•| \t]*(?P<key>[^\W\d][^:：|\d\n]{0,24}?)\W*?\s*[:：|]\s*(?P<value>[^|\n。！？]{1,60}?)[\s|]*$", re.MULTILINE
)
_TITLE_RE: Final = re.compile(
    r"(?:title|name|[片书剧刊馆站校桥船馆园塔库厂村]名称?|名称|工程名称|项目名称)", re.IGNORECASE
)
_DONE: Final = "|".join(WORDS["done"].split())
_DONE_RE: Final = re.compile(rf"(?:(?:year|date) )?(?P<act>(?:first )?(?:{_DONE}))", re.IGNORECASE)
_DONE_ZH_RE: Final = re.compile(
    r"(?P<act>始?建成?|竣工|落成|完工|通车|投产|启用|开[业馆放工幕]|动工|成立|创[办建立]|出版|首[映播飞]|[上公]映|下水|发[现行布])(?:于|时间|日期|年[份月]?)?"
)
_FRAGMENT_RE: Final = re.compile(rf"(?:first )?(?:{_DONE}) (?=(?:in|on|by|at)\b|\d)", re.IGNORECASE)


_GENERAL: Final = "|".join(WORDS["general"].split())
_GENERAL_ZH: Final = "|".join(WORDS["general_zh"].split())
"""Words of a heading that names nothing: "Key facts", 基本信息."""
_WORK_RE: Final = re.compile("[片书剧刊]名")
_MEASURED_RE: Final = re.compile(rf"\d(?:\s*[{HAN}]|\s[a-z]+\b)")


def _title_in(heading: str) -> str:
    """Return what a heading names; empty where it names nothing: "Key facts"."""
    title = re.sub(rf"^[#\s]+|(?:{_GENERAL_ZH})*[\s#=*.。-]*$", "", heading)
    says = [word for word in re.findall(r"\w+", title) if not re.fullmatch(_GENERAL, word, re.IGNORECASE)]
    named = bool(says) and (is_han(title) or len(names_in(title)) == 1)
    return title if named and "\n" not in title and len(title) <= 60 else ""


def _fragment(sentence: str, title: str) -> str:
    """Return a sentence without a subject with that of its title: "Built in 1812 of brick"; empty for any other."""
    head = _FRAGMENT_RE.match(sentence)
    act, rest = (head[0].lower(), sentence[head.end() :]) if head else ("", "")
    return f"{title or 'It'} was {act}{'in ' if rest[0].isdigit() else ''}{rest}" if head else ""


def _days(value: str) -> list[Date]:
    return [day for day in dates.scan(value) if not day.bare or value.isdigit()]


def _rows(block: str, title: str, least: int) -> Iterator[tuple[str, str]]:
    """Yield the lines of a card or table that have a number or a day, each with the sentence that it stands for.

    Of what has a day of its own, as a fair has, no number is told: the next one has another. `least`: how many lines
    make a card.
    """
    found = list(_LINE_RE.finditer(block))
    heads = (row["value"].strip("《》 ") for row in found if _TITLE_RE.fullmatch(row["key"].strip()))
    named = next(heads, title)
    lines = [line for line in block.splitlines() if re.search(r"\w", line)]
    if (
        not named
        or len(found) < least
        or len({row["key"] for row in found}) < len(found)
        or len(lines) - len(found) > 1
    ):
        return
    thing = f"《{named}》" if _WORK_RE.search(block) else named
    acts = {row: (_DONE_ZH_RE if is_han(row["key"]) else _DONE_RE).fullmatch(row["key"].strip()) for row in found}
    dated = any(_days(row["value"]) for row, act in acts.items() if act is None)
    for row, act in acts.items():
        key, value, chinese = row["key"].strip(), row["value"].strip(), is_han(row["key"])
        days, lead = _days(value), "on" if re.search(r"\D", value) else "in"
        if act is not None and len(days) == 1:
            said = f"{thing}于{value}{act['act']}" if chinese else f"{named} was {act['act'].lower()} {lead} {value}"
            yield row[0].strip(), said
        elif not (dated or days) and len(values.scan(value)) == 1 and _MEASURED_RE.search(value):
            said = f"{thing}{key}为{value}" if chinese else f"The {key.lower()} of {named} is {value}"
            yield row[0].strip(), said
