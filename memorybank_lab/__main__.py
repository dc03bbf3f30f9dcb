"""The lab's command line: `python -m memorybank_lab` with bench, eval or labelled; exit codes as of `memorybank`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from memorybank.__main__ import EXIT_CODES, command_line, run

MEASURED = ("retrieval", "ingest", "context", "app")
"""The subjects of `bench`, each measured by a module of memorybank_lab/bench."""


def _parser() -> argparse.ArgumentParser:
    parser = command_line("memorybank_lab", "Measures the memory bank and the writing studio.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, where: str, does: str) -> argparse.ArgumentParser:
        form = argparse.RawDescriptionHelpFormatter
        added: argparse.ArgumentParser = commands.add_parser(
            name, help=does, description=does, epilog=EXIT_CODES, formatter_class=form
        )
        added.set_defaults(where=f"memorybank_lab.commands.{where}")
        return added

    bench = command("bench", "bench:bench", "measure on this machine and print a table")
    bench.add_argument("what", choices=MEASURED)
    bench.add_argument("--quick", action="store_true", help="a small one, to see that it runs: its numbers say little")
    does = "how good the offline engine is on public data, beside controls and baselines"
    evaluation = command("eval", "evaluate:evaluate", does)
    evaluation.add_argument("name", metavar="NAME", help="which one (an unknown name lists them), or all")
    evaluation.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder with the sets")
    evaluation.add_argument(
        "--markdown", type=Path, metavar="FILE", help="save the tables as Markdown, e.g. docs/quality.md"
    )
    evaluation.add_argument("--full", action="store_true", help="everything instead of samples")
    for measures in (bench, evaluation):
        measures.add_argument("--embedding-model", help="auto, or a model's name")
    does = "what a studio's author gave, what it was taken for and what the engine was told, a line of JSON a command"
    command("labelled", "labelled:show_labelled", does).add_argument(
        "folder", type=Path, metavar="STUDIO", help="the studio's folder"
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Serve what was typed; returns the exit code."""
    return run(_parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
