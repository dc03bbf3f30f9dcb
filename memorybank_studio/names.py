"""The known entities that a passage speaks of: names and aliases, found as they are written, the longest first.

    "王夫人" in 王夫人笑道      王夫人, not 王夫
    "Ann" in Ann's, Anna       the first only: a name in Latin script stands between word borders

One pass over the text, whatever the number of names: at each character only names that begin with it are looked up, by
their few lengths. White space within a name may be any white space in the text, a line break too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memorybank.language.quotation import place
from memorybank.language.text import HAN, fold_space, is_han
from memorybank_studio.types import Entity, normal

_LONG_SPACE_RE = re.compile(r"\s{2,}|[^\S ]")
_LONGEST = 100
"""Characters of a name; what is longer is no name, and would only cost."""


class NameMatch(NamedTuple):
    """`text[start:end]` speaks of these: more than one where an alias is shared."""

    start: int
    end: int
    names: tuple[str, ...]


class Cast:
    """Names and aliases, each with the name under which its bearer is known. Made once, asked for every passage.

    A name of a single Han character is left out: it stands in every other word.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Build the cast from pairs of a written form and the name of its bearer."""
        bearers: dict[str, dict[str, None]] = defaultdict(dict)
        for written, name in names:
            form = fold_space(written)
            if form and len(form) <= _LONGEST and not (len(form) == 1 and is_han(form)):
                bearers[form][name] = None
        self._bearers = {form: tuple(known) for form, known in bearers.items()}
        lengths: dict[str, set[int]] = defaultdict(set)
        for form in self._bearers:
            lengths[form[0]].add(len(form))
        self._lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        self._first_re = re.compile(f"[{re.escape(''.join(sorted(lengths)))}]") if lengths else None

    def __len__(self) -> int:
        return len(self._bearers)

    def names_in(self, text: str) -> tuple[str, ...]:
        """Return bearers' names, as they are first spoken of; each once."""
        return tuple(dict.fromkeys(name for mention in self._matches(_folded(text)) for name in mention.names))

    def mentions(self, text: str) -> list[NameMatch]:
        """Return the names found, with their places in the text, in order; none overlaps another."""
        folded = _folded(text)
        if len(folded) == len(text):
            return list(self._matches(folded))
        places = _places(text)
        return [
            NameMatch(places[mention.start], places[mention.end - 1] + 1, mention.names)
            for mention in self._matches(folded)
        ]

    def _matches(self, text: str) -> Iterator[NameMatch]:
        match = self._first_re.search(text) if self._first_re else None
        while match and self._first_re:
            start = match.start()
            end = self._end(text, start)
            if end:
                yield NameMatch(start, end, self._bearers[text[start:end]])
            match = self._first_re.search(text, end or start + 1)

    def _end(self, text: str, start: int) -> int:
        """Return the end of the longest name that begins here; 0 when there is none."""
        for size in self._lengths[text[start]]:
            end = start + size
            if end <= len(text) and text[start:end] in self._bearers and _stands_alone(text, start, end):
                return end
        return 0


def cast_of(entities: Iterable[Entity]) -> Cast:
    return Cast((written, entity.name) for entity in entities for written in (entity.name, *entity.aliases))


def cast_from(names: Mapping[str, str] | Iterable[str]) -> Cast:
    """Return a cast made of written forms with their bearers' names, or of names alone."""
    return Cast(names.items() if isinstance(names, Mapping) else ((name, name) for name in names))


def _folded(text: str) -> str:
    """Return the text with one space for each run of white space."""
    return _LONG_SPACE_RE.sub(" ", text)


def _places(text: str) -> list[int]:
    """Return for each character of the folded text its place in the text."""
    places: list[int] = []
    at = 0
    for match in _LONG_SPACE_RE.finditer(text):
        places += range(at, match.start() + 1)
        at = match.end()
    places += range(at, len(text))
    return places


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit of a script with word borders goes on before or after it."""
    borders = (text[start - 1 : start] + text[start], text[end - 1] + text[end : end + 1])
    return not any(len(pair) == 2 and pair.isalnum() and not is_han(pair) for pair in borders)


def names_in(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that stand in the text, in its order and in any case; of two that overlap the longer one."""
    searched = normal(text)
    taken: list[tuple[int, int, str]] = []
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        sought = normal(name)
        if len(sought) < 2 or sought not in searched:  # a single character stands in too many words
            continue
        for match in re.finditer(bordered(re.escape(sought), sought[0], sought[-1]), searched):
            if all(match.end() <= start or end <= match.start() for start, end, _ in taken):
                taken.append((match.start(), match.end(), name))
    return tuple(dict.fromkeys(name for _, _, name in sorted(taken)))


def stands_in(quote: str, text: str) -> bool:
    """Whether the text has these words, whatever the case, white space and marks; a single character says nothing."""
    return len(normal(quote)) > 1 and place(text, quote) is not None


def bordered(pattern: str, first: str, last: str) -> str:
    """Return the pattern of a name between word borders, where its end characters are of a script that has them."""
    before = rf"(?<![^\W_{HAN}])" if first.isalnum() and not is_han(first) else ""
    after = rf"(?![^\W_{HAN}])" if last.isalnum() and not is_han(last) else ""
    return f"{before}{pattern}{after}"
