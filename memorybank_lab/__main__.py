"""The lab's command line: `python -m memorybank_lab` with bench, eval or labelled; exit codes as of `memorybank`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from memorybank.__main__ import EXIT_CODES, command_line, run

MEASURED = ("retrieval", "context", "app")
"""What `bench` measures, each by a module of memorybank_lab/bench."""


def _parser() -> argparse.ArgumentParser:
    parser = command_line("memorybank_lab", "Measures the memory bank and the writing studio.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_bench(commands)
    _add_evaluation(commands)
    does = "what a studio's author gave, what it was taken for and what the engine was told, a line of JSON a command"
    shown: argparse.ArgumentParser = commands.add_parser("labelled", help=does, description=does)
    shown.set_defaults(where="memorybank_lab.commands.labelled:show_labelled")
    shown.add_argument("folder", type=Path, metavar="STUDIO", help="the studio's folder")
    return parser


def _add_bench(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    does = "measure on this machine and print a table"
    bench: argparse.ArgumentParser = commands.add_parser(
        "bench", help=does, description=does, epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    bench.set_defaults(where="memorybank_lab.commands.bench:bench")
    bench.add_argument("what", choices=MEASURED)
    bench.add_argument("--quick", action="store_true", help="a small one, to see that it runs: its numbers say little")
    bench.add_argument("--embedding-model", help="auto, or a model's name")


def _add_evaluation(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    does = "how good the offline engine is on public data, beside controls and baselines"
    evaluation: argparse.ArgumentParser = commands.add_parser(
        "eval", help=does, description=does, epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    evaluation.set_defaults(where="memorybank_lab.commands.evaluate:evaluate")
    evaluation.add_argument("name", metavar="NAME", help="which one (an unknown name lists them), or all")
    evaluation.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder with the sets")
    evaluation.add_argument(
        "--markdown", type=Path, metavar="FILE", help="save the tables as Markdown, e.g. docs/quality.md"
    )
    evaluation.add_argument("--full", action="store_true", help="everything instead of samples")
    evaluation.add_argument("--embedding-model", help="auto, or a model's name")


def main(argv: Sequence[str] | None = None) -> int:
    """Serve what was typed; returns the exit code."""
    return run(_parser(), argv)


if __name__ == "__main__":
    sys.exit(main())
