"""The bank inside other agent frameworks, one file a framework (design section 9).

Each framework is an optional extra and is imported by its own file only. There are two ways to meet:

* the session leads: a framework's agent is the session's executor (`foreign.ForeignExecutor`, and `langgraph`,
  `openai_agents`, `smolagents` on top of it). Its tools answer through `fx`, so a round that is begun again gets the
  same results;
* the framework leads: its own loop asks for the enhanced prompt before a turn and hands in what came of it
  (`turns.Turns`, `langgraph.bank_graph`), or it uses the bank as a set of tools (`bank_tools.BankTools`, `mcp`).

Nothing here sends anything anywhere by itself: the frameworks' own tracing is switched off, and `tracing` sends a run's
spans only where it is told an address.
"""

from __future__ import annotations

from memorybank.errors import InputError


def missing(extra: str, error: ModuleNotFoundError) -> InputError:
    """Return what to raise when a framework is not installed: the error that names the extra."""
    return InputError("integration.not_installed", name=error.name, extra=extra)
