"""eval: how good the offline engine is on public data, beside controls and plain baselines."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from memorybank.commands.progress import say
from memorybank.commands.running import settings_of
from memorybank.embedding.models import resolve
from memorybank.errors import InputError
from memorybank.runs.files.plain import write_whole

STANDARD_OUTPUT = "-"


def evaluate(arguments: argparse.Namespace) -> int:
    """Run the evaluations, print a table of each as it ends; with `--json FILE` keep the numbers, too.

    Goals that are missed are told and are no error: the exit code says whether it could be measured.
    """
    from memorybank.embedding.process import shared
    from memorybank_lab.evaluation import registry
    from memorybank_lab.evaluation.report import Report, as_json, as_markdown, as_table, outcome

    if not arguments.data.is_dir():
        raise InputError("command.no_data_folder", name=arguments.data.name)
    bare = arguments.json == STANDARD_OUTPUT
    for target in (None if bare else arguments.json, arguments.markdown):
        if target and not Path(target).parent.is_dir():
            raise InputError("command.no_folder", folder=Path(target).parent.name, name=Path(target).name)
    model, names = arguments.embedding_model or "auto", list(registry.EVALUATIONS)
    began = time.perf_counter()
    by_model = settings_of(arguments) if arguments.engine == "llm" else None
    if by_model and arguments.name != "collections":
        raise InputError("command.no_model_there", name=arguments.name)
    if arguments.name == "all":
        results = registry.evaluate_together(names, arguments.data, model, full=arguments.full, progress=say)
    else:
        embedder = shared(resolve(model))
        report = registry.evaluate(
            arguments.name, arguments.data, embedder, full=arguments.full, progress=say, settings=by_model
        )
        results = iter([report])
    reports: list[Report] = []
    for report in results:
        reports = sorted([*reports, report], key=lambda result: names.index(result.name))
        if not bare:
            print(f"{as_table(report)}\n", flush=True)
        if arguments.json and not bare:  # kept as far as it is, should a later one fail
            write_whole(Path(arguments.json), f"{as_json(reports)}\n".encode(), follow=True)
        if arguments.markdown:
            write_whole(arguments.markdown, as_markdown(reports).encode(), follow=True)
    if not reports:
        raise InputError("command.no_set", name=arguments.data.name)
    print(as_json(reports) if bare else f"{outcome(reports)}; {time.perf_counter() - began:.0f} s in all")
    return 0
