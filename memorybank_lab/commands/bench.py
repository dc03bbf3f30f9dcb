"""bench: how fast and how large, on this machine."""

from __future__ import annotations

import argparse
from importlib import import_module

from memorybank.commands.progress import say
from memorybank.commands.running import settings_of


def bench(arguments: argparse.Namespace) -> int:
    """Measure, and print a table. Only the benchmark that runs is loaded, for memory is measured, too."""
    from memorybank_lab.bench import table

    module = import_module(f"memorybank_lab.bench.{arguments.what}")
    rows = module.run(say, settings_of(arguments), **(module.QUICK if arguments.quick else {}))
    print(table.as_table(rows))
    return 0
