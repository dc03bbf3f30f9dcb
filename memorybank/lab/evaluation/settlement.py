"""Settling a conflict: sources that disagree are given to a session, which finds, checks and merges by itself.

The questions of RGB (Chen et al. 2024) come with true snippets and with the same snippets forged. Each question is one
session through the public path: every source is ingested, conflicts are raised, planned, cross-validated by the offline
researcher over all the sources, closed and merged. No snippet stands beside its own forgery, and of snippets that are
copies of each other one is taken: a source repeated is not another source. In a `majority` case more sources tell the
truth than not; in a `tie` as many do as do not. A case is settled when one of its conflicts is closed as resolved; the
merged node holds the truth when it writes the true value and not the forged one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from memorybank.contradiction.independence import near_identical
from memorybank.embedding.base import Embedder
from memorybank.engines.offline import OfflineEngine
from memorybank.lab.evaluation import pairs
from memorybank.lab.evaluation.contradiction import switched_off
from memorybank.lab.evaluation.data import sampled
from memorybank.lab.evaluation.pairs import RgbQuestion
from memorybank.lab.evaluation.report import Report, Score, mean_score
from memorybank.lab.evaluation.sessions import held_session
from memorybank.language.text import fold_space
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import ConflictStatus, Lang, Reader
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings

SESSIONS = 30
"""Cases of a language and kind that are run unless everything is asked for: each is a whole session."""
ROUNDS = 12
MOST_SOURCES = 7
EXAMPLES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementCase:
    question: RgbQuestion
    kind: Literal["majority", "tie"]
    true: tuple[str, ...]
    forged: tuple[str, ...]

    def ordered(self) -> list[str]:
        """The snippets in an order drawn once for the question, so that neither kind is always the newest."""
        texts = [*self.true, *self.forged]
        random.Random(f"{self.question.query} {self.kind}").shuffle(texts)  # noqa: S311 - an order, not a secret
        return texts

    def sources(self) -> list[Source]:
        return [
            Source(name=f"source {number}", text=text, kind="document")
            for number, text in enumerate(self.ordered(), start=1)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementOutcome:
    case: SettlementCase
    statuses: tuple[ConflictStatus, ...]
    """How the conflicts of the case ended."""
    merged: tuple[str, ...]
    """The summaries of the nodes that came of resolved conflicts."""

    @property
    def settled(self) -> bool:
        return ConflictStatus.RESOLVED in self.statuses

    @property
    def true(self) -> bool:
        """Whether all that was merged tells the truth."""
        return bool(self.merged) and all(holds_truth(text, self.case.question) for text in self.merged)


def run(
    data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None], without: Collection[Reader] = ()
) -> Report:
    scores: list[Score] = []
    examples: list[Mapping[str, str]] = []
    notes: list[str] = []
    languages: tuple[Lang, ...] = ("en", "zh")
    for lang in languages:
        questions = list(pairs.rgb(data, lang))
        outcomes: dict[str, list[SettlementOutcome]] = {}
        for kind, made in (("majority", majorities(questions)), ("tie", ties(questions))):
            cases = sampled(list(made), full, SESSIONS)
            progress(f"settlement: RGB {lang}, {kind}, {len(cases)} sessions")
            outcomes[kind] = [settle(case, embedder, without) for case in cases]
        scores += scored(f"RGB {lang}", outcomes["majority"], outcomes["tie"])
        notes.append(_summary(lang, outcomes))
        examples += _examples(lang, (*outcomes["majority"], *outcomes["tie"]))
    return Report(
        name="settlement",
        scores=tuple(scores),
        notes=(*notes, *switched_off(without)),
        examples=tuple(examples),
        settings={"embedding": embedder.name},
    )


# -- cases ------------------------------------------------------------------------------------------------------------


def majorities(questions: Sequence[RgbQuestion]) -> Iterator[SettlementCase]:
    """Of n snippets the fewer half forged, at least one; questions with three snippets or more."""
    for question in map(without_copies, questions):
        count = min(len(question.true), MOST_SOURCES)
        if count >= 3:
            forged = (count - 1) // 2
            yield SettlementCase(
                question=question, kind="majority", true=question.true[forged:count], forged=question.forged[:forged]
            )


def ties(questions: Sequence[RgbQuestion]) -> Iterator[SettlementCase]:
    """As many forged as true; an odd last snippet is left out."""
    for question in map(without_copies, questions):
        half = min(len(question.true), MOST_SOURCES) // 2
        if half:
            yield SettlementCase(
                question=question, kind="tie", true=question.true[half : 2 * half], forged=question.forged[:half]
            )


def without_copies(question: RgbQuestion) -> RgbQuestion:
    """The question with the first of each group of snippets that are copies by their shingles (Broder 1997)."""
    kept: list[int] = []
    for place, text in enumerate(question.true):
        if not any(near_identical(text, question.true[other]) for other in kept):
            kept.append(place)
    return replace(
        question,
        true=tuple(question.true[place] for place in kept),
        forged=tuple(question.forged[place] for place in kept),
    )


def settle(case: SettlementCase, embedder: Embedder, without: Collection[Reader] = ()) -> SettlementOutcome:
    """A session on the case's sources, run to its end."""
    parts = offline_parts(Settings(max_rounds=ROUNDS), case.question.lang, embedder)
    parts = replace(parts, engine=OfflineEngine(embedder, without=without))
    with held_session(parts, goal=case.question.query, sources=case.sources()) as session:
        session.run()
        return outcome(case, session.bank)


