"""What a statement of a story is: told as happened, intended, only supposed, or told by someone in it.

The narrator's word is taken for fact; nothing else is. Rules over clauses: who speaks (quotation known, verbs of
saying), then marks of condition, guess and dream, then of intention and order, then the signs of what is done, which
win over an order ("命人送去了") but not over an intention ("便要走了"). A plan or an order goes on over the clauses
that say what it is of. The whole text is read, since what was opened three sentences before decides who speaks here.
The marks themselves are in `modality`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memorybank.language.text import Piece
from memorybank.memory.types import Lang
from memorybank.narrative.reading.clauses import Clause, cut
from memorybank.narrative.reading.modality import Marks, Modality, aim, first, intention, marks, masked


@dataclass(frozen=True, slots=True)
class JudgedClause:
    """A clause with what it is and the words that show it (empty where nothing speaks against the narrator)."""

    clause: Clause
    modality: Modality
    mark: str = ""
    at: int = 0
    """Where the mark stands in the clause; what comes before an intention or an order has happened."""
    own: int = 0
    """Characters from the clause's beginning that the narrator tells as happened all the same: who promised, asked or
    said something did so, and "she laughed as if …" is a laugh."""

    aim: Piece | None = None
    """What its deed is done for, in characters of the clause: it is intended, while the clause tells of the deed."""

    def modality_at(self, place: int) -> Modality:
        """What the words at this character of the clause are."""
        if self.aim and self.aim.start <= place < self.aim.end:
            return Modality.INTENDED
        return Modality.HAPPENED if place < self.own and not self.clause.spoken else self.modality


@dataclass(frozen=True, slots=True)
class Story:
    """A text read for what it tells as happened. Offsets are in characters of `text`."""

    text: str
    plain: str
    """The text with a placeholder for each character of a name: no word of a name is a mark (念 in 苏念卿)."""
    lang: Lang
    sentences: tuple[Piece, ...]
    clauses: tuple[JudgedClause, ...]
    """In order."""

    def within(self, span: Piece) -> tuple[JudgedClause, ...]:
        first = bisect_left(self.clauses, span.start, key=lambda judged: judged.clause.end)
        last = bisect_left(self.clauses, span.end, key=lambda judged: judged.clause.start)
        return self.clauses[first:last]


def read(text: str, lang: Lang, names: Iterable[Piece] = ()) -> Story:
    """A text as its clauses. Linear in its length.

    `names`: stretches that are names; no word of them is a mark (令 in 玉鳞令).
    """
    plain = _without(text, names)
    pieces, clauses = cut(plain)
    known = marks(lang)
    judged: list[JudgedClause] = []
    for clause in clauses:
        before = judged[-1] if judged and judged[-1].clause.sentence == clause.sentence else None
        judged.append(_judge(clause, before, known))
    return Story(text, plain, lang, pieces, tuple(judged))


def _without(text: str, names: Iterable[Piece]) -> str:
    written: list[str] = []
    at = 0
    for piece in names:
        written += (text[at : piece.start], "□" * (piece.end - piece.start))
        at = piece.end
    return "".join((*written, text[at:]))


# -- clauses ----------------------------------------------------------------------------------------------------------


def _judge(clause: Clause, before: JudgedClause | None, known: Marks) -> JudgedClause:
    body = masked(clause.text, known)
    match = first(body, known.conditional, known.guess)
    if match:
        return JudgedClause(clause, Modality.HYPOTHETICAL, match[0])
    if before is not None and before.clause.spoken == clause.spoken and _supposes(before, known):
        # What hangs on a condition is as uncertain as it.
        return JudgedClause(clause, Modality.HYPOTHETICAL, before.mark)
    if clause.asks:
        return JudgedClause(clause, Modality.HYPOTHETICAL, "?")
    if clause.spoken:
        mark = first(body, known.intended, known.future, known.speech_intended)
        done = known.done.search(body) and not first(body, known.intended, known.future)
        if mark and not done:
            return JudgedClause(clause, Modality.INTENDED, mark[0])
        return JudgedClause(clause, Modality.REPORTED)
    return _narrated(clause, body, before, known)


def _supposes(before: JudgedClause, known: Marks) -> bool:
    """Whether what follows a clause is supposed with it: a condition, a dream; a guess is of its own clause alone."""
    return before.modality is Modality.HYPOTHETICAL and not known.guess.fullmatch(before.mark) and before.mark != "?"


def _goes_on(clause: Clause, before: JudgedClause | None, known: Marks) -> bool:
    """Whether a clause still tells of the plan, or what was heard, that the clause before it began."""
    if before is None or before.clause.spoken or (before.mark and known.turns.match(clause.text)):
        return False
    if before.modality is Modality.REPORTED:
        return known.chinese
    if before.modality is Modality.HAPPENED:
        return False
    nobody_gives_it = known.orders.fullmatch(before.mark) is not None and before.at <= _NO_SUBJECT
    return known.intended.fullmatch(before.mark) is not None or nobody_gives_it


_NO_SUBJECT: Final = 1
"""Characters before an order that names nobody who gives it: 且教…; all of such a sentence is the order."""


def _narrated(clause: Clause, body: str, before: JudgedClause | None, known: Marks) -> JudgedClause:
    report = known.told.search(body)
    if report:
        return JudgedClause(clause, Modality.REPORTED, report[0], own=report.start() + 1)
    if before is not None and _goes_on(clause, before, known):
        return JudgedClause(clause, before.modality, before.mark)
    match = intention(body, known)
    if match is None:
        aimed = aim(body, known)
        return JudgedClause(clause, Modality.HAPPENED, "to" if aimed else "", aim=aimed)
    return JudgedClause(clause, Modality.INTENDED, match[0], match.start(), match.start() + 1)
