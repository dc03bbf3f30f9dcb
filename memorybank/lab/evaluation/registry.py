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
from memorybank.lab.evaluation.report import Report
from memorybank.lab.evaluation.sessions import verbatim_scores

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
    "models": "which embedding model and α, by language and kind of data (LoCoMo, HotpotQA, CMRC2018)",
    "contradiction": "nodes that contradict each other (SICK, FEVER-Symmetric, OCNLI, CDConv, RGB)",
    "settlement": "conflicts settled by independent sources (RGB)",
    "collections": "documents that partly disagree, in fresh prose: found, settled right, near misses let pass",
    "segmentation": "topic borders (Choi, DialSeg711, TIAGE)",
    "summaries": "facts and meaning kept by summaries",
    "duplicates": "planted duplicates found, near misses kept apart",
    "answers": "answers whose quotes hold the gold answer (MuSiQue, HotpotQA, CMRC2018)",
    "pages": "main text of web pages, text in pictures",
    "speed": "time of the whole engine, beside embedding alone",
    "sweep": "ordinary questions over corpora whose contradictions are known: nothing false raised, nothing made up",
    "robustness": "verdicts and text that must not change",
    "narration": "what a story tells as happened, intended, supposed or told (two novels)",
    "continuity": "planted contradictions of a draft found, near misses let pass",
    "limits": "kinds of contradictions and of harmless differences, shown on sentences of our own",
}
"""What each measures, in the order of `all`."""


def available(name: str) -> bool:
    return find_spec(_module(name)) is not None


ABLATED = ("contradiction", "settlement")
"""Evaluations that can be run without some of the readers that find contradictions."""


def evaluate(
    name: str,
    data: Path,
    embedder: Embedder,
    *,
    full: bool,
    progress: Say,
    sets: Sequence[str] | None = None,
    without: Sequence[str] = (),
) -> Report:
    """One evaluation, timed. `sets`: some of its sets, for those that can be shared out (`together.SHARED_OUT`).

    `without`: readers that are switched off, of those in `ABLATED`.

    Raises InputError for an unknown name, and as its `run` does.
    """
    if name not in EVALUATIONS:
        raise InputError(f"there is no evaluation {name!r}: choose {', '.join(EVALUATIONS)} or all")
    if not available(name):
        raise InputError(f"the evaluation {name} is not part of this build: choose another")
    run: Evaluation = import_module(_module(name)).run
    began = time.perf_counter()
    only = {} if sets is None else {"sets": sets}
    if without:
        only["without"] = _known_readers(name, without)
    report = run(data, embedder, full=full, progress=progress, **only)
    held = verbatim_scores("all sessions" if sets is None else f"sessions, {', '.join(sets)}")
    return replace(report, scores=(*report.scores, *held), seconds=round(time.perf_counter() - began, 3))


def _known_readers(name: str, without: Sequence[str]) -> Sequence[str]:
    from memorybank.contradiction.readers import READERS

    if name not in ABLATED:
        raise InputError(f"the evaluation {name} runs with all readers: use --without with {' or '.join(ABLATED)}")
    unknown = [reader for reader in without if reader not in READERS]
    if unknown:
        raise InputError(f"there is no reader {unknown[0]!r}: choose {', '.join(READERS)}")
    return without


def sets_of(name: str) -> tuple[str, ...]:
    """The sets of an evaluation that can be shared out."""
    sets: Iterable[str] = import_module(_module(name)).SETS
    return tuple(sets)


def _module(name: str) -> str:
    return f"memorybank.lab.evaluation.{name}"
