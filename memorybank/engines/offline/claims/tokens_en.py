"""English words and tokens: verb forms, keys that words are compared by, names, numbers and dates in their places.

No tagger, no model: closed classes, regular inflection and capitals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memorybank.engines.offline.claims import words_en as words
from memorybank.engines.offline.claims.inflection_en import form_kinds, is_past, is_plural, lemma_of
from memorybank.language import dates as date_reader
from memorybank.language import units, values
from memorybank.language.dates import Date
from memorybank.language.values import Quantity

_WORD_RE = re.compile(
    r"(?:[A-Z]\.){2,}|[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:[-‐’'.&/][A-Za-zÀ-ɏ0-9]+)*|\d+[A-Za-z][\w-]*|\d+|[^\sA-Za-z0-9À-ɏ]"
)
_CONTRACTION_RE = re.compile(r"^(.+?)(n['’]t|['’](?:s|re|ve|ll|d))$|^(can)(not)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    """word, name, number, date, mark (an ordinal or version), or the punctuation itself."""
    text: str
    low: str
    start: int
    end: int
    value: Quantity | Date | None = None


_ORDINAL_RE = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
_COMMON_START = re.compile(r"(?:tion|sion|ment|ness|ing|ers|ists|ances|ences|ism|ship|ics|ials)$")


def tokenise(text: str, known: frozenset[str] = frozenset(), common: frozenset[str] = frozenset()) -> list[Token]:
    """Words, names, numbers, dates and punctuation of a sentence.

    `known` are the `capitalised` words of the whole text, `common` those it writes without a capital: they decide
    whether the first word of a sentence is a name.
    """
    found_dates = [date for date in date_reader.scan(text) if not date.bare or _is_year(text, date)]
    quantities = values.scan(text, dates=found_dates)
    spans: list[tuple[int, int, Quantity | Date]] = sorted(
        [(date.start, date.end, date) for date in found_dates] + [(item.start, item.end, item) for item in quantities],
        key=lambda span: span[:2],
    )
    tokens: list[Token] = []
    at = 0
    for start, end, value in spans:
        if start < at or (text[start:end].lower() == "one" and not _counts_one(text, end)):
            continue
        tokens += _plain(text, at, start)
        kind = "date" if isinstance(value, Date) else "number"
        tokens.append(Token(kind, text[start:end], text[start:end].lower(), start, end, value))
        at = end
    tokens += _plain(text, at, len(text))
    return _name(tokens, known, common)


_CAPITALISED_RE = re.compile(r"(?<=[a-z,;)\d] )([A-Z][\w-]+)")


def capitalised(text: str) -> frozenset[str]:
    """The words that a text writes with a capital inside a sentence, in lower case."""
    return frozenset(match[1].lower() for match in _CAPITALISED_RE.finditer(text))


def _counts_one(text: str, end: int) -> bool:
    """Whether "one" is a number: "one moon", but not "one of the", "the one that"."""
    following = re.match(r"\s([a-z]+)", text[end:])
    return following is not None and following[1] not in words.FUNCTION


def _plain(text: str, start: int, end: int) -> list[Token]:
    tokens: list[Token] = []
    for match in _WORD_RE.finditer(text, start, end):
        word, at = match[0], match.start()
        split = _CONTRACTION_RE.match(word) if len(word) > 2 else None
        parts = [part for part in split.groups() if part] if split else [word]
        for part in parts:
            low = part.lower().replace("’", "'")
            low = {"n't": "not", "ca": "can", "wo": "will"}.get(low, low) if split else low
            kind = "word" if part[0].isalnum() or low.startswith("'") else part
            if part in ("'", "’"):
                kind, low = "'", "'"
            if _ORDINAL_RE.match(low) or (low in words.ORDINALS):
                kind, low = "mark", "#" + (words.ORDINALS.get(low) or _ORDINAL_RE.sub(r"\1", low))
            tokens.append(Token(kind, part, low, at, at + len(part)))
            at += len(part)
    return tokens


_BEFORE_YEAR = frozenset("in since the year circa during until".split())
_BEFORE_YEAR_OR_COUNT = frozenset(
    "by from before after of around early late ( and to or , - – january ) ; between".split()
)


def _is_year(text: str, date: Date) -> bool:
    """Whether four bare digits are a year here: by the word before and the word after."""
    before = re.search(r"([A-Za-z]+|\S)\s*$", text[: date.start])
    after = re.match(r"\s?([A-Za-z]+|\S)?", text[date.end :])
    previous = before[1].lower() if before else ""
    following = (after[1] or "") if after else ""
    if previous in _BEFORE_YEAR:
        return not units.unit_at(text, date.end) or following.lower() in ("s", "t", "a", "m")
    if previous in _BEFORE_YEAR_OR_COUNT:
        return not (is_plural(following) or units.unit_at(text, date.end))
    return (
        bool(previous)
        and previous[0].isalpha()
        and following in (".", ",", ")", ";", "")
        and lemma_of(previous) in words.EVENTS
    )


def _name(tokens: list[Token], known: frozenset[str], common: frozenset[str]) -> list[Token]:
    """Mark names and versions: capitals that are not there for the sentence's sake, and numbers that belong to them."""
    named: list[Token] = []
    for index, token in enumerate(tokens):
        previous = named[-1] if named else None
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        kind = token.kind
        if kind == "word" and _is_name(token, previous, following, known, common):
            kind = "name"
        elif kind == "number" and _is_label(token, previous, following, named):
            kind = "name" if previous and previous.kind == "name" else "mark"
            named.append(Token(kind, token.text, token.low, token.start, token.end))
            continue
        elif (
            kind == "word"
            and previous
            and previous.kind == "name"
            and re.fullmatch(r"[a-z]?\d+[a-z]?|[ivx]{2,}", token.text)
        ):
            kind = "name"
        named.append(
            Token(kind, token.text, token.low, token.start, token.end, token.value) if kind != token.kind else token
        )
    return named


