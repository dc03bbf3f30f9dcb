"""Lines that open a part of a book, by how they are written: 第十二回, 卷三, Chapter 12, CHAPTER XII. Title, Prologue,
Markdown headings; between brackets or in bold, too.

A line says what it is; whether it is one of a table of contents, or one repeated, shows only beside the others and is
decided in `chapters`. What begins like a heading and goes on like a sentence ("第四回中既将……", "Chapter 12 was the
longest.") is none. Every line is read once, and only short ones. What is one only in a row with others ("IV",
"1. Rain", 三、雨) is in `numbered`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memorybank.language.numbers import FORMAL, HAN_NUMBER, TENS, UNITS, number, read_han
from memorybank.language.text import fold_space
from memorybank_studio.counting import roman

_LONGEST_LINE = 200
_LONGEST_TITLE = {"zh": 60, "en": 160}
_LONGEST_BARE = 30
"""Characters of a Chinese title that no space parts from its number: a longer one is a sentence."""


class Rank(StrEnum):
    VOLUME = "volume"
    CHAPTER = "chapter"
    SECTION = "section"
    APART = "apart"
    """A prologue, an epilogue and the like: beside the chapters, without a number."""
    MARKDOWN = "markdown"
    """A Markdown heading that is none of the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """`text[start:end]` is its line, with the line break."""

    start: int
    end: int
    rank: Rank
    number: int | None
    line: str
    """The line as it is shown: white space folded, Markdown's marks taken off."""
    name: str
    """The name that stands after the number; may be empty."""
    level: int = 0
    """The level of a Markdown heading, from 1; else 0."""


HAN_NUMERAL = rf"(?P<number>\d{{1,9}}|[{HAN_NUMBER}{''.join(map(chr, FORMAL))}]{{1,9}})"
_UNITS = (
    dict.fromkeys("回章话話集折幕", Rank.CHAPTER)
    | dict.fromkeys("节節", Rank.SECTION)
    | dict.fromkeys(("卷", "部", "部分", "篇"), Rank.VOLUME)
)
_ZH_RE = re.compile(rf"(?:正文\s*)?第\s?{HAN_NUMERAL}\s?(?P<unit>部分|[回章节節卷部篇话話集折幕])(?P<rest>.*)")
_VOLUME_RE = re.compile(rf"卷[之第]?{HAN_NUMERAL}(?P<rest>(?:[\s:、.].*)?)")
_PARTED_RE = re.compile(r"\s*[\s:、.,·—–|~-]+")
_BARE_UNITS = frozenset("回章节節卷")
"""Units after which a title may follow without a space: after the others it is a word (第三集团军, 第一部电影)."""
_SENTENCE_RE = re.compile(r"[。！？!?，,；;：:“”\"…]")
_GOES_ON_RE = re.compile(r"[中里内外上下前后之的了就也都便已是说讲写目课合]")
"""Characters after the number, without a space, that make the line a sentence about a chapter, or a longer word."""
_APART_ZH_RE = re.compile(
    r"(?:楔子|引子|序[章幕言曲]?|[自代]序|前言|引言|开篇|尾声|终章|大结局|后记|跋|番外[^。！？，；:\s]{0,20})"
    r"(?P<rest>(?:[\s:、.].{1,40})?)"
)

