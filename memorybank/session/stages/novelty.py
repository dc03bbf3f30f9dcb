"""What a text says that is known nowhere: values and names. Known ones in other words are no news.

It is one measure for both engines: it parts what an answer concludes from what it only retells, and tells whether a
round brought anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from memorybank.engines.offline.phrases import names_in
from memorybank.engines.offline.salience import mentions
from memorybank.language.figures import still_unstated, unstated
from memorybank.language.parse import Parse
from memorybank.language.quotation import names
from memorybank.language.text import covered, fold_space, is_han, one_form, sentences

_LIST_MARK_RE = re.compile(r"^(?:[•* ]|-(?![\d.$€£¥]))+")
"""Before the point of a list; the minus of a number is no mark."""
_ID_RE = re.compile(r"(?<![A-Za-z0-9])[aceimn]\d{1,6}(?![A-Za-z0-9])")
"""Of a node, a conflict, an entry: they say where something stands."""
_UNKNOWN_AT_MOST = 1 / 3
"""Share of a Chinese name's pairs of characters that may be new in a known one: 云溪博物馆 beside 云溪市博物馆."""


def is_new(text: str, known: Iterable[str], parse: Parse) -> bool:
    """Whether a text states a value or a name that none of the known texts has."""
    return bool(_news(one_form(text), known, parse))


def new_sentences(text: str, known: Iterable[str], parse: Parse, documents: Iterable[str] = ()) -> list[str]:
    """The sentences of a text that state a new value or a new name, without their list marks. `documents`: names of
    those that are known; that one is cited is no news."""
    text = cited = one_form(text)
    for name in sorted(map(one_form, documents), key=len, reverse=True):
        cited = cited.replace(name, " " * len(name))
    news = _news(cited, known, parse)
    parts = [piece for piece in sentences(text) if any(piece.start <= start < piece.end for start in news)]
    return list(
        dict.fromkeys(_LIST_MARK_RE.sub("", fold_space(text[start:end])).rstrip("-•* ") for start, end in parts)
    )


def _news(text: str, known: Iterable[str], parse: Parse) -> list[int]:
    """Where the new values and names begin. What is known is read one text after another, as far as it is needed."""
    text = _ID_RE.sub(lambda match: " " * len(match[0]), text)
    values = unstated(text, "")
    figured = covered(len(text), ((figure.start, figure.end) for figure in values))
    written = ((name.start, name.end) for name in mentions(text) if name.kind == "name" and name.certain)
    parsed = names_in(text, parse) if is_han(text) else ()
    named = [name for name in sorted({*written, *parsed}) if not any(figured[slice(*name)])]
    for source in map(one_form, known):
        if not values and not named:
            break
        values = still_unstated(values, source) if values else ()
        named = [name for name in named if not _is_known(text[slice(*name)], source)]
    return [*(value.start for value in values), *(start for start, _ in named)]


def _is_known(name: str, source: str) -> bool:
    """Whether a text has a name, or all words of it: who puts known words together gives no new name."""
    if not is_han(name):
        return all(names(source, word) for word in name.split())
    pairs = ["".join(pair) for pair in pairwise(name.strip("《》“”「」"))]
    return sum(pair not in source for pair in pairs) <= _UNKNOWN_AT_MOST * len(pairs)
