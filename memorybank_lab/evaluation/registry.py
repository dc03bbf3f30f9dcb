"""The evaluations by name, and all of them side by side.

Each is a module of this package with `run(data, embedder, *, full, progress)`, which measures the engine and its
controls on the sets below `data`. `embedder` is the session's default for English; for Chinese sets see
`data.embedder_for`. `full`: everything instead of samples. Raises InputError when a set is missing or damaged.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from memorybank.embedding.base import Embedder
from memorybank.embedding.models import resolve
from memorybank.errors import InputError, MemoryBankError
from memorybank_lab.evaluation.report import Report
from memorybank_lab.evaluation.verbatim import verbatim_scores

Say = Callable[[str], None]


EVALUATIONS = {
    "dialogue_memory": "evidence of questions on long dialogues, found in memory (LoCoMo)",
    "documents": "passages that answer questions over many documents (MuSiQue, HotpotQA, CMRC2018)",
    "summaries": "facts and meaning kept by summaries",
    "sweep": "ordinary questions over corpora whose contradictions are known: nothing false raised, nothing made up",
    "pairs": "kinds of contradictions and of harmless differences, shown on sentences of our own",
    "robustness": "verdicts that must not change",
}
"""The evaluations, each with what it measures, in the order of `all`."""


def evaluate(name: str, data: Path, embedder: Embedder, *, full: bool, progress: Say) -> Report:
    """Run one evaluation and time it. Raises InputError for an unknown name, and as its `run` does."""
    if name not in EVALUATIONS:
        raise InputError(f"there is no evaluation {name!r}: choose {', '.join(EVALUATIONS)} or all")
    run: Callable[..., Report] = import_module(f"memorybank_lab.evaluation.{name}").run
    began = time.perf_counter()
    report = run(data, embedder, full=full, progress=progress)
    scores = (*report.scores, *verbatim_scores("all sessions"))
    return replace(report, scores=scores, seconds=round(time.perf_counter() - began, 3))


def evaluate_together(names: Sequence[str], data: Path, model: str, *, full: bool, progress: Say) -> Iterator[Report]:
    """Yield reports as they end, a process a core: a session and its embedding process only take turns.

    An evaluation that cannot be measured (its data or a model is missing) is told and left out.
    """
    # a fork would share this process's embedding process and its threads' locks
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(names)), spawn, _end_with_parent) as workers:
        for future in as_completed([workers.submit(_measured, name, data, model, full) for name in names]):
            report = future.result()
            if isinstance(report, Report):
                yield report
            else:
                progress(report)


def _end_with_parent() -> None:
    """Wait for the end of the parent in a thread, and end with it: killed, it can tell nobody."""
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_after, args=(parent.join,), daemon=True).start()


def _end_after(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)


def _measured(name: str, data: Path, model: str, full: bool) -> Report | str:
    """Return the report, or in a sentence why there is none."""
    from memorybank.embedding.process import shared

    try:
        return evaluate(name, data, shared(resolve(model)), full=full, progress=_say)
    except MemoryBankError as error:
        return f"{name}: left out: {error}"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - of a worker: it has nobody else to tell