def outcome(case: SettlementCase, bank: MemoryBank) -> SettlementOutcome:
    conflicts = bank.conflicts.all.values()
    resolved = [one for one in conflicts if one.status is ConflictStatus.RESOLVED]
    nodes = dict.fromkeys(bank.graph.successor(node_id) for one in resolved for node_id in one.node_ids)
    return SettlementOutcome(
        case=case,
        statuses=tuple(one.status for one in conflicts),
        merged=tuple(bank.graph.nodes[node_id].summary for node_id in nodes if node_id in bank.graph.nodes),
    )


# -- scores -----------------------------------------------------------------------------------------------------------


def scored(data: str, majority: Sequence[SettlementOutcome], tied: Sequence[SettlementOutcome]) -> list[Score]:
    every = [*majority, *tied]
    raised = [one for one in majority if one.statuses]
    return [
        mean_score(data, "merged node is true, of settled", "engine", [one.true for one in every if one.settled],
                   goal=0.9),
        mean_score(data, "settled, of majority cases", "engine", [one.settled for one in majority], goal=0.5),
        mean_score(data, "settled, of majority cases with a conflict raised", "engine",
                   [one.settled for one in raised]),
        mean_score(data, "conflict raised, of majority cases", "engine", [bool(one.statuses) for one in majority]),
        mean_score(data, "not guessed, of ties with a conflict raised", "engine",
                   [not one.settled for one in tied if one.statuses], goal=0.9),
        mean_score(data, "merged node is true, of settled", "newest source wins",
                   [one.case.ordered()[-1] in one.case.true for one in every if one.settled]),
    ]  # fmt: skip


def holds_truth(text: str, question: RgbQuestion) -> bool:
    """Whether a text writes the true value, the forged one nowhere; a value inside the other counts alone."""
    said, fake = _plain(text), _plain(question.fake)
    answers = sorted({_plain(answer) for answer in question.answer}, key=lambda answer: (-len(answer), answer))
    longer = [answer for answer in answers if fake in answer]
    without_longer = _without(said, longer)
    if fake in without_longer:
        return False
    return without_longer != said or any(answer in said for answer in answers)


def _without(text: str, values: Sequence[str]) -> str:
    for value in values:
        text = text.replace(value, " ")
    return text


def _plain(text: str) -> str:
    return fold_space(text).casefold().replace(",", "").replace(".", "")


def _summary(lang: Lang, outcomes: Mapping[str, Sequence[SettlementOutcome]]) -> str:
    parts = []
    for kind, found in outcomes.items():
        counts = {
            status.value: sum(status in one.statuses for one in found)
            for status in ConflictStatus
            if any(status in one.statuses for one in found)
        }
        listed = ", ".join(f"{name} {count}" for name, count in counts.items()) or "no conflict raised"
        parts.append(f"{len(found)} {kind} cases: {listed}")
    return f"RGB {lang}, cases by how their conflicts ended: " + "; ".join(parts)


def _examples(lang: Lang, found: Sequence[SettlementOutcome]) -> list[Mapping[str, str]]:
    wrong = [one for one in found if one.settled and not one.true][:EXAMPLES]
    return [
        {
            "data": f"RGB {lang}, {one.case.kind}",
            "asked": one.case.question.query,
            "expected": one.case.question.answer[0],
            "found": " / ".join(one.merged),
        }
        for one in wrong
    ]
