"""The evaluations by name. Each is a module of this package with `run`, imported only when it is run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from memorybank.embedding.base import Embedder
from memorybank.errors import InputError
from memorybank_lab.evaluation.report import Report
from memorybank_lab.evaluation.sessions import verbatim_scores

Say = Callable[[str], None]


class Evaluation(Protocol):
    """`run` of a module: measures the engine and its controls on the sets below `data`.

    `embedder` is the session's default for English; for Chinese sets see `data.embedder_for`. `full`: everything
    instead of samples. Raises InputError when a set is missing or damaged.
    """

    def __call__(
        self, data: Path, embedder: Embedder, *, full: bool, progress: Say, **sets: Sequence[str]
    ) -> Report: ...


EVALUATIONS = {
    "dialogue_memory": "evidence of questions on long dialogues, found in memory (LoCoMo)",
    "documents": "passages that answer questions over many documents (MuSiQue, HotpotQA, CMRC2018)",
    "summaries": "facts and meaning kept by summaries",
    "collections": "documents that partly disagree, in fresh prose: found, settled right, near misses let pass",
    "sweep": "ordinary questions over corpora whose contradictions are known: nothing false raised, nothing made up",
    "pairs": "kinds of contradictions and of harmless differences, shown on sentences of our own",
    "robustness": "verdicts and text that must not change",
}
"""What each measures, in the order of `all`."""


def available(name: str) -> bool:
    return find_spec(_module(name)) is not None


def evaluate(
    name: str,
    data: Path,
    embedder: Embedder,
    *,
    full: bool,
    progress: Say,
    sets: Sequence[str] | None = None,
) -> Report:
    """One evaluation, timed. `sets`: some of its sets, for those that can be shared out (`together.SHARED_OUT`).

    Raises InputError for an unknown name, and as its `run` does.
    """
    if name not in EVALUATIONS:
        raise InputError(f"there is no evaluation {name!r}: choose {', '.join(EVALUATIONS)} or all")
    if not available(name):
        raise InputError(f"the evaluation {name} is not part of this build: choose another")
    run: Evaluation = import_module(_module(name)).run
    began = time.perf_counter()
    only = {} if sets is None else {"sets": sets}
    report = run(data, embedder, full=full, progress=progress, **only)
    held = verbatim_scores("all sessions" if sets is None else f"sessions, {', '.join(sets)}")
    return replace(report, scores=(*report.scores, *held), seconds=round(time.perf_counter() - began, 3))


def sets_of(name: str) -> tuple[str, ...]:
    """The sets of an evaluation that can be shared out."""
    sets: Iterable[str] = import_module(_module(name)).SETS
    return tuple(sets)


def _module(name: str) -> str:
    return f"memorybank_lab.evaluation.{name}"
