"""run, ingest, ask, resume, refile, mcp: the commands that move a session on."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from memorybank.commands.progress import SILENCE, Progress, on_interrupt, say
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.embedding.models import in_use
from memorybank.engines.offline import limits
from memorybank.errors import InputError, JournalError
from memorybank.integrations.bank_tools import BankTools
from memorybank.llm.hand.chat import awaited, hand_folder
from memorybank.memory.events import NodeCreated, SessionStarted
from memorybank.runs.journal import read_as_far
from memorybank.runs.run_folder import SESSION, RunFolder
from memorybank.runs.salvage import DamagedPart, put_aside
from memorybank.session.assembly import Parts, assemble, reassemble
from memorybank.session.intake import file_source, read_images, split_prompt, text_source
from memorybank.session.session import Session
from memorybank.session.stages.agent_failures import unfinished_reasons
from memorybank.session.stages.recording import Source
from memorybank.session.unread import not_read
from memorybank.session.usage import AgentUsage, by_agent
from memorybank.settings import env
from memorybank.settings.config import Settings


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return this machine's settings (settings/env.py), with what the command line says on top."""
    given = vars(arguments)
    settings = replace(env.load().settings, corpus=given.get("corpus"))
    if given.get("preset"):
        settings = settings.with_preset(arguments.preset)
    named = {name: given.get(name) for name in ("engine", "lang", "embedding_model")}
    if named["lang"] == "auto":
        named["lang"] = None
    return replace(settings, **{name: value for name, value in named.items() if value})


def parts_of(arguments: argparse.Namespace) -> Callable[[SessionStarted], Parts]:
    """Return a function that builds the parts of a run that exists."""
    local = settings_of(arguments)
    return lambda begun: reassemble(begun, local, local.corpus)


def run(arguments: argparse.Namespace) -> int:
    """Run a whole session: file the context, work on the task, answer."""
    prompt = split_prompt(arguments.task)
    if not prompt.question:
        raise InputError("command.task_empty")
    folder = vacant_folder(arguments.out)
    with folder.beginning():
        sources = [text_source(prompt.context, "context")] if prompt.context else []
        sources += [file_source(path, folder) for path in arguments.context]
        images = read_images(arguments.image)
        texts = [prompt.question, *(source.text for source in sources)]
        return _start(arguments, folder, prompt.question, sources, images, texts)


def ingest(arguments: argparse.Namespace) -> int:
    """Ingest context only: file documents, find conflicts, plan nothing."""
    folder = vacant_folder(arguments.out)
    with folder.beginning():
        sources = [file_source(path, folder, arguments.format) for path in arguments.files]
        return _start(arguments, folder, "", sources, [], [source.text for source in sources])


def _start(
    arguments: argparse.Namespace,
    folder: RunFolder,
    goal: str,
    sources: list[Source],
    images: list[tuple[str, bytes]],
    texts: list[str],
) -> int:
    settings = settings_of(arguments)
    with Progress() as progress:
        progress.say("loading the embedding model …")
        parts = assemble(settings, texts)
        _load(parts, progress)
        if parts.engine.name == "offline":
            progress.say(str(limits(parts.lang)))
        with Session.start(folder.path, parts, goal=goal, sources=sources, images=images) as session:
            return _work(session, progress, arguments)


@contextmanager
def _opened(arguments: argparse.Namespace) -> Iterator[tuple[Session, Progress]]:
    """Open the run again, with its models loaded, and show what becomes of it."""
    with Progress() as progress:
        progress.say("loading the embedding model …")
        with Session.open(arguments.run, parts_of(arguments)) as session:
            _load(session.parts, progress)
            yield session, progress


def ask(arguments: argparse.Namespace) -> int:
    """Work on another task on the same memory."""
    if not arguments.question.strip():
        raise InputError("command.question_empty")
    with _opened(arguments) as (session, progress):
        session.ask(arguments.question)
        return _work(session, progress, arguments)


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a run that was stopped or killed; with --to-last-good a damaged one, from where it is good."""
    if arguments.to_last_good:
        tell_left_out(put_aside(RunFolder(arguments.run)))
    with _opened(arguments) as (session, progress):
        return _work(session, progress, arguments)


def refile(arguments: argparse.Namespace) -> int:
    """File again what an agent's failure left out, or what is left of the entries that are named."""
    with _opened(arguments) as (session, progress):
        again = session.refile(*arguments.entries)
        queues = (("filed", again.entry_ids), ("compared", again.node_ids))
        lines = [f"to be {what} again: {', '.join(ids)}" for what, ids in queues if ids]
        progress.say("; ".join(lines) or "nothing is left to file again")
        code = _work(session, progress, arguments)
        return code or int(bool(unfinished_reasons(session.bank)))


def mcp(arguments: argparse.Namespace) -> int:
    """Serve the run in DIR, over stdio unless --http is given. An empty folder becomes a run with the first text."""
    from memorybank.integrations import mcp as serving

    settings = settings_of(arguments)
    with BankTools.at(
        arguments.run,
        task=arguments.task,
        settings=settings,
        parts_for=parts_of(arguments),
        by="MCP client",
        opened=lambda session: say(str(in_use(session.parts.embedder.name))),
    ) as bank:
        if arguments.http is None:
            serving.serve_stdio(bank)
        else:
            serving.serve_http(bank, arguments.http, settings.allowed_hosts)
    return 0


