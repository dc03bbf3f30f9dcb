"""The place of a quotation in a text: word for word, but for case, white space, marks and forms of one character."""

from __future__ import annotations

import re
from functools import lru_cache

from memorybank.language.text import UNSPACED, form_and_places

_ELLIPSIS_RE = re.compile(r"\s*[\[(（]?\s*(?:…+|\.{3,})\s*[\])）]?\s*")
_MARKS = "\"'“”‘’„‚«»‹›「」『』〝〞＂＇`´*_"  # a quotation may change or leave them out
_GAP_RE = re.compile(rf"(?P<space>(?<=[^{UNSPACED}])[{_MARKS}]*+\s[{_MARKS}\s]*+(?![{UNSPACED}]))|[{_MARKS}\s]+")
_ALIKE = str.maketrans("‐‑‒–—−﹣－", "--------")
_EDGES = " .。,，;；:：、"
_BEFORE_RE, _AFTER_RE = re.compile(r"(?<![^\s。！？])"), re.compile(r"(?!(?<![。！？])\S)")


def place(text: str, quote: str) -> tuple[int, int] | None:
    """Return the start and end of a quotation in a text, from its first part to its last; None where it does not.

    An ellipsis may stand for what is left out between two parts, and a part may end with a mark of its own. A number or
    a word is not found in a longer one.
    """
    at = text.find(quote) if quote.strip() else -1
    while at >= 0:  # whole sentences: a long text need not be folded for them, nor a pattern made of each
        if _BEFORE_RE.match(text, at) and _AFTER_RE.match(text, at + len(quote)):
            return at, at + len(quote)
        at = text.find(quote, at + 1)
    return _place(text, quote, " ") or _place(text, quote, _EDGES)


def _place(text: str, quote: str, edges: str) -> tuple[int, int] | None:
    parts = [part for piece in _ELLIPSIS_RE.split(quote) if (part := _folded(piece)[0].strip(edges))]
    folded, places = _folded(text)
    start, at = None, 0
    for part in parts:
        before = r"(?<![a-z0-9])(?<!\d[.,])" if part[0].isascii() and part[0].isalnum() else ""
        after = r"(?![a-z0-9]|[.,]\d)" if part[-1].isascii() and part[-1].isalnum() else ""
        match = re.compile(f"{before}{re.escape(part)}{after}").search(folded, at)
        if match is None:
            return None
        start = match.start() if start is None else start
        at = match.end()
    return (places[start], places[at - 1] + 1) if start is not None else None


@lru_cache(maxsize=256)
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the text in one case, less marks, with single spaces, none beside Han; and each character's place."""
    form, places = form_and_places(text)
    plain = form.translate(_ALIKE).lower()
    if len(plain) != len(form):  # İ becomes two
        plain = "".join(char.lower()[0] for char in form.translate(_ALIKE))
    letters, stood, at = list[str](), list[int](), 0
    for gap in _GAP_RE.finditer(plain):
        space = " " if gap["space"] else ""
        letters += plain[at : gap.start()], space
        stood += places[at : gap.start() + len(space)]
        at = gap.end()
    return "".join((*letters, plain[at:])), (*stood, *places[at : len(plain)])


def names(text: str, value: str) -> bool:
    """Whether a text has the value, not as a part of a longer number or word."""
    if not (value := value.strip()):
        return False
    before = r"(?<![\d.,])" if value[0].isdigit() else r"(?<![A-Za-z])" if value[0].isascii() else ""
    after = r"(?!\d|[.,]\d)" if value[-1].isdigit() else r"(?![A-Za-z])" if value[-1].isascii() else ""
    return re.search(f"{before}{re.escape(value)}{after}", text, re.IGNORECASE) is not None