def _is_name(
    token: Token, previous: Token | None, following: Token | None, known: frozenset[str], common: frozenset[str]
) -> bool:
    text = token.text
    if (
        not any(char.isupper() for char in text)
        or token.low in words.MONTHS_AND_DAYS
        or token.low in ("i", "ceo", "cto", "cfo")
    ):
        return bool(re.fullmatch(r"[a-z]+[A-Z]\w*", text))
    if not text[0].isupper():
        return any(char.isupper() for char in text[1:])
    if previous and previous.kind not in (".", "!", "?", ":", '"', "“", "‘", "'", "(", "•", "*", "#", "|", "-", "–"):
        return token.low not in words.ROLE_OF or text.isupper()
    if token.low in words.FUNCTION or token.low in words.HEDGES or token.low in words.NEGATORS:
        return False
    if token.low in known or any(char.isupper() for char in text[1:]) or any(char.isdigit() for char in text):
        return True
    if previous and previous.kind in ("(", "“", '"', "'", "‘", "-", "–"):
        return token.low not in words.FUNCTION
    if following and following.kind == "number" and token.low not in common and token.low not in words.LABELS:
        return True
    if (
        token.low in common
        or _COMMON_START.search(token.low)
        or token.low in words.ROLE_OF
        or token.low in words.GENERIC_NOUNS
    ):
        return bool(following and following.text[:1].isupper() and following.low not in words.FUNCTION)
    if is_past(token.low) or "ing" in form_kinds(token.low):
        return False
    plural = is_plural(token.low)
    return not (plural and following is not None and following.low not in ("has", "is", "was", "'s", "does")) or bool(
        following and following.text[:1].isupper()
    )


def _is_label(token: Token, previous: Token | None, following: Token | None, named: Sequence[Token]) -> bool:
    """A number that is part of a name (Falcon 9, Apollo 11) or labels a noun (phase 2)."""
    value = token.value
    if (
        not isinstance(value, Quantity)
        or value.unit
        or not re.fullmatch(r"\d+(?:\.\d+)?", token.text)
        or previous is None
    ):
        return False
    if (
        "." in token.text
        and previous.kind == "name"
        and (following is not None and following.kind == "word" and is_plural(following.low))
    ):
        return False
    if previous.end + 1 < token.start or previous.kind not in ("name", "word"):
        return False
    if previous.kind == "word":
        return previous.low in words.LABELS
    located = len(named) > 1 and named[-2].low in ("in", "at", "from", "near")
    counts = following is not None and following.kind == "word" and is_plural(following.low)
    return not (located and counts)
