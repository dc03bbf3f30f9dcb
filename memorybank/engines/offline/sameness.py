"""Whether two texts say the same: sentence by sentence, and value by value.

Each sentence of the shorter text is laid beside the sentence of the longer one that has most of its words. Two that are
alike but for a number, date or name are about two things, or about one at two times, however alike the rest is: "the
Orla tunnel is 5,200 metres long", "the Orla II tunnel is 7,280 metres long". One such pair, and the texts are not the
same; a value that one of them merely leaves out, or writes otherwise, is no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from memorybank.engines.offline.salience import mentions
from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.text import sentences
from memorybank.language.tokens import says_nothing, tokenize
from memorybank.language.values import Quantity

COVERED: Final = 0.6
"""A sentence stands in another when it has this share of its words there."""
SAME_SENTENCES: Final = 0.66
"""Share of the shorter text's sentences that must stand in the longer for the two to be the same."""
SAME_FACTS: Final = 2
"""Values and names that they must both state in these."""
FEWEST_WORDS: Final = 3
CACHE: Final = 16_384

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sameness:
    covered: int
    """Sentences of the shorter text that stand in the longer."""
    sentences: int
    """All of the shorter text's."""
    agreed: int
    """Numbers, dates and names that a sentence and its counterpart both state."""
    differing: int
    """Sentences that are alike but for a number, date or name."""

    @property
    def holds(self) -> bool:
        """Whether this alone shows that the texts say the same, whatever they are headed by."""
        return (
            not self.differing and self.agreed >= SAME_FACTS and self.covered >= max(1, SAME_SENTENCES * self.sentences)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A sentence, ready to compare."""

    words: frozenset[str]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    names: tuple[str, ...]


def sameness(left: str, right: str) -> Sameness:
    """Symmetric but for texts of as many sentences. Takes time in the product of the two numbers of sentences."""
    shorter, longer = sorted((_lines(left), _lines(right)), key=len)
    pairs = [(line, beside) for line in shorter if (beside := _counterpart(line, longer)) is not None]
    return Sameness(
        covered=len(pairs),
        sentences=len(shorter),
        agreed=sum(_agreed(line, beside) for line, beside in pairs),
        differing=sum(_differs(line, beside) for line, beside in pairs),
    )


@lru_cache(maxsize=CACHE)
def _lines(text: str) -> tuple[_Line, ...]:
    parts = (text[start:end] for start, end in sentences(text))
    return tuple(_line(part, words) for part in parts if len(words := frozenset(tokenize(part))) >= FEWEST_WORDS)


def _line(text: str, words: frozenset[str]) -> _Line:
    days = dates.scan(text)
    names = (_name(mention.key) for mention in mentions(text) if mention.kind == "name")
    return _Line(
        words=words,
        quantities=values.scan(text, dates=days),
        dates=days,
        names=tuple(dict.fromkeys(name for name in names if name)),
    )


def _name(key: str) -> str:
    """Without words that a capital at the start of a sentence has made part of it: "from kourou"."""
    return " ".join(word for word in key.split() if not says_nothing(word))


def _counterpart(line: _Line, others: Sequence[_Line]) -> _Line | None:
    best = max(others, key=lambda other: len(line.words & other.words), default=None)
    return best if best is not None and len(line.words & best.words) >= COVERED * len(line.words) else None


def _agreed(line: _Line, other: _Line) -> int:
    return (
        len(line.quantities)
        - len(_alone(line.quantities, other.quantities, _same_quantity))
        + len(line.dates)
        - len(_alone(line.dates, other.dates, _same_date))
        + len(set(line.names) & set(other.names))
    )


def _differs(line: _Line, other: _Line) -> bool:
    """Whether each states a quantity, or each a date, or each a name, that the other does not."""
    return (
        _both_alone(line.quantities, other.quantities, _same_quantity)
        or _both_alone(line.dates, other.dates, _same_date)
        or _both_alone(line.names, other.names, str.__eq__)
    )


def _both_alone(mine: Sequence[T], theirs: Sequence[T], same: Callable[[T, T], bool]) -> bool:
    return bool(_alone(mine, theirs, same)) and bool(_alone(theirs, mine, same))


def _alone(mine: Sequence[T], theirs: Sequence[T], same: Callable[[T, T], bool]) -> list[T]:
    return [item for item in mine if not any(same(item, counterpart) for counterpart in theirs)]


def _same_quantity(left: Quantity, right: Quantity) -> bool:
    return values.relate(left, right) in ("equal", "compatible")


def _same_date(left: Date, right: Date) -> bool:
    return dates.relate(left, right) != "different"
