"""Text to tokens for keyword retrieval: English and Chinese, mixed in one text, numbers and codes kept whole.

- Text is in one form (`text.one_form`), NFKC-folded (full-width letters and digits become ASCII) and lower-cased.
- Words are stemmed by Snowball's rules (Porter 2, snowballstem.org), accents dropped ("Schrödinger" = "Schrodinger").
- Han, kana and hangul have no spaces to cut at: each run gives its character bigrams; a character alone stays alone.
- A number is one token, without thousands separators: "1,121" = "1121", "3.14". So are dates, times and versions.
- A code is one token: "GPT-4", "x86_64". Its parts of three characters or more follow, so that "GPT" finds "GPT-4". A
  number before a word or a unit is no code: "105-qubit" is "105" and "qubit", "100km" is "100" and "km".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from memorybank.language.text import FUNCTION_WORDS, UNSPACED, one_form

LONGEST_WORD = 40
QUERY_LIMIT = 16
"""Distinct tokens a query may have."""

_LETTERS = rf"[^\W_{UNSPACED}]+"
_SCAN_RE = re.compile(
    rf"""
    (?P<unspaced>[{UNSPACED}]+)
  | (?P<initials>(?<![A-Za-z0-9])(?:[A-Za-z]\.){{2,}}(?![A-Za-z0-9]))        # U.S. -> us
  | (?P<thousands>(?<![0-9A-Za-z.,])\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!,?\d))  # 1,121
  | (?P<symbol>[A-Za-z](?:\+\+|\#)(?!\w))                                     # C++, C#
  | (?P<chunk>{_LETTERS}(?:(?:[-_']|(?<=\d)[.:/](?=\d)){_LETTERS})*)
    """,
    re.VERBOSE,
)
_DIGIT_RE = re.compile(r"\d")
_NUMBER_RE = re.compile(r"\d+(?:[.:/]\d+)*")
_DATE_RE = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")
_MONTH_RE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_MEASURE_RE = re.compile(r"(\d+(?:\.\d+)?)((?!(?:st|nd|rd|th)$)[^\W\d_]{2,})")
# Between half-width digits the Chinese comma parts a list; between full-width digits it stays and parts thousands.
_WIDE_COMMA_RE = re.compile(r"，(?<=[0-9]，)(?=[0-9])")  # begins with the comma: found fast

# A bigram of two of these says nothing of the topic ("的是", "什么"); with any other character it does ("和平").
_FUNCTION_CHARACTERS = frozenset(
    "的了是在和与或及也都就还而但为被把对从到由以于之其这那哪谁什么怎样如何吗呢吧啊呀请问多少几很更最个些时候因我你他她它们"
)


def tokenize(text: str) -> list[str]:
    """Return all tokens of the text, in order, repeated as they repeat."""
    return [token for _, tokens in _scan(text) for token in tokens]


def query_tokens(text: str, keywords: Iterable[str] = (), limit: int = QUERY_LIMIT) -> tuple[str, ...]:
    """Return the first `limit` distinct tokens of the keywords, then of the text.

    Function words take no place unless the query has nothing else; written in capitals ("WHO", "US") they are names.
    """
    texts = [*keywords, text]
    tokens = dict.fromkeys(token for part in texts for token in _content_tokens(part))
    if not tokens:
        tokens = dict.fromkeys(token for part in texts for token in tokenize(part))
    return tuple(tokens)[:limit]


def says_nothing(text: str) -> bool:
    """Whether a text is function words alone, or has no word."""
    return next(_content_tokens(text), None) is None


def _content_tokens(text: str) -> Iterator[str]:
    for raw, tokens in _scan(text):
        is_name = len(raw) > 1 and raw.isupper()
        if is_name or raw.lower().partition("'")[0] not in FUNCTION_WORDS:
            yield from (token for token in tokens if not _FUNCTION_CHARACTERS.issuperset(token))


def _scan(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each word, number, code or unspaced run as it is written, with its tokens."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _WIDE_COMMA_RE.sub(" ", one_form(text))).replace("’", "'")
    for match in _SCAN_RE.finditer(text):
        raw = match[0]
        kind = match.lastgroup
        if kind == "chunk":
            yield raw, _known_chunk_tokens(raw) if len(raw) <= LONGEST_WORD else tuple(_chunk_tokens(raw))
        elif kind == "unspaced":
            yield raw, [raw[at : at + 2] for at in range(len(raw) - 1)] or [raw]
        elif kind == "initials":
            yield raw, [raw.replace(".", "").lower()]
        elif kind == "thousands":
            yield raw, [raw.replace(",", "")]
        else:
            yield raw, [raw.lower()]


def _chunk_tokens(chunk: str) -> Iterator[str]:
    """Yield the tokens of letters and digits joined by - _ ' or, between digits, by . : /"""
    chunk = chunk.lower()
    if not _DIGIT_RE.search(chunk):
        yield from (_stem(word) for word in re.split("[-_]", chunk))
        return
    chunk = chunk.partition("'")[0]
    if date := _DATE_RE.fullmatch(chunk):
        year, month, day = date.groups()
        yield f"{year}-{month:0>2}-{day:0>2}"
        return
    parts = re.split("[-_]", chunk)
    if len(parts) == 1:
        yield from _part_tokens(chunk)
    elif _is_code(chunk, parts):
        yield chunk
        yield from (token for part in parts if len(part) > 2 for token in _part_tokens(part))
    else:
        yield from (token for part in parts for token in _part_tokens(part))


_known_chunk_tokens = lru_cache(maxsize=65_536)(lambda chunk: tuple(_chunk_tokens(chunk)))


def _is_code(chunk: str, parts: list[str]) -> bool:
    """Whether the parts mean something only together: not for a range of numbers, nor for a number before words."""
    numbers = [bool(_NUMBER_RE.fullmatch(part)) for part in parts]
    if all(numbers):
        return len(parts) > 2 or bool(_MONTH_RE.fullmatch(chunk))
    return not (numbers[0] and all(number or len(part) > 2 for number, part in zip(numbers, parts, strict=True)))


def _part_tokens(part: str) -> Iterator[str]:
    if measure := _MEASURE_RE.fullmatch(part):
        yield measure[1]
        yield _stem(measure[2])
    else:
        yield part if _DIGIT_RE.search(part) else _stem(part)


def _stem(word: str) -> str:
    """Return the stem of a lower-case word. A text's longest runs (hashes, base64) have none."""
    word = _unaccented(word)
    if len(word) > LONGEST_WORD:
        return word
    # Imported on first use: the package loads the stemmers of thirty languages. By its full name: the package hands out
    # another implementation where PyStemmer is installed. A new one a word: it holds its word while it works, and
    # threads share this module.
    from snowballstemmer.english_stemmer import EnglishStemmer

    stemmed: str = EnglishStemmer().stemWord(word)
    return stemmed


@lru_cache(maxsize=32_768)
def folded(word: str) -> str:
    """Return the form of a word in the keys of claims: small letters, no accents, no possessive."""
    return _unaccented(word.casefold()).removesuffix("'s")


def _unaccented(word: str) -> str:
    decomposed = word if word.isascii() else unicodedata.normalize("NFKD", word)
    return "".join(char for char in decomposed if not unicodedata.combining(char))
