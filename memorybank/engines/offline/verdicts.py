"""What a cross-validation's verdicts refute in the texts of the nodes that were in conflict, and what holds instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memorybank.contradiction.checks import checked_line, names, states
from memorybank.language.numerals import HAN_NUMBER
from memorybank.language.text import fold_space, sentences
from memorybank.memory.contracts import PairVerdict
from memorybank.memory.types import Claim, ClaimKind, ConflictStatus, Contradiction, Lang

_VALUED: tuple[ClaimKind, ...] = ("number", "date", "name", "place")
"""Claims whose value another one takes the place of; the others are withdrawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuted:
    """In the texts of node `node`, `claim` does not hold; `value` does, if there is one."""

    node: int
    claim: Claim
    value: str


def refuted(verdicts: Sequence[PairVerdict]) -> list[Refuted]:
    """One for each losing claim. A value that wins one pair and loses another is followed to the one that holds."""
    refutations = [
        refutation for verdict in verdicts for point in _points(verdict) for refutation in _losing(verdict, point)
    ]
    return [replace(refutation, value=_final(refutation, refutations)) for refutation in refutations]


def _points(verdict: PairVerdict) -> Sequence[Contradiction]:
    """The contradictions that the verdict decides: a third value answers one question, the first that it fits."""
    if verdict.status is ConflictStatus.RESOLVED and verdict.winner:
        return verdict.contradictions
    if verdict.status is ConflictStatus.BOTH_WRONG and verdict.value:
        fitting = [
            contradiction
            for contradiction in verdict.contradictions
            if _fits(verdict.value, contradiction.left) and _fits(verdict.value, contradiction.right)
        ]
        return fitting[:1]
    return ()


def _fits(value: str, claim: Claim) -> bool:
    if claim.kind in ("number", "date"):
        return bool(re.search(rf"\d|[{HAN_NUMBER}]", value))
    return claim.kind in _VALUED


def _losing(verdict: PairVerdict, point: Contradiction) -> Iterator[Refuted]:
    won = {"left": point.left, "right": point.right}.get(verdict.winner)
    for side, node, claim in (("left", verdict.left, point.left), ("right", verdict.right, point.right)):
        if side != verdict.winner:
            valued = claim.kind in _VALUED and (won is None or won.kind == claim.kind)
            yield Refuted(node=node, claim=claim, value=(won.value if won else verdict.value) if valued else "")


def _final(refutation: Refuted, everything: Sequence[Refuted]) -> str:
    lost = {
        rival.claim.value: rival.value for rival in everything if rival.claim.attribute == refutation.claim.attribute
    }
    value, seen = refutation.value, {refutation.claim.value}
    while value in lost and lost[value] and value not in seen:
        seen.add(value)
        value = lost[value]
    return value


# -- what holds -------------------------------------------------------------------------------------------------------


def checked_lines(summary: str, verdicts: Sequence[PairVerdict], lost: Sequence[Refuted], lang: Lang) -> list[str]:
    """A line for each thing that holds by a verdict and that no sentence of the summary says any more."""
    ids: dict[str, list[PairVerdict]] = {}
    for verdict in verdicts:
        for point in _points(verdict):
            if (holds := _holding(verdict, point, lost, lang)) and not _stands(holds, verdict, point, summary):
                ids.setdefault(holds, []).append(verdict)
    return [
        checked_line(
            (verdict.conflict for verdict in by if verdict.conflict),
            holds,
            (source for verdict in by for source in verdict.sources),
            lang,
        )
        for holds, by in ids.items()
    ]


def _holding(verdict: PairVerdict, point: Contradiction, lost: Sequence[Refuted], lang: Lang) -> str:
    """The sentence that says what holds, word for word and free of what was refuted; else the value and whose it is.

    Nothing where the value lost elsewhere: the verdict that refuted it says what holds.
    """
    won = {"left": point.left, "right": point.right}.get(verdict.winner)
    value = won.value if won else verdict.value
    if any(refutation.claim.value == value and refutation.claim.attribute in _attributes(point) for refutation in lost):
        return ""
    for sentence in (won.text if won else "", verdict.quote):
        if sentence and not any(states(sentence, refutation.claim) for refutation in lost):
            return fold_space(sentence)
    return f"{point.left.subject}{'：' if lang == 'zh' else ': '}{value}" if point.left.subject else value


def _attributes(point: Contradiction) -> Iterable[str]:
    return point.left.attribute, point.right.attribute


def _stands(holds: str, verdict: PairVerdict, point: Contradiction, summary: str) -> bool:
    """Whether the summary says it: in the same words, or giving the value to one of the subjects."""
    if holds in fold_space(summary):
        return True
    won = {"left": point.left, "right": point.right}.get(verdict.winner)
    if won is not None and won.kind not in _VALUED:
        return False
    value = won.value if won else verdict.value
    subjects = [claim.subject.casefold() for claim in (point.left, point.right) if claim.subject]
    written = (summary[start:end] for start, end in sentences(summary))
    return any(
        names(sentence, value) and any(subject in sentence.casefold() for subject in subjects) for sentence in written
    )