def tell_left_out(left_out: DamagedPart | None) -> None:
    """Tell on standard error what was left out, for standard output is the answer's."""
    print(f"memorybank: {left_out or 'nothing had to be left out'}", file=sys.stderr)


def _work(session: Session, progress: Progress, arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    session.on_activity = progress.activity
    try:
        with on_interrupt(session.pause), telling_what_waits(session, progress):
            for report in session.iterate():
                progress.report(report, session)
    finally:
        session.export()
    if session.paused:
        progress.say(f"stopped; go on with: memorybank resume {session.folder.path}")
        return 1
    for notice in not_read(session.bank, session.parts.engine.name):
        progress.say(str(notice))
    ended = session.result.result
    unanswered = bool(session.bank.doc.task_goal) and bool(ended) and not session.result.answer
    unfiled = session.result.result == "filed_with_failures"
    _print(_summary(session, time.perf_counter() - began), session, as_json=arguments.json)
    if unanswered:
        progress.say(f"memorybank: the session ended without an answer ({ended}): see the failed tasks")
    return 1 if unanswered or unfiled else 0


def _load(parts: Parts, progress: Progress) -> None:
    """Wait for the embedding model, and keep saying so. Raises ModelUnavailableError."""
    wait: Callable[[float], bool] | None = getattr(parts.embedder, "wait", None)
    began = time.monotonic()
    while wait is not None and not wait(SILENCE):
        progress.say(f"loading the embedding model … {time.monotonic() - began:.0f} s")
    progress.say(str(in_use(parts.embedder.name)))


def _summary(session: Session, seconds: float) -> dict[str, Any]:
    bank, result, used = session.bank, session.result, _usage(session)
    return {
        "result": result.result,
        "answer": result.answer,
        "notes": list(result.notes),
        "engine": result.engine,
        "embedding_model": session.parts.embedder.name,
        "lang": session.parts.lang,
        "out": str(session.folder.path),
        "rounds": bank.progress.round,
        "nodes": len(bank.graph.nodes),
        "edges": len(bank.graph.edges()),
        "merges": len(bank.tree.merge_events),
        "conflicts": [
            {
                "id": conflict.id,
                "status": conflict.status.value,
                "node_ids": list(conflict.node_ids),
                "description": conflict.description,
            }
            for conflict in bank.conflicts.all.values()
        ],
        "unfiled": list(bank.tree.unfiled(live=bank.graph.nodes)),
        "failed": unfinished_reasons(bank),
        "seconds": round(seconds, 2),
        "nodes_created": sum(isinstance(record.event, NodeCreated) for record in session.records),
        "agent_calls": used["all"].calls if used else 0,
        "usage": {role: asdict(usage) for role, usage in used.items()},
    }


def _usage(session: Session) -> dict[str, AgentUsage]:
    return by_agent((record.event for record in session.records), session.parts.settings.llm)


def _print(summary: dict[str, Any], session: Session, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
        return
    if session.result.text:
        print(session.result.text)
    conflicts = len(disputes_of(session.bank))
    ended = summary["result"] or "nothing to do"
    line = f"{ended}: {summary['nodes']} nodes, {conflicts} conflicts, {summary['merges']} merges"
    print(f"{line}; written to {session.folder.path}", file=sys.stderr)
    if session.parts.chats is not None:
        print(_table(_usage(session)), file=sys.stderr)


def _table(used: dict[str, AgentUsage]) -> str:
    """Return one line an agent; a column for money only where the user has set prices."""
    lines = ["agent           calls  failed  cached  tokens in  prefix cache  tokens out    seconds"]
    for role, use in used.items():
        counts = f"{use.calls:>5}  {use.failed:>6}  {use.cached:>6}"
        tokens = f"{use.input_tokens:>9,}  {use.cached_input_tokens:>12,}  {use.output_tokens:>10,}"
        money = "" if use.cost is None else f"  {use.cost:.4f}"
        lines.append(f"{role:<14}  {counts}  {tokens}  {use.ms / 1000:>9.1f}{money}")
    return "\n".join(lines)


def vacant_folder(path: Path, *, allowed: Container[str] = ()) -> RunFolder:
    """Return the folder of a run to begin: what a run would write to must not be there, but for what is `allowed`."""
    folder = RunFolder(path)
    if path.exists() and not path.is_dir():
        raise InputError("command.out_is_file", name=path.name)
    if folder.journal.exists():
        with suppress(JournalError):
            if not read_as_far(folder.journal, SESSION).records:
                raise InputError("run.never_began", name=path.name)
        raise InputError("command.out_taken", name=path.name)
    folder.check_vacant(given=allowed)
    return folder


LOOK = 1.0
"""The seconds between two looks at the folder."""


@contextmanager
def telling_what_waits(session: Session, progress: Progress) -> Iterator[None]:
    """Say where the requests lie and which of them wait, each time that changes; nothing where no person answers."""
    folder = hand_folder(session.parts.settings, session.folder.path)
    if folder is None:
        yield
        return
    ended = threading.Event()

    def look() -> None:
        before: list[str] = []
        while not ended.wait(LOOK):
            waiting = awaited(session.folder.path)
            if waiting and waiting != before:
                names = ", ".join(f"{name}.request.md" for name in waiting)
                answers = "an answer" if len(waiting) == 1 else f"{len(waiting)} answers"
                progress.say(f"waiting for {answers} in {folder.path}: {names}")
            before = waiting

    thread = threading.Thread(target=look, name="hand-waiting", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
