"""Contradiction between two texts, as the product decides it: node against node, through the offline engine's agents.

Each text is filed as a session files it (classification, structure), and the analysis agent judges the nodes of the one
against the nodes of the other. Precision: the share of raised conflicts that are contradictions; recall: the share of
contradictions that are raised; F1 their harmonic mean (van Rijsbergen 1979); false alarms: the share of the other pairs
that are raised. Controls: raise always, raise never, and a bag-of-words logistic regression on the second text alone,
which shows what the wording of a set gives away (Poliak et al. 2018, "Hypothesis Only Baselines").
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from memorybank.contradiction.compare import contradictions
from memorybank.contradiction.readers import READERS
from memorybank.embedding.base import Embedder
from memorybank.engines.offline import OfflineEngine
from memorybank.engines.offline.analysis import contradictions_between
from memorybank.lab.evaluation import pairs, wikipedia
from memorybank.lab.evaluation.data import SAMPLE, sampled
from memorybank.lab.evaluation.pairs import Pair
from memorybank.lab.evaluation.report import RESAMPLES, Report, Score, mean_score
from memorybank.lab.evaluation.wording import predictions
from memorybank.memory.contracts import AnalysisInput, ClassificationInput, NodeInfo, Relationship, StructureInput
from memorybank.memory.types import Lang, Reader, Relation

RELATED = 4_000
"""Pairs of sentences of Wikipedia."""
EXAMPLES = 3
"""Missed and false conflicts shown of each set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A public set, with what the engine has to reach on it by measure."""

    name: str
    read: Callable[[Path], Iterable[Pair]]
    goals: Mapping[str, float]
    """Empty where no rule was made for the set: it is reported."""


SETS = (
    Set(name="SICK", read=pairs.sick, goals={"F1": 0.83, "precision": 0.85}),
    Set(name="FEVER-Symmetric", read=pairs.fever_symmetric, goals={}),
    Set(name="SNLI negated", read=pairs.negated_snli, goals={}),
    Set(name="RTE negated", read=pairs.negated_rte, goals={}),
    Set(name="OCNLI", read=pairs.ocnli, goals={}),
    Set(name="CDConv", read=pairs.cdconv, goals={}),
    Set(
        name="RGB en", read=lambda data: pairs.crossed(list(pairs.rgb(data, "en"))),
        goals={"precision": 0.85, "false alarms": 0.05},
    ),
    Set(
        name="RGB zh", read=lambda data: pairs.crossed(list(pairs.rgb(data, "zh"))),
        goals={"precision": 0.85, "false alarms": 0.05},
    ),
)  # fmt: skip


def run(
    data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None], without: Collection[Reader] = ()
) -> Report:
    judge = Judge(embedder, without=without)
    table: list[Mapping[str, str]] = []
    scores: list[Score] = []
    notes: list[str] = []
    examples: list[Mapping[str, str]] = []
    for each in SETS:
        every = list(each.read(data))
        taken = sampled(every, full, SAMPLE)
        progress(f"contradiction: {each.name}, {len(taken)} pairs")
        start = perf_counter()
        found = [judge(pair) for pair in taken]
        seconds = perf_counter() - start
        scores += _scored(each, every, taken, [one is not None for one in found])
        table.append({"data": each.name, **_by_reader(judge, taken, without)})
        notes.append(f"{each.name}: {1_000 * seconds / max(1, len(taken)):.1f} s per 1,000 pairs, filing included")
        examples += _examples(each.name, taken, found)
    scores += [_on_wikipedia(data, lang, progress, without) for lang in wikipedia.READ]
    return Report(
        name="contradiction",
        scores=tuple(scores),
        table=tuple(table),
        notes=(*notes, "a reader's column: true/false conflicts that it raises alone", *switched_off(without)),
        examples=tuple(examples),
        settings={"embedding": embedder.name},
    )


def _on_wikipedia(data: Path, lang: Lang, progress: Callable[[str], None], without: Collection[Reader]) -> Score:
    """The share raised of pairs of sentences that share rare words, of which next to none contradict each other."""
    progress(f"contradiction: Wikipedia {lang}, at most {RELATED:,} pairs")
    raised = [
        bool(contradictions(*pair, without=without))
        for pair in wikipedia.related(list(wikipedia.READ[lang](data)), RELATED)
    ]
    return mean_score(f"Wikipedia {lang}", "raised, of sentences that share words", "engine", raised)


class Judge:
    """The product's decision on a pair of texts. A text is filed once, however many pairs it stands in."""

    def __init__(self, embedder: Embedder, *, without: Collection[Reader] = ()) -> None:
        self._engine = OfflineEngine(embedder, without=without)
        self._filed: dict[tuple[str, str], tuple[NodeInfo, ...]] = {}

    def __call__(self, pair: Pair) -> Relationship | None:
        """The first conflict between a node of the left text and one of the right; None if they can both hold."""
        known = self._nodes(pair.left, pair)
        for new in self._nodes(pair.right, pair):
            answer = self._engine.analysis.run(
                AnalysisInput(new=new, candidates=known, task_goal=pair.question, lang=pair.lang)
            )
            for relationship in answer.relationships:
                if relationship.relationship is Relation.CONFLICT:
                    return relationship
        return None

    def raises(self, pair: Pair, reader: Reader) -> bool:
        """Whether a reader alone finds a contradiction."""
        others = [one for one in READERS if one != reader]
        return any(
            contradictions_between(old, new, without=others)
            for new in self._nodes(pair.right, pair)
            for old in self._nodes(pair.left, pair)
        )

    def _nodes(self, text: str, pair: Pair) -> tuple[NodeInfo, ...]:
        key = text, pair.lang
        if key not in self._filed:
            clusters = self._engine.classification.run(ClassificationInput(text=text, lang=pair.lang)).clusters
            self._filed[key] = tuple(
                NodeInfo(
                    summary=cluster.summary
                    or self._engine.structure.run(
                        StructureInput(content="".join(text[start:end] for start, end in cluster.spans), lang=pair.lang)
                    ).summary,
                    context=cluster.context,
                    keywords=cluster.keywords,
                )
                for cluster in clusters
            )
        return self._filed[key]


