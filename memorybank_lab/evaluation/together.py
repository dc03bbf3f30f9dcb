"""All evaluations side by side, one process a core: two cores do in half the time what one would.

A session's own work alternates with embedding small batches; neither fills two cores. An evaluation over several large
sets (`SHARED_OUT`) is shared out set by set and put together again; those of one set follow each other in one process,
which has embedded its texts by then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Final

from memorybank.embedding.models import resolve
from memorybank.errors import MemoryBankError
from memorybank_lab.evaluation import registry
from memorybank_lab.evaluation.report import Report
from memorybank_lab.lifeline import SPAWN, spawned

SHARED_OUT: Final = ("documents", "summaries")
"""Taken set by set (`SETS` of their modules)."""
LONGEST: Final = ("CMRC2018", "MuSiQue", "sweep", "dialogue_memory", "HotpotQA", "robustness")
"""Sets and evaluations begun first, by their seconds, so that none runs alone at the end. The Chinese paragraphs take
about as long as the two English sets together: e5 takes the square of a text's length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationJob:
    name: str
    part: str = ""
    """One of the evaluation's sets; empty: all."""
    data: Path
    model: str
    full: bool


def evaluate_together(
    names: Sequence[str], data: Path, model: str, *, full: bool, progress: registry.Say
) -> Iterator[Report]:
    """Reports as they end. One that cannot be measured (its data or a model is missing) is told and left out."""
    jobs = [
        EvaluationJob(name=name, part=part, data=data, model=model, full=full)
        for name in names
        for part in (registry.sets_of(name) if name in SHARED_OUT else ("",))
    ]
    yield from _put_together(jobs, _side_by_side(_by_set(jobs), progress))


def measured(job: EvaluationJob) -> Report | str:
    """The report, or in a sentence why there is none."""
    from memorybank.embedding.process import shared

    sets = [job.part] if job.part else None
    try:
        embedder = shared(resolve(job.model))
        return registry.evaluate(job.name, job.data, embedder, full=job.full, progress=_say, sets=sets)
    except MemoryBankError as error:
        return f"{job.name}{f' ({job.part})' if job.part else ''}: left out: {error}"


def _by_set(jobs: Sequence[EvaluationJob]) -> list[tuple[EvaluationJob, ...]]:
    """What one process does in turn: the evaluations of one set together, any other alone. The longest first."""
    groups: dict[str, list[EvaluationJob]] = {}
    for job in jobs:
        groups.setdefault(job.part or job.name, []).append(job)
    ordered = sorted(groups, key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST))
    return [tuple(groups[name]) for name in ordered]


def measured_in_turn(jobs: Sequence[EvaluationJob]) -> list[Report | str]:
    return [measured(job) for job in jobs]


def _side_by_side(
    groups: Sequence[Sequence[EvaluationJob]], progress: registry.Say
) -> Iterator[tuple[EvaluationJob, Report | None]]:
    if not groups:
        return
    cores: SimpleQueue[int] = SPAWN.SimpleQueue()
    free = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    for core in free:
        cores.put(core)
    with spawned(min(len(free), len(groups)), _take_core, (cores,)) as workers:
        jobs_of = {workers.submit(measured_in_turn, jobs): jobs for jobs in groups}
        for future in as_completed(jobs_of):
            for job, found in zip(jobs_of[future], future.result(), strict=True):
                if isinstance(found, str):
                    progress(found)
                yield job, found if isinstance(found, Report) else None


def _take_core(cores: SimpleQueue[int]) -> None:
    """Each worker stays on a core of its own, and so does its embedding process, for they only take turns."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores.get()})


def _put_together(
    jobs: Sequence[EvaluationJob], found: Iterator[tuple[EvaluationJob, Report | None]]
) -> Iterator[Report]:
    """A report for each evaluation once all of its parts have ended, in the parts' order."""
    ended: dict[EvaluationJob, Report | None] = {}
    for job, report in found:
        ended[job] = report
        parts = [one for one in jobs if one.name == job.name]
        if all(one in ended for one in parts):
            reports = [kept for one in parts if (kept := ended[one]) is not None]
            if reports:
                yield joined(reports)


def joined(reports: Sequence[Report]) -> Report:
    """One report of several on the same evaluation. Their seconds are added, as if they had run in turn."""
    return replace(
        reports[0],
        scores=tuple(score for one in reports for score in one.scores),
        notes=tuple(note for one in reports for note in one.notes),
        examples=tuple(example for one in reports for example in one.examples),
        seconds=round(sum(one.seconds for one in reports), 3),
        settings={key: value for one in reports for key, value in one.settings.items()},
    )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - of a worker: it has nobody else to tell