_ROMAN_RE = re.compile(r"(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_DIGITS = "|".join(word for word, value in UNITS.items() if 0 < value < 10)
_BELOW_20 = "|".join(word for word, value in UNITS.items() if value)
_BELOW_100 = rf"(?:(?:{'|'.join(TENS)})(?:[- ](?:{_DIGITS})\b)?|{_BELOW_20})\b"
_BELOW_1000 = rf"(?:{_BELOW_100}[- ]hundred\b(?:[- ](?:and[- ])?{_BELOW_100})?|{_BELOW_100})"
_IN_WORDS = rf"(?:{_BELOW_100}[- ]thousand\b(?:,?[- ](?:and[- ])?{_BELOW_1000})?|{_BELOW_1000})"
_IN_WORDS_RE = re.compile(_IN_WORDS, re.IGNORECASE)
_EN_RE = re.compile(
    r"(?P<word>Chapter|Book|Part|Volume|Ch\.?)\s?(?<![A-Za-z])"
    rf"(?:(?P<ordinal>the\s[a-z]+(?:-[a-z]+)?)|(?P<number>\d{{1,9}}|{_IN_WORDS}|[ivxlcdm]{{1,15}}\b))(?P<rest>(?:\W.*)?)",
    re.IGNORECASE,
)
_ORDINAL_RE = re.compile(r"(?:.*-)?(?:first|second|third|[a-z]+th)", re.IGNORECASE)
_APART_EN_RE = re.compile(
    r"(?P<word>Prologue|Epilogue|Preface|Foreword|Introduction|Afterword|Interlude|Appendix|Acknowledge?ments)"
    r"(?P<rest>(?:\s?[.:—–-].{1,60})?)",
    re.IGNORECASE,
)
_MARKDOWN_RE = re.compile(r"(?:(?P<marks>#{1,6})\s+|☆[、\s]*)(?P<inner>\S.*)")
"""A heading of Markdown; a star is 晋江's mark of a chapter."""
_CLOSING_MARKS_RE = re.compile(r"\s#+\s*\Z")
_BOLD_RE = re.compile(r"(?P<marks>\*{1,3}|_{1,3})(?P<inner>[^*_\s][^*_]*)(?P=marks)(?P<rest>[^*_]*)")
_BRACKETED_RE = re.compile(r"[【〖\[](?P<inner>[^】〗\]]+)[】〗\]]\s*(?P<rest>.*)|[《〈](?P<title>[^》〉]+)[》〉]")


def headings(text: str) -> list[Heading]:
    """Return all lines that look like a heading, in order."""
    read = (heading_of(*line) for line in short_lines(text, _LONGEST_LINE))
    return [heading for heading in read if heading is not None]


def short_lines(text: str, longest: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield the lines of at most so many characters as they are shown, with their start, end and Markdown level."""
    start = 0
    for raw in text.splitlines(keepends=True):
        end = start + len(raw)
        if len(raw) <= longest:
            line, level = shown(raw)
            yield line, start, end, level
        start = end


def heading_of(line: str, start: int, end: int, level: int) -> Heading | None:
    """Return a line as a heading; None when it is none, which a line with a Markdown level always is."""
    plain = fold_space(unicodedata.normalize("NFKC", line))
    parsed = _chinese(_unbracketed(plain)) or _english(plain)
    if parsed is None:
        if not level:
            return None
        parsed = Rank.MARKDOWN, None, line
    rank, number, name = parsed
    return Heading(start=start, end=end, rank=rank, number=number, line=line, name=name, level=level)


def shown(raw: str) -> tuple[str, int]:
    """Return a line without the marks of Markdown, and its level as a Markdown heading (0: it is none)."""
    line = fold_space(raw.lstrip("\ufeff"))
    level = 0
    if marked := _MARKDOWN_RE.fullmatch(line):
        level = len(marked["marks"] or "☆")
        line = _CLOSING_MARKS_RE.sub("", marked["inner"]).strip()
    if bold := _BOLD_RE.fullmatch(line):
        line = fold_space(bold["inner"] + bold["rest"])
    return line, level


def _unbracketed(line: str) -> str:
    """Return 【第一章】雨 as 第一章 雨, 《第一章 雨》 without its marks."""
    match = _BRACKETED_RE.fullmatch(line)
    if match is None:
        return line
    return match["title"] or f"{match['inner']} {match['rest']}".strip()


_Parsed = tuple[Rank, int | None, str]


def _chinese(line: str) -> _Parsed | None:
    if match := _APART_ZH_RE.fullmatch(line):
        return None if match["rest"].endswith(("。", "，")) else (Rank.APART, None, line)
    if match := _VOLUME_RE.fullmatch(line):
        rank, unit = Rank.VOLUME, "卷"
    elif match := _ZH_RE.fullmatch(line):
        rank, unit = _UNITS[match["unit"]], match["unit"]
    else:
        return None
    if rank is Rank.VOLUME and (inner := _inner_chapter(match["rest"])):
        return inner
    name = _chinese_name(match["rest"], unit)
    if name is None:
        return None
    number = int(read_han(match["number"]))
    return (rank, number, name) if number else (Rank.APART, None, line)


def _inner_chapter(rest: str) -> _Parsed | None:
    """Return the chapter of a line that names its volume too: 第一卷 少年 第三章 归来."""
    at = rest.find("第", 1)
    inner = _chinese(rest[at:]) if at > 0 and rest[at - 1].isspace() else None
    return inner if inner and inner[0] is not Rank.VOLUME else None


def _chinese_name(rest: str, unit: str) -> str | None:
    """Return the title after the number; None when the line is no heading."""
    if not rest:
        return ""
    if parted := _PARTED_RE.match(rest):
        name = rest[parted.end() :]
        return name if len(name) <= _LONGEST_TITLE["zh"] and not name.endswith(("。", "，", ",", "；")) else None
    if unit not in _BARE_UNITS or len(rest) > _LONGEST_BARE:
        return None
    return None if _SENTENCE_RE.search(rest) or _GOES_ON_RE.match(rest) else rest


def _english(line: str) -> _Parsed | None:
    if match := _APART_EN_RE.fullmatch(line):
        opens = match["word"][0].isupper()
        return (Rank.APART, None, line) if opens and not match["rest"].endswith((".", ",")) else None
    parsed = numbered_english(line)
    return parsed if parsed and line[0].isupper() else None


def numbered_english(line: str) -> _Parsed | None:
    """Read Chapter 12, CHAPTER THE SECOND, Part One: Rain; a small letter, too, which is a heading only in a row."""
    match = _EN_RE.fullmatch(line)
    if match is None:
        return None
    word = match["word"]
    rank = Rank.CHAPTER if word.lower().startswith("ch") else Rank.VOLUME
    if match["ordinal"]:  # "the First", "the twenty-second"; any other word is none
        ordinal = match["ordinal"].split()[1].lower()
        place = number(ordinal) if _ORDINAL_RE.fullmatch(ordinal) else None
    else:
        place = english_number(match["number"])
    name = _english_name(match["rest"], shouted=word.isupper()) if place else None
    return None if name is None else (rank, place, name)


def _english_name(rest: str, *, shouted: bool) -> str | None:
    name = rest.strip(" .:—–-|")
    if not name:
        return ""
    goes_on = rest.startswith(" ") and rest[1:2].islower()
    ends = name.endswith((",", ";")) or (not shouted and rest.rstrip().endswith("."))
    return None if goes_on or ends or len(name) > _LONGEST_TITLE["en"] else name


def english_number(written: str) -> int | None:
    """Return the number of 12, XII, twelve, Twenty-One, one hundred and two; None for anything else."""
    lower = written.lower()
    if lower.isdigit():
        return int(lower)
    if _IN_WORDS_RE.fullmatch(lower):
        return number(lower.replace(",", ""))
    return roman(lower.upper()) if _ROMAN_RE.fullmatch(lower) else None