# -- readers ----------------------------------------------------------------------------------------------------------


def _by_reader(judge: Judge, taken: Sequence[Pair], without: Collection[Reader]) -> dict[str, str]:
    """Of each reader "true/false": conflicts that it raises alone where there is one, and where there is none."""
    counts: dict[str, str] = {}
    for reader in READERS:
        if reader not in without:
            raised = [pair.contradicts for pair in taken if judge.raises(pair, reader)]
            counts[reader] = f"{sum(raised)}/{len(raised) - sum(raised)}"
    return counts


def switched_off(without: Collection[Reader]) -> tuple[str, ...]:
    return (f"without {', '.join(without)}",) if without else ()


# -- scores -----------------------------------------------------------------------------------------------------------


def _scored(each: Set, every: Sequence[Pair], taken: Sequence[Pair], raised: Sequence[bool]) -> list[Score]:
    truth = [pair.contradicts for pair in taken]
    by_wording = _second_text_only(every, taken)
    return [
        *measures(each.name, "engine", truth, raised, each.goals),
        *measures(each.name, "second text only", truth, by_wording),
        *measures(each.name, "raise always", truth, [True] * len(truth)),
        *measures(each.name, "raise never", truth, [False] * len(truth)),
    ]


def measures(
    data: str, system: str, truth: Sequence[bool], raised: Sequence[bool], goals: Mapping[str, float] | None = None
) -> list[Score]:
    """Precision over what was raised, recall, F1, accuracy, and false alarms over the pairs that do not contradict."""
    goals = goals or {}
    both = list(zip(truth, raised, strict=True))
    return [
        mean_score(data, "precision", system, [told for told, up in both if up], goal=goals.get("precision")),
        mean_score(data, "recall", system, [up for told, up in both if told], goal=goals.get("recall")),
        f1_score(data, system, truth, raised, goal=goals.get("F1")),
        mean_score(data, "accuracy", system, [told == up for told, up in both], goal=goals.get("accuracy")),
        mean_score(
            data, "false alarms", system, [up for told, up in both if not told],
            goal=goals.get("false alarms"), at_most=True,
        ),
    ]  # fmt: skip


def f1_score(
    data: str, system: str, truth: Sequence[bool], raised: Sequence[bool], *, goal: float | None = None
) -> Score:
    """2 · hits / (raised + contradictions), with the interval of resampled pairs; 0 when nothing is hit."""
    counts = np.array([[told and up, told + up] for told, up in zip(truth, raised, strict=True)], dtype=np.float64)
    if not len(counts):
        return Score(data=data, measure="F1", system=system, value=0.0, low=0.0, high=0.0, n=0, goal=goal)
    draws = np.random.default_rng(0).integers(0, len(counts), (RESAMPLES, len(counts)))
    low, high = np.percentile(_f1(counts[draws].sum(axis=1)), [2.5, 97.5])
    value = float(_f1(counts.sum(axis=0, keepdims=True))[0])
    return Score(
        data=data, measure="F1", system=system, value=value, low=float(low), high=float(high), n=len(counts), goal=goal
    )


def _f1(sums: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Of rows (hits, raised + contradictions)."""
    return 2 * sums[:, 0] / np.maximum(sums[:, 1], 1)


def _second_text_only(every: Sequence[Pair], taken: Sequence[Pair]) -> list[bool]:
    """The control's answers on `taken`: it is trained on the other folds of the whole set."""
    answers = predictions(
        [pair.right for pair in every], [pair.contradicts for pair in every], [pair.group for pair in every]
    )
    by_pair = {id(pair): answer for pair, answer in zip(every, answers, strict=True)}
    return [by_pair[id(pair)] for pair in taken]


def _examples(name: str, taken: Sequence[Pair], found: Sequence[Relationship | None]) -> list[Mapping[str, str]]:
    wrong = [(pair, one) for pair, one in zip(taken, found, strict=True) if pair.contradicts != (one is not None)]
    missed = [each for each in wrong if each[1] is None][:EXAMPLES]
    false = [each for each in wrong if each[1] is not None][:EXAMPLES]
    return [
        {
            "data": name,
            "asked": f"{pair.left} | {pair.right}",
            "expected": "contradiction" if pair.contradicts else "none",
            "found": one.conflict_description if one else "none",
        }
        for pair, one in (*missed, *false)
    ]
