"""The parts of a text that must not be lost: its numbers, dates and names, found by their shape without any parser.

A name is what is written as one: capitals, codes, titles in 《》 and what stands in Chinese quotation marks. Names that
Chinese writes without a mark are the parser's (`phrases`). What the mentions *mean* is the business of `contradiction`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

from memorybank.language import dates, numbers
from memorybank.language.figures import unstated
from memorybank.language.text import fold_space, remembered
from memorybank.language.tokens import says_nothing, tokenize

MentionKind = Literal["number", "date", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """`text[start:end]`. Two mentions with the same key say the same: case, width and thousands separators folded."""

    kind: MentionKind
    start: int
    end: int
    key: str
    certain: bool = True
    """False for a single capitalised word that may be there only because it opens a sentence."""


_LATIN: Final = "A-Za-z\u00c0-\u024f"
_CAPITAL: Final = rf"[A-Z\u00c0-\u00de][{_LATIN}0-9]*(?:(?:['’](?!s\b)|[.-])[{_LATIN}0-9]+)*"
_PARTICLE: Final = "of|de|van|von|der|da|del|di|la|le|bin|al|the|&"
_NAME_RE: Final = re.compile(
    rf"(?<![{_LATIN}0-9_])(?:{_CAPITAL}(?:(?: (?:{_PARTICLE})){{0,2}} {_CAPITAL}){{0,7}}"
    r"|[a-z]+[A-Z][A-Za-z0-9_]*|[A-Za-z]+-?\d[A-Za-z0-9_-]*)"
    r"|《[^》\n]{1,40}》|“[^”\n]{2,16}”(?<=[^\x00-\x7f]”)|「[^」\n]{2,16}」"
)
_HOUR_RE: Final = re.compile(r"(?<![\d:])\d{1,2}[:：]\d{2}(?![\d:])(?:\s?[ap]\.?m\b\.?)?")
_OPENING_RE: Final = re.compile(r"(?:\A|[.!?。！？:：\n|])[\s”’\"')\]*#>•-]*[“\"‘'(\[]*\Z")
_FOLD_RE: Final = re.compile(
    r"(?<=\d),(?=\d)|['’]s$|[“”「」《》.]+$|^[“「《]+|(?<=[\d%])\s(?=[%百千万亿年月日号])|(?<=[年月])\s"
)


@remembered
def mentions(text: str) -> tuple[Mention, ...]:
    """Return all numbers, dates and names of the text, in order; parts of a date or a name are not counted again."""
    taken = bytearray(len(text))
    collected: list[Mention] = []
    days = [*((day.start, day.end) for day in dates.scan(text)), *(hour.span() for hour in _HOUR_RE.finditer(text))]
    counts = (
        _mention("number", text, number.start, number.end)
        for number in numbers.scan(text)
        if number.end - number.start > 1 or text[number.start].isdigit()  # 张三 is nobody's number
    )
    for mention in chain((_mention("date", text, *day) for day in days), _names(text, days), counts):
        if not any(taken[mention.start : mention.end]):
            taken[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
            collected.append(mention)
    return tuple(sorted(collected, key=lambda mention: mention.start))


def _mention(kind: MentionKind, text: str, start: int, end: int, *, certain: bool = True) -> Mention:
    return Mention(kind=kind, start=start, end=end, key=fold(text[start:end]), certain=certain)


def keys(text: str) -> frozenset[str]:
    """Return the text's numbers, dates and names as keys that can be compared."""
    return frozenset(mention.key for mention in mentions(text))


def fold(written: str) -> str:
    """Return a mention's key: "1,121" and "１１２１", "IBM's" and "ibm" are the same."""
    plain = unicodedata.normalize("NFKC", written).casefold()
    return fold_space(_FOLD_RE.sub("", plain).replace(",", " ").replace(". ", " "))


def _names(text: str, days: list[tuple[int, int]]) -> Iterator[Mention]:
    letters = list(text)
    for start, end in days:  # a name neither begins nor ends within a date
        letters[start:end] = "," * (end - start)
    text = "".join(letters)
    for match in _NAME_RE.finditer(text):
        start, end = match.span()
        opens = bool(_OPENING_RE.search(text, max(0, start - 12), start))
        words = match[0].split(" ")
        while len(words) > 1 and (not words[0][0].isupper() or says_nothing(words[0])):
            start += len(words.pop(0)) + 1
            opens = False
        alone = words[0] if len(words) == 1 and words[0].isascii() else ""
        plain = re.split("['’]", alone)[0].lower()
        empty = alone and (len(plain) == 1 or says_nothing(plain))
        if not empty or (alone.isupper() and len(alone) > 1 and not opens):  # US, WHO
            yield _mention("name", text, start, end, certain=not (opens and alone[1:].islower()))


def new_values(text: str, source: str) -> tuple[str, ...]:
    """Return the numbers, dates and names of a text that another text does not state, however it writes them."""
    figures = tuple(figure.written for figure in unstated(text, source))
    known, words = fold_space(source).casefold(), frozenset(tokenize(source))
    names = (mention.key for mention in mentions(text) if mention.kind == "name" and mention.certain)
    return (*figures, *(name for name in names if not (_stands(name, known) or words.issuperset(tokenize(name)))))


def _stands(name: str, text: str) -> bool:
    """Whether a name stands in a text, whole or in two parts: a Chinese name may be read with the words before it."""
    return name in text or any(name[:at] in text and name[at:] in text for at in range(2, len(name) - 1))
