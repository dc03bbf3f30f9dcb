"""mcp: the memory of a run as an MCP server."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memorybank.commands.progress import say
from memorybank.commands.running import parts_of, settings_of
from memorybank.embedding.models import in_use
from memorybank.errors import InputError
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.turns import Handover
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts, assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source

CLIENT = "MCP client"


def mcp(arguments: argparse.Namespace) -> int:
    """Serve the run in DIR, over stdio unless --http is given. An empty folder becomes a run with the first text."""
    from memorybank.integrations import mcp as serving

    bank = _open(arguments)
    try:
        if arguments.http is None:
            serving.serve_stdio(bank)
        else:
            serving.serve_http(bank, arguments.http, settings_of(arguments).allowed_hosts)
    finally:
        bank.close()
    return 0


def _open(arguments: argparse.Namespace) -> BankTools:
    folder: Path = arguments.run
    if folder.exists() and not folder.is_dir():
        raise InputError("command.folder_is_file", name=folder.name)

    def begin(sources: Sequence[Source]) -> Session:
        goal: str = arguments.task.strip()
        parts = assemble(settings_of(arguments), [goal, *(source.text for source in sources)])
        session = Session.start(folder, _handed_over(parts), goal=goal, sources=sources)
        say(str(in_use(parts.embedder.name)))
        return session

    if RunFolder(folder).journal.exists():
        if arguments.task.strip():
            raise InputError("command.task_needs_empty", name=folder.name)
        parts_for = parts_of(arguments)
        session = Session.open(folder, lambda begun: _handed_over(parts_for(begun)))
        say(str(in_use(session.parts.embedder.name)))
        return BankTools(session, by=CLIENT)
    if arguments.task.strip():
        return BankTools(begin([]), by=CLIENT)
    return BankTools(None, begin=begin, by=CLIENT)


def _handed_over(parts: Parts) -> Parts:
    """Make the client the agent: the session itself executes nothing."""
    return replace(parts, executor=Handover(CLIENT))
