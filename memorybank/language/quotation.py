"""Where a quotation stands in a text: word for word, but for white space, case, quotation and emphasis marks, and the
forms of one character (`text.one_form`)."""

from __future__ import annotations

import re
from functools import lru_cache

from memorybank.language.han import UNSPACED
from memorybank.language.text import form_and_places, one_form

_ELLIPSIS_RE = re.compile(r"\s*[\[(（]?\s*(?:…+|\.{3,})\s*[\])）]?\s*")
_MARKS = frozenset("\"'“”‘’„‚«»‹›「」『』〝〞＂＇`´*_")
"""Quotation marks, which a quotation may change, and emphasis, which it may leave out."""
_ALIKE = str.maketrans("‐‑‒–—−﹣－", "--------")
_BESIDE_RE = re.compile(f"(?<=[{UNSPACED}]) | (?=[{UNSPACED}])")
_EDGES = " .。,，;；:：、"


def place(text: str, quote: str) -> tuple[int, int] | None:
    """`text[start:end]`, where the quotation stands, from its first part to its last; None where it does not.

    An ellipsis may stand for what is left out between two parts, and a part may end with a mark of its own. A number or
    a word is not found in a longer one.
    """
    return _exact(text, quote) or _place(text, quote, " ") or _place(text, quote, _EDGES)


def _exact(text: str, quote: str) -> tuple[int, int] | None:
    """Where it stands character by character, which most do, and what costs a thousandth of folding a long text."""
    if not quote or not {quote[0], quote[-1]}.isdisjoint(_MARKS | {" "}) or _ELLIPSIS_RE.search(quote):
        return None
    if one_form(text) != text:  # what has no width may stand within a number: 1\u200b18
        return None
    match = _pattern(quote, beside="A-Za-z0-9").search(text)
    return match.span() if match else None


def _place(text: str, quote: str, edges: str) -> tuple[int, int] | None:
    parts = [part for piece in _ELLIPSIS_RE.split(quote) if (part := _folded(piece)[0].strip(edges))]
    folded, places = _folded(text)
    start, at = None, 0
    for part in parts:
        match = _pattern(part).search(folded, at)
        if match is None:
            return None
        start = match.start() if start is None else start
        at = match.end()
    return (places[start], places[at - 1] + 1) if start is not None else None


def _pattern(part: str, beside: str = "a-z0-9") -> re.Pattern[str]:
    before = rf"(?<![{beside}])(?<!\d[.,])" if part[0].isascii() and part[0].isalnum() else ""
    after = rf"(?![{beside}]|[.,]\d)" if part[-1].isascii() and part[-1].isalnum() else ""
    return re.compile(f"{before}{re.escape(part)}{after}")


@lru_cache(maxsize=256)
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """The text in one case, without marks, with single spaces and none beside Han; and where each character stood."""
    kept: list[tuple[str, int]] = []
    form, places = form_and_places(text)
    for at, character in zip(places, form.translate(_ALIKE), strict=False):  # the last place has no character
        if character in _MARKS:
            continue
        if not character.isspace():
            kept.extend((folded, at) for folded in character.casefold())
        elif kept and kept[-1][0] != " ":
            kept.append((" ", at))
    letters = "".join(character for character, _ in kept)
    beside_han = {at for match in _BESIDE_RE.finditer(letters) for at in range(*match.span())}
    spaced = [entry for at, entry in enumerate(kept) if at not in beside_han]
    return "".join(character for character, _ in spaced), tuple(at for _, at in spaced)


def names(text: str, value: str) -> bool:
    """Whether a text has the value, not as a part of a longer number or word."""
    value = value.strip()
    if not value:
        return False
    before = r"(?<![\d.,])" if value[0].isdigit() else r"(?<![A-Za-z])" if value[0].isascii() else ""
    after = r"(?!\d|[.,]\d)" if value[-1].isdigit() else r"(?![A-Za-z])" if value[-1].isascii() else ""
    return re.search(f"{before}{re.escape(value)}{after}", text, re.IGNORECASE) is not None
