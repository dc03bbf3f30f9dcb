"""Chinese tokens: dates, numbers, titles, Latin words, listed words (longest first), and the runs between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memorybank.contradiction import words_zh as words
from memorybank.language import dates as date_reader
from memorybank.language import values
from memorybank.language.dates import Date
from memorybank.language.han import HAN, HAN_RE
from memorybank.language.stemming import stem
from memorybank.language.values import Quantity

Kind = Literal[
    "verb", "prep", "neg", "hedge", "adverb", "conj", "back", "attr", "role", "number", "date", "scope", "latin",
    "title", "han", "punct", "de", "mark",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ZhToken:
    kind: Kind
    text: str
    start: int
    end: int
    value: Quantity | Date | None = None
    measure: str = ""
    """Of a number: its measure word (个, 台)."""


def _kinds() -> dict[str, Kind]:
    """Every listed word with its kind; where a word is listed twice the more telling kind wins."""
    layers: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("han", words.PLAIN | words.REGIONS),
        ("adverb", words.ADVERBS),
        ("conj", words.CONJUNCTIONS),
        ("prep", frozenset(words.PREPOSITIONS)),
        ("scope", words.RESTRICTING),
        ("verb", frozenset(words.VERB_CLASS)),
        ("attr", frozenset(words.ATTRIBUTE_OF)),
        ("role", frozenset(words.ROLE_OF)),
        ("attr", frozenset(words.PLACE_NOUNS)),
        ("hedge", words.HEDGES),
        ("neg", words.NEGATORS),
        ("back", words.BACK),
        ("de", frozenset("的")),
        ("adverb", words.MODALS),
    )
    return {word: kind for kind, listed in layers for word in listed}


KINDS = _kinds()
_LONGEST = max(map(len, KINDS))
_PUNCT_RE = re.compile(r"[，；：。！？、（）()“”\"'‘’,;:!?\[\]【】…—–\-|/·~～\s.#*=•><]")
_LATIN_RE = re.compile(
    r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:[-.&/+'’·][A-Za-zÀ-ɏ0-9]+)*(?: (?:[A-Z0-9][A-Za-z0-9À-ɏ.+-]*|of|de|van))*"
)
_IN_FOREIGN = f"(?![由是为的被和与以将把对向给让者了在于名位])[{HAN}]"
_NAMED_RE = re.compile(
    r"(?P<title>《[^》]{1,60}》|“[^”]{1,20}”|「[^」]{1,20}」)"
    rf"|(?P<foreign>(?:{_IN_FOREIGN}){{1,7}}(?:[·•・](?:{_IN_FOREIGN}){{1,7}})+)"
    r"|(?P<mark>第\s?[一二三四五六七八九十百\d]+(?:[届代期次任号批名座个款版季轮条艘颗枚架台部卷章]|大)?"
    rf"|(?<![{HAN}])[一二三四五六七八九十\d]+号(?!线?码)|首[任届](?=[{HAN}]))"
)
_MEASURE_RE = re.compile(rf"[多余几]? ?({'|'.join(sorted(words.MEASURE_WORDS, key=len, reverse=True))})")


def tokenise(text: str) -> list[ZhToken]:
    """The tokens of a sentence; together with the blanks between them they are the sentence."""
    spans = {token.start: token for token in _spans(text)}
    tokens: list[ZhToken] = []
    at = 0
    while at < len(text):
        token = _next(text, at, spans, tokens)
        last = tokens[-1] if tokens else None
        if token.kind == "han" and last and last.kind == "han" and last.end == token.start:
            tokens[-1] = ZhToken("han", last.text + token.text, last.start, token.end)
        elif not token.text.isspace():
            tokens.append(token)
        at = token.end
    return tokens


def _spans(text: str) -> Iterator[ZhToken]:
    """Dates, names in quotes or with dots, ordinals and numbers; none overlaps another."""
    found_dates = [date for date in date_reader.scan(text) if not date.bare]
    taken = [(date.start, date.end) for date in found_dates]
    yield from (ZhToken("date", text[date.start : date.end], date.start, date.end, date) for date in found_dates)
    for match in _NAMED_RE.finditer(text):
        start, end = _foreign(match) if match["foreign"] else match.span()
        if not _overlaps(start, end, taken):
            taken.append((start, end))
            yield ZhToken("mark" if match["mark"] else "title", text[start:end], start, end)
    for quantity in values.scan(text, dates=found_dates):
        if not _overlaps(quantity.start, quantity.end, taken):
            token = _number(text, quantity)
            if (
                quantity.unit or token.measure or len(token.text) > 1 or token.text.isdigit()
            ):  # 三 in 三峡 counts nothing
                yield token


def _overlaps(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return any(first < end and start < last for first, last in taken)


def _foreign(match: re.Match[str]) -> tuple[int, int]:
    """A name with dots without the listed words that touch it: 导演布莱恩·辛格."""
    begin, (start, end) = match[0], match.span()
    size = next((size for size in (4, 3, 2) if KINDS.get(begin[:size]) in ("role", "verb")), 0)
    last = next((size for size in (4, 3, 2) if KINDS.get(begin[-size:]) in ("role", "verb", "neg", "hedge")), 0)
    return start + size, end - last


def _number(text: str, quantity: Quantity) -> ZhToken:
    match = None if quantity.unit else _MEASURE_RE.match(text, quantity.end)
    end = match.end() if match else quantity.end
    return ZhToken("number", text[quantity.start : end], quantity.start, end, quantity, match[1] if match else "")


def _next(text: str, at: int, spans: dict[int, ZhToken], before: list[ZhToken]) -> ZhToken:
    """The token that begins at a place: a span, a Latin word, the longest listed word, or a character of a run."""
    if at in spans:
        return spans[at]
    if match := _LATIN_RE.match(text, at) or _PUNCT_RE.match(text, at):
        return ZhToken("latin" if match[0][0].isalpha() else "punct", match[0], at, match.end())
    limit = min((start for start in spans if start > at), default=len(text))
    within = bool(before) and before[-1].kind == "han" and before[-1].end == at
    for end in range(min(at + _LONGEST, limit), at, -1):
        kind = KINDS.get(text[at:end])
        if kind == "back" and end == at + 1 and within:
            continue  # 本 in 日本, 此 in 如此
        if kind is not None and _counts(text[at:end], text, end, spans):
            return ZhToken(kind, text[at:end], at, end)
    return ZhToken("han", text[at], at, at + 1)


def _counts(word: str, text: str, end: int, spans: dict[int, ZhToken]) -> bool:
    """Whether a listed word is one here, by what follows it."""
    if word in words.NEEDS_NUMBER:
        return _number_follows(word, text, end, spans)
    if len(word) == 1 and word in words.NEGATORS:  # 不同, 未来
        return text[end : end + 1] in "有是为在由被含对向从" or any(
            KINDS.get(text[end : end + size], "han") != "han" for size in (4, 3, 2)
        )
    return True


def _number_follows(word: str, text: str, at: int, spans: dict[int, ZhToken]) -> bool:
    """Whether a number comes next; 为 also stands before a name."""
    gap = re.match(r"[\s约大达到超过近有为是至逾仅共了第高]{0,4}", text[at:])
    if any(spot in spans and spans[spot].kind == "number" for spot in range(at, at + (gap.end() if gap else 0) + 1)):
        return True
    return word == "为" and text[at : at + 1] not in ("了", "主", "何", "止")


@lru_cache(maxsize=65_536)
def keys(run: str) -> frozenset[str]:
    """What a run of text is compared by: pairs of characters; stems of Latin words."""
    if run.isascii():
        return frozenset(stem(word) for word in re.findall(r"[a-z0-9]+", run.lower()))
    han = "".join(HAN_RE.findall(run))
    return frozenset(han[i : i + 2] for i in range(len(han) - 1)) or frozenset({han} if han else ())
