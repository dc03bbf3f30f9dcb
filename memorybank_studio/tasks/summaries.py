"""The running summary of a task's older turns, and the fresh one of a restart.

A summary is handed on: the next one is made of it and of the turns that have since become old, so that its making takes
as long in the thousandth turn as in the tenth. A language model writes it (`model_summaries.py`); without one, or where
it fails, it is quoted from the turns, and says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from memorybank.engines.offline.statements import statements
from memorybank.language.text import fold_space
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang, Value
from memorybank_studio.types import Role, Turn
from memorybank_studio.wording import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Value):
    text: str
    made: str
    """How it was made, for whoever reads it."""


class Summarise(Protocol):
    def __call__(self, turns: Sequence[Turn], previous: str, changed: Sequence[str] = ()) -> Summary:
        """What these turns and a summary of the turns before them (empty: there are none) come to.

        `changed`: what the hub says by now of what the turns name.
        """


@dataclass(frozen=True, slots=True)
class _Quote:
    """A sentence of a turn, word for word."""

    place: tuple[int, int]
    """Turn, and place within it."""
    role: Role
    text: str
    facts: frozenset[str]
    words: frozenset[str]

    @property
    def line(self) -> str:
        return f"[{self.place[0]} {self.role}] {self.text}"


_LINE_RE: Final = re.compile(r"\[(?P<turn>\d{1,9}) (?P<role>author|assistant)\] (?P<text>.+)")
_DECIDES_RE: Final = re.compile(
    r"\b(?:settled|decided|agreed|final|let['’]s|we(?:'ll| will)|must|never|instead|no longer|change)\b"
    r"|定下|就这样|决定|确定|敲定|改成|改为|不再|必须|最终|就叫|采用",
    re.IGNORECASE,
)
_FACT_WEIGHT: Final = 6.0
"""Of a number, date or name beside 1 for a content word, as in the summaries of the memory bank's offline engine."""
_AUTHOR: Final = 1.5
"""What the author says counts more than what was offered to them."""
_DECIDES: Final = 1.5
_COST_POWER: Final = 0.8


class QuotingSummary:
    """Without a model of language: the most telling sentences, each with its turn, within a budget of tokens.

    Greedy budgeted coverage of names, numbers and content words that no sentence chosen so far has (Lin and Bilmes
    2010, "Multi-document Summarization via Budgeted Maximization of Submodular Functions").
    """

    def __init__(self, *, tokens: int, lang: Lang) -> None:
        """`lang`: of how it was made; the turns may be in either."""
        self._tokens = tokens
        self._lang = lang

    def __call__(self, turns: Sequence[Turn], previous: str, changed: Sequence[str] = ()) -> Summary:
        quotes = [*_earlier(previous), *_quotes((turn.number, turn.role, turn.text) for turn in turns)]
        lines = (quote.line for quote in sorted(self._chosen(quotes), key=lambda quote: quote.place))
        return Summary(text="\n".join(lines), made=say("summary_quoted", self._lang))

    def _chosen(self, quotes: Sequence[_Quote]) -> list[_Quote]:
        chosen: list[_Quote] = []
        covered: set[str] = set()
        left, room = list(quotes), self._tokens
        while left := [quote for quote in left if estimate(quote.line) < room]:
            best = max(left, key=lambda quote: (_gain(quote, covered), quote.place))
            if _gain(best, covered) <= 0:
                break
            chosen.append(best)
            left.remove(best)
            covered |= best.facts | best.words
            room -= estimate(best.line) + 1
        return chosen


def _gain(quote: _Quote, covered: set[str]) -> float:
    new = _FACT_WEIGHT * len(quote.facts - covered) + len(quote.words - covered)
    weight = (_AUTHOR if quote.role == "author" else 1.0) * (_DECIDES if _DECIDES_RE.search(quote.text) else 1.0)
    return new * weight / math.pow(estimate(quote.line), _COST_POWER)


def _earlier(previous: str) -> Iterable[_Quote]:
    """The sentences of a summary of this kind; of one of another kind, its lines as the assistant's."""
    for line in previous.splitlines():
        if match := _LINE_RE.fullmatch(line):
            yield from _quotes([(int(match["turn"]), _role(match["role"]), match["text"])])
        elif line.strip():
            yield from _quotes([(0, "assistant", line)])


def _role(name: str) -> Role:
    return "author" if name == "author" else "assistant"


def _quotes(texts: Iterable[tuple[int, Role, str]]) -> Iterable[_Quote]:
    for number, role, text in texts:
        for place, statement in enumerate(statements(text)):
            facts = frozenset(f"={mention.key}" for mention in statement.mentions if mention.certain)
            yield _Quote((number, place), role, fold_space(statement.text), facts, statement.words)
