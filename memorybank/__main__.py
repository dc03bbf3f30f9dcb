"""The command line: `memorybank …` and `python -m memorybank …`; its exit codes are in `EXIT_CODES`."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from memorybank.errors import (
    InputError,
    JournalBrokenError,
    JournalError,
    LockedError,
    MemoryBankError,
    MergeUndoError,
    name_of,
)
from memorybank.language.text import encodable
from memorybank.runs.files.names import shown
from memorybank.settings.version import __version__

EXIT_CODES = """exit codes:
  0  done
  2  bad arguments or input: one line names the input and the remedy; nothing was begun
  1  failed: a model, an endpoint or the disk did not serve, it was interrupted, or a session ended without an answer
"""
BAD_INPUT = (InputError, JournalError, LockedError, MergeUndoError)
BAD_PATH = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY, errno.EACCES, errno.EPERM, errno.EROFS}
    | {errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL, errno.ENXIO, errno.ENODEV, errno.ETXTBSY, errno.EBUSY}
)
"""What the system says of a path that cannot be used as it was meant; a full disk is none of them."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, as for any other bad input; argparse would print the usage, too."""
        print(f"memorybank: {shown(message)}; see: {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


def command_line(prog: str, description: str) -> argparse.ArgumentParser:
    """Return a command line without commands: its help ends with the exit codes, a mistake is one line."""
    parser = _Parser(
        prog=prog, description=description, epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def _parser() -> argparse.ArgumentParser:
    parser = command_line("memorybank", "A memory for one long task of an AI agent: small, true, and able to show why.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_running(commands)
    _add_reading(commands)
    _add_managing(commands)
    _add_serving(commands)
    return parser


def _command(
    commands: argparse._SubParsersAction,  # type: ignore[type-arg]
    name: str,
    where: str,
    help_: str,
    *,
    answers: bool = True,
) -> argparse.ArgumentParser:
    """A subcommand, served by `where` ("module:function" of memorybank.commands), which is imported only when it runs.
    `answers`: it has a result, which --json prints."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=help_, description=help_, epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.set_defaults(where=f"memorybank.commands.{where}")
    if answers:
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object on standard output, nothing else"
        )
    return parser


def _model_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=["en", "zh", "auto"], default="auto", help="the session's language")
    parser.add_argument(
        "--preset",
        choices=["final", "v3"],
        help="final: no direct merge; v3: merge, two analysis calls; both: every neighbour of a hit comes along",
    )
    parser.add_argument("--embedding-model", help="auto, or a model's name")
    parser.add_argument(
        "--engine", choices=["offline", "llm"], help="offline: no model; llm: as `memorybank config` says"
    )


def _add_running(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    run = _command(commands, "run", "running:run", "work on a task, with context and a corpus to search")
    run.add_argument("--task", required=True, help="the question, or one text with Context: … Question: …")
    run.add_argument("--context", type=Path, nargs="+", action="extend", default=[], metavar="FILE")
    run.add_argument("--corpus", type=Path, metavar="DIR", help="a folder of documents to search")
    run.add_argument("--image", type=Path, nargs="+", action="extend", default=[], metavar="FILE")
    run.add_argument("--out", type=Path, required=True, metavar="DIR", help="an empty folder for the run")
    _model_options(run)
    ingest = _command(commands, "ingest", "running:ingest", "file documents or a dialogue; no task")
    ingest.add_argument("files", type=Path, nargs="+", metavar="FILE")
    ingest.add_argument("--format", choices=["auto", "dialogue"], default="auto")
    ingest.add_argument("--out", type=Path, required=True, metavar="DIR")
    _model_options(ingest)
    ask = _command(commands, "ask", "running:ask", "another task on the same memory")
    ask.add_argument("run", type=Path, metavar="DIR")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--corpus", type=Path, metavar="DIR")
    resume = _command(commands, "resume", "running:resume", "go on with a run that was stopped or killed")
    resume.add_argument("run", type=Path, metavar="DIR")
    resume.add_argument("--corpus", type=Path, metavar="DIR")
    _add_to_last_good(resume)
    _add_batch(commands)
    refile = _command(commands, "refile", "running:refile", "file again what an agent's failure left out")
    refile.add_argument("run", type=Path, metavar="DIR")
    refile.add_argument("entries", nargs="*", metavar="ENTRY", help="these alone (e3 …), whatever left them unfiled")
    for opening in (ask, resume, refile):
        opening.add_argument("--embedding-model", help="allow the run's model when it is not one of the packaged ones")


def _add_batch(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    batch = _command(commands, "batch", "batching:batch", "many tasks, a run each, and one table; again: goes on")
    batch.add_argument("tasks", type=Path, metavar="TASKS.jsonl", help="a JSON object a line (docs/batch.md)")
    batch.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the batch")
    batch.add_argument(
        "--workers", type=int, metavar="N", help="sessions side by side; else the cores, with a language model 16"
    )
    batch.add_argument(
        "--on", choices=["local", "ray"], default="local", help="this machine, or a Ray cluster (extra ray)"
    )
    batch.add_argument("--address", metavar="HOST:PORT", help="of `--on ray`: a cluster's; else one is begun here")
    batch.add_argument(
        "--storage",
        metavar="PATH|s3://BUCKET/PREFIX",
        help="of `--on ray`: where all nodes have the runs (--out/shared)",
    )
    batch.add_argument("--engine", choices=["offline", "llm"], help="as of `memorybank run`")
    batch.add_argument("--preset", choices=["final", "v3"], help="as of `memorybank run`")
    batch.add_argument("--embedding-model", help="auto, or a model's name")
    batch.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of .env.example, no key; repeatable"
    )
    batch.add_argument(
        "--against", choices=["plain"], help="also the same agent and tools without the bank, task by task"
    )


def _add_to_last_good(parser: argparse.ArgumentParser) -> None:
    told = "a damaged run up to its last good stage; what is left out is told, and kept when the run is gone on with"
    parser.add_argument("--to-last-good", action="store_true", help=told)


def _add_reading(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    replay = _command(commands, "replay", "reading:replay", "the state after K events, in memory.json's form")
    replay.add_argument("run", type=Path, metavar="DIR|JOURNAL")
    replay.add_argument("--at", type=int, metavar="K")
    replay.add_argument("--embeddings", action="store_true", help="add each node's vector")
    retrieve = _command(commands, "retrieve", "reading:retrieve", "what the memory brings back for a query, and why")
    retrieve.add_argument("run", type=Path, metavar="DIR|JOURNAL")
    retrieve.add_argument("query", metavar="QUERY")
    retrieve.add_argument("-k", type=int)
    retrieve.add_argument("--alpha", type=float)
    retrieve.add_argument("--neighbor-share", type=float, help="0: every neighbour of every hit")
    retrieve.add_argument("--raw", type=int, default=0, metavar="N", help="also the N best passages of their raw text")
    retrieve.add_argument("--documents", type=int, default=0, metavar="N", help="also the N documents that fit best")
    retrieve.add_argument("--embedding-model", help="allow the run's model when it is not one of the packaged ones")
    export = _command(commands, "export", "reading:export", "a run as a file that opens without a network, or as spans")
    export.add_argument("run", type=Path, metavar="DIR|JOURNAL")
    form = export.add_mutually_exclusive_group(required=True)
    told = "the whole run: on a screen with a slider, printed as slides, one for each decisive moment"
    form.add_argument("--html", "--storyboard", type=Path, metavar="OUT.html", help=told)
    form.add_argument("--otlp", metavar="URL", help="its spans to an OpenTelemetry receiver, over HTTP (extra otel)")
    export.add_argument("--lang", choices=["en", "zh"], help="of the file; else the session's")
    for opening in (replay, export):
        _add_to_last_good(opening)
    deep = _command(commands, "deep", "reading:deep", "the raw text and attachments behind a node")
    deep.add_argument("run", type=Path, metavar="DIR|JOURNAL")
    deep.add_argument("node", metavar="NODE_ID")
    deep.add_argument("--attachment", metavar="ID")
    deep.add_argument(
        "--full", action="store_true", help="whole entries, rounds with their prompts; with --json attachments too"
    )


def _add_managing(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    undo = _command(commands, "undo-merge", "managing:undo_merge", "take a merge back")
    undo.add_argument("run", type=Path, metavar="DIR")
    undo.add_argument("event", metavar="MERGE_EVENT_ID")
    undo.add_argument(
        "--node", default="", metavar="NODE_ID", help="split only this node off; the others stay together"
    )
    undo.add_argument("--again", action="store_true", help="let a merge stand again that was taken back or split")
    undo.add_argument("--embedding-model", help="allow the run's model when it is not one of the packaged ones")
    clear = _command(commands, "clear", "managing:clear", "delete a run")
    clear.add_argument("run", type=Path, metavar="DIR")
    imported = _command(commands, "import", "managing:import_memory", "begin a run with an exported memory.json")
    imported.add_argument("file", type=Path, metavar="MEMORY_JSON")
    imported.add_argument("--out", type=Path, required=True, metavar="DIR")
    _model_options(imported)
    pack = _command(commands, "pack", "managing:pack", "save a run as one zip: journal, originals, prompts and answers")
    pack.add_argument("run", type=Path, metavar="DIR")
    pack.add_argument("out", type=Path, metavar="OUT.zip")
    unpack = _command(commands, "unpack", "managing:unpack", "make a run's folder of such a zip, or of a journal.jsonl")
    unpack.add_argument("file", type=Path, metavar="FILE.zip")
    unpack.add_argument("--out", type=Path, required=True, metavar="DIR", help="an empty folder for the run")
    config = _command(commands, "config", "configuration:config", "the settings in force, and where each came from")
    config.add_argument("--check", action="store_true", help="ask each language model what it can do")


def _add_serving(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    serves = "serve a run's memory to MCP clients, over stdio or HTTP on this machine"
    mcp = _command(commands, "mcp", "running:mcp", serves, answers=False)
    mcp.add_argument("run", type=Path, metavar="DIR", help="a run, or an empty folder that becomes one")
    mcp.add_argument("--task", default="", help="what the memory of a new run is for")
    mcp.add_argument("--http", type=int, metavar="PORT", help="streamable HTTP on 127.0.0.1; 0 takes a free port")
    mcp.add_argument("--corpus", type=Path, metavar="DIR", help="a folder of documents to search")
    _model_options(mcp)
    demo = _command(commands, "demo", "demo:demo", "the app in a browser: no key, no network", answers=False)
    demo.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="to serve at (this machine alone)")
    demo.add_argument("--port", type=int, default=8501)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve what was typed; returns the exit code."""
    return run(_parser(), argv)


def run(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> int:
    """Serve what was typed by the command that the parser finds in it; returns the exit code."""
    # Whatever a text holds and a terminal takes: what cannot be encoded is printed as its escape.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    typed = sys.argv[1:] if argv is None else list(argv)
    arguments = parser.parse_args(typed)
    module, _, name = arguments.where.partition(":")
    serve: Callable[[argparse.Namespace], int] = getattr(import_module(module), name)
    try:
        _check_readable(typed)
        code = serve(arguments)
        if not sys.stdout.closed:  # as a server over standard output leaves it
            sys.stdout.flush()
        return code
    except MemoryBankError as error:
        bad = isinstance(error, BAD_INPUT) and not isinstance(error, JournalBrokenError)
        return _failed(str(error), 2 if bad else 1)
    except KeyboardInterrupt:
        return 1
    except BrokenPipeError:  # whoever read what is printed has enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        name = shown(name_of(Path(os.fsdecode(error.filename or "")))) if not isinstance(error.filename, int) else ""
        bad = bool(name) and error.errno in BAD_PATH
        remedy = ": check the path, and who may use it" if bad else ""
        return _failed(f"{error.strerror or error} ({name or 'input/output'}){remedy}", 2 if bad else 1)


def _failed(why: str, code: int) -> int:
    print(f"memorybank: {why}", file=sys.stderr)
    return code


def _check_readable(typed: Sequence[str]) -> None:
    """Refuse an argument, a file's name too, whose bytes are no text: what it says would be lost on the way."""
    for place, argument in enumerate(typed):
        if encodable(argument) != argument:
            of = typed[place - 1] if place and typed[place - 1].startswith("-") else "argument"
            raise InputError("command.not_utf8", of=shown(of), argument=shown(argument)[:60])


if __name__ == "__main__":
    sys.exit(main())
