"""mcp: the memory of a run as an MCP server."""

from __future__ import annotations

import argparse

from memorybank.commands.progress import say
from memorybank.commands.running import parts_of, settings_of
from memorybank.embedding.models import in_use
from memorybank.integrations.bank_tools import BankTools

CLIENT = "MCP client"


def mcp(arguments: argparse.Namespace) -> int:
    """Serve the run in DIR, over stdio unless --http is given. An empty folder becomes a run with the first text."""
    from memorybank.integrations import mcp as serving

    settings = settings_of(arguments)
    with BankTools.at(
        arguments.run,
        task=arguments.task,
        settings=settings,
        parts_for=parts_of(arguments),
        by=CLIENT,
        opened=lambda session: say(str(in_use(session.parts.embedder.name))),
    ) as bank:
        if arguments.http is None:
            serving.serve_stdio(bank)
        else:
            serving.serve_http(bank, arguments.http, settings.allowed_hosts)
    return 0
