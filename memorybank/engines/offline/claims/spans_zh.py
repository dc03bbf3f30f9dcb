"""What is found in a Chinese sentence before it is cut at words: dates, titles, foreign names, marks, numbers."""

from __future__ import annotations

import re

from memorybank.engines.offline.claims import words_zh as words
from memorybank.engines.offline.claims.kinds_zh import KINDS, Token
from memorybank.language import dates as date_reader
from memorybank.language import values
from memorybank.language.dates import Date
from memorybank.language.han import HAN, all_han
from memorybank.language.values import Quantity

_TITLE_RE = re.compile(r"《[^》]{1,60}》|“[^”]{1,20}”|「[^」]{1,20}」")
_PERSON_RE = re.compile(f"[{HAN}]{{1,7}}(?:[·•・][{HAN}]{{1,7}})+")
_NOT_IN_PERSON = frozenset("由是为的被和与以将把对向给让者了在于名位")
_MARK_RE = re.compile(
    r"第\s?([一二三四五六七八九十百\d]+)(?:[届代期次任号批名座个款版季轮条艘颗枚架台部卷章]|大)?"
    rf"|(?<![{HAN}])([一二三四五六七八九十\d]+)号(?!线?码)|首[任届](?=[{HAN}])"
)
_MEASURE_RE = re.compile("|".join(sorted((re.escape(word) for word in words.MEASURE_WORDS), key=len, reverse=True)))


def find_spans(text: str) -> dict[int, Token]:
    """Tokens by where they begin; none overlaps another."""
    found_dates = [date for date in date_reader.scan(text) if not date.bare or _is_year(text, date)]
    spans: dict[int, Token] = {
        date.start: Token("date", text[date.start : date.end], date.start, date.end, date) for date in found_dates
    }
    taken = [(date.start, date.end) for date in found_dates]
    for pattern, kind in ((_TITLE_RE, "title"), (_PERSON_RE, "title"), (_MARK_RE, "mark")):
        for match in pattern.finditer(text):
            start, end = _person(text, match) if pattern is _PERSON_RE else match.span()
            if not any(first < end and start < last for first, last in taken):
                spans[start] = Token(kind, text[start:end], start, end)  # type: ignore[arg-type]
                taken.append((start, end))
    for quantity in values.scan(text, dates=found_dates):
        if any(start < quantity.end and quantity.start < end for start, end in taken):
            continue
        token = _number(text, quantity)
        if quantity.unit or not (_in_name(text, quantity) or _is_word(token) or _is_model(text, token)):
            spans[quantity.start] = token
    return spans


def _is_year(text: str, date: Date) -> bool:
    after = text[date.end : date.end + 2].strip()
    before = text[: date.start].rstrip()[-1:]
    return (
        (before in ("（", "(", "于", "在") and after[:1] in ("）", ")", "，"))
        or after == "赛季"
        or (
            bool(re.match(f"[A-Za-z{HAN}]", after))
            and before in ("", "，", "。", "》", "于", "在")
            and after[:1] not in words.MEASURE_WORDS
        )
    )


def _in_name(text: str, quantity: Quantity) -> bool:
    """Digits that belong to a Latin word (Falcon 9) or a Han name (长征5号, 嫦娥五号)."""
    before = text[: quantity.start]
    return bool(re.search(r"[A-Za-z][A-Za-z-]* ?$", before)) and not re.match(rf"\s?[{HAN}%]", text[quantity.end :])


def _is_word(token: Token) -> bool:
    """三 in 三峡, 四 in 四川: one numeral that counts nothing."""
    return not token.measure and len(token.text) == 1 and not token.text.isdigit()


def _is_model(text: str, token: Token) -> bool:
    """骁龙810处理器: digits between two unlisted words, with no measure word, name a model."""
    before = text[max(0, token.start - 2) : token.start].strip()
    joined = (
        len(before) == 2 and all_han(before) and not any(KINDS.get(before[at:]) not in (None, "han") for at in (0, 1))
    )
    return joined and not token.measure and token.text.isdigit()


def _person(text: str, match: re.Match[str]) -> tuple[int, int]:
    """A transliterated name without the words that touch it: 由亚历山大·弗莱明于 is 亚历山大·弗莱明."""
    start, end = match.span()
    first, last = text.index("·", start) if "·" in match[0] else start, end
    for at in range(start, first):
        size = next(
            (
                size
                for size in (5, 4, 3, 2)
                if at + size <= first and KINDS.get(text[at : at + size]) in ("role", "verb")
            ),
            0,
        )
        if text[at] in _NOT_IN_PERSON or size:
            start = at + max(size, 1)
    dot = max(match[0].rfind(char) for char in "·•・") + match.start()
    for at in range(dot + 2, end):
        if text[at] in _NOT_IN_PERSON or any(
            KINDS.get(text[at : at + size]) in ("verb", "role", "neg", "hedge") for size in (2, 3)
        ):
            last = at
            break
    return start, last


def _number(text: str, quantity: Quantity) -> Token:
    end, measure = quantity.end, ""
    if not quantity.unit:
        skip = 1 if text[end : end + 1] in "多余几" and text[end : end + 1] else 0
        skip += 1 if text[end + skip : end + skip + 1] == " " else 0
        if match := _MEASURE_RE.match(text, end + skip):
            measure, end = match[0], match.end()
    return Token("number", text[quantity.start : end], quantity.start, end, quantity, measure)
