"""English tokens: words, names, numbers and dates in their places. No tagger: closed classes and capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memorybank.contradiction import words_en as words
from memorybank.language import dates as date_reader
from memorybank.language import units, values
from memorybank.language.dates import Date
from memorybank.language.inflection import form_of, is_plural, lemma_of
from memorybank.language.values import Quantity

_WORD_RE = re.compile(
    r"(?:[A-Z]\.){2,}|[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:[-‐’'.&/][A-Za-zÀ-ɏ0-9]+)*|\d+[A-Za-z][\w-]*|\d+|[^\sA-Za-z0-9À-ɏ]"
)
_CONTRACTION_RE = re.compile(r"^(.+?)(n['’]t|['’](?:s|re|ve|ll|d))$|^(can)(not)$", re.IGNORECASE)
_ORDINAL_RE = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
_CAPITALISED_RE = re.compile(r"(?<=[a-z,;)\d] )([A-Z][\w-]+)")
_INNER_CAPITAL_RE = re.compile(r"\w+[A-Z0-9]\w*")
_COMMON_RE = re.compile(r"(?:tion|sion|ment|ness|ists|ism|ship|ics|ials)$")
"""Ends of common nouns: such a word is no name because it begins a sentence."""
_ROMAN_RE = re.compile("[IVX]+")
_VERSION_RE = re.compile(rf"[a-z]?\d+[a-z]?|{_ROMAN_RE.pattern}")
_WITHIN = frozenset({"word", "name", "number", "date", "mark", ",", ";", ")", "&", "/", "%"})
"""Kinds of tokens behind which a capital is not that of a beginning."""


@dataclass(frozen=True, slots=True)
class EnToken:
    kind: str
    """word, name, number, date, mark (an ordinal or version), or the punctuation itself."""
    text: str
    low: str
    start: int
    end: int
    value: Quantity | Date | None = None


def tokenise(text: str, known: frozenset[str] = frozenset(), common: frozenset[str] = frozenset()) -> list[EnToken]:
    """Words, names, numbers, dates and punctuation of a sentence.

    `known` are the `capitalised` words of the whole text, `common` those it writes without a capital: they decide
    whether the first word of a sentence is a name.
    """
    dates = [date for date in date_reader.scan(text) if not date.bare or _is_year(text, date)]
    numbers = [number for number in values.scan(text, dates=dates) if _counts(text, number)]
    stated: list[Quantity | Date] = [*dates, *numbers]
    tokens: list[EnToken] = []
    at = 0
    for value in sorted(stated, key=lambda value: (value.start, value.end)):
        if value.start >= at:
            written = text[value.start : value.end]
            tokens += _plain(text, at, value.start)
            kind = "date" if isinstance(value, Date) else "number"
            tokens.append(EnToken(kind, written, written.lower(), value.start, value.end, value))
            at = value.end
    tokens += _plain(text, at, len(text))
    return _named(tokens, known, common)


def capitalised(text: str) -> frozenset[str]:
    """The words that a text writes with a capital inside a sentence, in lower case."""
    return frozenset(match[1].lower() for match in _CAPITALISED_RE.finditer(text))


def _counts(text: str, number: Quantity) -> bool:
    """Whether "one" is a number: "one moon", but not "one of the", "the one that"."""
    following = re.match(r"\s([a-z]+)", text[number.end :])
    return text[number.start : number.end].lower() != "one" or bool(following and following[1] not in words.FUNCTION)


def _plain(text: str, start: int, end: int) -> Iterator[EnToken]:
    for match in _WORD_RE.finditer(text, start, end):
        at = match.start()
        split = _CONTRACTION_RE.match(match[0])
        for part in [part for part in split.groups() if part] if split else [match[0]]:
            low = part.lower().replace("’", "'")
            low = {"n't": "not", "ca": "can", "wo": "will"}.get(low, low) if split else low
            kind = "word" if part[0].isalnum() or len(low) > 1 else low
            if _ORDINAL_RE.match(low) or low in words.ORDINALS:
                kind, low = "mark", "#" + (words.ORDINALS.get(low) or _ORDINAL_RE.sub(r"\1", low))
            yield EnToken(kind, part, low, at, at + len(part))
            at += len(part)


_BEFORE_YEAR = frozenset("in since the year circa during until".split())
_BEFORE_YEAR_OR_COUNT = frozenset("by from before after of around early late ( and to or , - – ; between a an".split())


def _is_year(text: str, date: Date) -> bool:
    """Whether four bare digits are a year here: by the word before and the word after."""
    before = re.search(r"([A-Za-z]+|\S)\s*$", text[: date.start])
    after = re.match(r"\s?([A-Za-z]+|\S)?", text[date.end :])
    previous = before[1].lower() if before else ""
    following = (after[1] or "") if after else ""
    counted = units.unit_at(text, date.end)
    if previous in _BEFORE_YEAR:
        return not counted or following.lower() in ("s", "t", "a", "m")
    if previous in _BEFORE_YEAR_OR_COUNT:
        return not (counted or is_plural(following))
    return lemma_of(previous) in words.EVENTS and not following[:1].isalnum()


# -- names ------------------------------------------------------------------------------------------------------------


def _named(tokens: list[EnToken], known: frozenset[str], common: frozenset[str]) -> list[EnToken]:
    named: list[EnToken] = []
    for at, token in enumerate(tokens):
        previous = named[-1] if named else None
        after_name = previous is not None and previous.kind == "name"
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.kind == "word" and _is_name(token, previous, following, known, common):
            token = replace(token, kind="name")
        elif token.kind == "number" and previous is not None and _is_label(token, previous, following):
            token = replace(token, kind="name" if after_name else "mark", value=None)
        elif token.kind == "word" and after_name and _VERSION_RE.fullmatch(token.text):
            token = replace(token, kind="name")
        named.append(token)
    return named


def _is_name(
    token: EnToken, previous: EnToken | None, following: EnToken | None, known: frozenset[str], common: frozenset[str]
) -> bool:
    text, low = token.text, token.low
    if low in words.MONTHS_AND_DAYS or low in ("i", "ceo"):
        return False
    if _INNER_CAPITAL_RE.fullmatch(text):
        return any(char.isupper() for char in text)
    if not text[0].isupper():
        return False
    if previous is not None and previous.kind in _WITHIN:
        return low not in words.ROLE_OF
    if low in words.FUNCTION or low in words.HEDGES or low in words.NEGATORS:
        return False
    if low in known or (following is not None and _goes_on(low, following)):
        return True
    singular = following is not None and following.low in ("has", "is", "was", "does", "'s")
    if form_of(low) in ("past", "ing") or _COMMON_RE.search(low) or (is_plural(low) and not singular):
        return False
    if following is not None and following.low == "of":
        return False
    return not (low in common or low in words.ROLE_OF or low in words.GENERIC_NOUNS or low in words.ATTRIBUTE_OF)


def _goes_on(low: str, following: EnToken) -> bool:
    """Whether what follows the first word of a sentence makes it a name: Windows 10, Charles I, Varley Labs."""
    if following.kind == "number":
        return low not in words.LABELS and bool(re.fullmatch(r"\d{1,2}", following.text))
    capital = following.text[0].isupper() and following.low not in words.FUNCTION
    return capital or bool(_ROMAN_RE.fullmatch(following.text))


def _is_label(token: EnToken, previous: EnToken, following: EnToken | None) -> bool:
    """A number that is part of a name (Falcon 9, Apollo 11) or labels a noun (phase 2)."""
    if not re.fullmatch(r"\d+(?:\.\d+)?", token.text) or previous.end + 1 < token.start:
        return False
    if not isinstance(token.value, Quantity) or token.value.unit:
        return False
    counts = following is not None and following.low not in words.FUNCTION and is_plural(following.low)
    return (previous.kind == "name" and not counts) or (previous.kind == "word" and previous.low in words.LABELS)
