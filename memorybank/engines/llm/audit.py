"""Does a summary say what the text says? Its figures are checked, because models lose and invent them.

They are compared as values, however they are written (language/figures.py). An audit finds and decides nothing: the
model is asked once more with what was found, and what stays is told. A true statement that only looks unknown is worth
more than a tidy summary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorybank.engines.offline.statements import Statement, statements
from memorybank.engines.offline.units import PRONOUN_RE
from memorybank.language.dates import Date
from memorybank.language.figures import figures, unstated
from memorybank.language.text import fold_space, sentences
from memorybank.language.tokens import query_tokens

LOST_AT_MOST = 0.25
"""Share of the text's dates and numbers with a unit that a summary may leave out."""
MOST_LENGTH = 0.7
"""Share of the text that a summary may take rather than lose a fact, and up to which sentences are put back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A statement of a summary with figures that the text does not state."""

    statement: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    unknown: tuple[Doubt, ...]
    lost: tuple[str, ...]
    """Dates and numbers with a unit that only the text states; none while they are few."""

    def __len__(self) -> int:
        """How many figures are unknown or lost; an audit without findings is false."""
        return sum(len(doubt.figures) for doubt in self.unknown) + len(self.lost)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong, one line each, for who reads the calls."""
        lines = [f"{', '.join(doubt.figures)} is not in the text: {doubt.statement}" for doubt in self.unknown]
        if self.lost:
            lines.append(f"the summary leaves out: {', '.join(self.lost)}")
        return tuple(lines)


def audit(summary: str, text: str, *, shown: Sequence[str] = (), kept: Sequence[str] = ()) -> Findings:
    """Hold a summary against its text.

    `shown` is what the model knew beside the text (its topic); `kept` are tables and code that stay beside it.
    """
    unknown = unstated(summary, "\n".join((text, *shown, *kept)))
    doubts = []
    for start, end in sentences(summary):
        written = tuple(dict.fromkeys(figure.written for figure in unknown if start <= figure.start < end))
        if written:
            doubts.append(Doubt(statement=fold_space(summary[start:end]), figures=written))
    return Findings(unknown=tuple(doubts), lost=_lost(text, "\n".join((summary, *kept))))


def _lost(text: str, summary: str) -> tuple[str, ...]:
    told, lost = (
        {item.written.casefold(): item.written for item in each if isinstance(item.value, Date) or item.value.unit}
        for each in (figures(text), unstated(text, summary))
    )
    return tuple(lost.values()) if len(lost) > LOST_AT_MOST * len(told) else ()


def completed(summary: str, text: str, topic: str, lost: Sequence[str]) -> tuple[str, int]:
    """The summary with sentences of the text that hold what it lost, word for word, and how many.

    Only a sentence that names its subject can be understood where it then stands.
    """
    missing = set(lost)
    subjects = frozenset(query_tokens(topic))
    back = 0
    for statement in statements(text):
        held = missing.intersection(figure.written for figure in figures(statement.text))
        if (
            held
            and _names_its_subject(statement, subjects)
            and len(summary) + len(statement.text) <= MOST_LENGTH * len(text)
        ):
            summary = f"{summary}\n{statement.text}"
            missing -= held
            back += 1
    return summary, back


def _names_its_subject(statement: Statement, subjects: frozenset[str]) -> bool:
    named = any(mention.kind == "name" and mention.certain for mention in statement.mentions)
    return not (statement.whole or PRONOUN_RE.match(statement.text)) and (named or bool(subjects & statement.words))
