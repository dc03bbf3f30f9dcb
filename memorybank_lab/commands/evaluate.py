"""eval: how good the offline engine is on public data, beside controls and plain baselines."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from memorybank.commands.progress import say
from memorybank.embedding.models import resolve
from memorybank.errors import InputError
from memorybank.runs.files.plain import write_whole
from memorybank_lab.evaluation import registry
from memorybank_lab.evaluation.report import Report, as_markdown, as_table, outcome


def evaluate(arguments: argparse.Namespace) -> int:
    """Run the evaluations, print a table of each as it ends; with `--markdown FILE` keep the tables, too.

    Goals that are missed are told and are no error: the exit code says whether it could be measured.
    """
    if not arguments.data.is_dir():
        raise InputError("command.no_data_folder", name=arguments.data.name)
    target = arguments.markdown
    if target and not target.parent.is_dir():
        raise InputError("command.no_folder", folder=target.parent.name, name=target.name)
    names = list(registry.EVALUATIONS)
    began = time.perf_counter()
    reports: list[Report] = []
    for report in _measured(arguments):
        reports = sorted([*reports, report], key=lambda result: names.index(result.name))
        print(f"{as_table(report)}\n", flush=True)
        if target:  # kept as far as it is, should a later one fail
            write_whole(target, as_markdown(reports).encode(), follow=True)
    if not reports:
        raise InputError("command.no_set", name=arguments.data.name)
    print(f"{outcome(reports)}; {time.perf_counter() - began:.0f} s in all")
    return 0


def _measured(arguments: argparse.Namespace) -> Iterator[Report]:
    from memorybank.embedding.process import shared

    model = arguments.embedding_model or "auto"
    if arguments.name == "all":
        names = list(registry.EVALUATIONS)
        yield from registry.evaluate_together(names, arguments.data, model, full=arguments.full, progress=say)
    else:
        embedder = shared(resolve(model))
        yield registry.evaluate(arguments.name, arguments.data, embedder, full=arguments.full, progress=say)
