"""Agentic Memory Bank: a memory for one long task of an AI agent. Small, true, and able to show why.

    with Session.start(folder, assemble(settings, [goal]), goal=goal) as session:
        result = session.run()

Importing the package does nothing else: no model, no folder, no environment. Names are loaded when they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memorybank.session import following
from memorybank.settings.version import __version__

if TYPE_CHECKING:
    from memorybank.errors import MemoryBankError
    from memorybank.runs.export import to_json
    from memorybank.runs.run_folder import load, state_at
    from memorybank.session.assembly import Parts, assemble, offline_parts
    from memorybank.session.executors.base import Executor
    from memorybank.session.intake import file_source, split_prompt, text_source
    from memorybank.session.memory_bank import MemoryBank
    from memorybank.session.session import Session, SessionResult, StageReport
    from memorybank.session.stages.recording import Source
    from memorybank.settings.config import Settings
    from memorybank.views.watch import show, watch

_HOME = {
    name: home
    for home, names in (
        ("errors", "MemoryBankError"),
        ("runs.export", "to_json"),
        ("runs.run_folder", "load state_at"),
        ("session.assembly", "Parts assemble offline_parts"),
        ("session.executors.base", "Executor"),
        ("session.intake", "file_source split_prompt text_source"),
        ("session.memory_bank", "MemoryBank"),
        ("session.session", "Session SessionResult StageReport"),
        ("session.stages.recording", "Source"),
        ("settings.config", "Settings"),
        ("views.watch", "show watch"),
    )
    for name in names.split()
}

__all__ = [
    "Executor",
    "MemoryBank",
    "MemoryBankError",
    "Parts",
    "Session",
    "SessionResult",
    "Settings",
    "Source",
    "StageReport",
    "__version__",
    "assemble",
    "file_source",
    "load",
    "offline_parts",
    "show",
    "split_prompt",
    "state_at",
    "text_source",
    "to_json",
    "watch",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"memorybank.{_HOME[name]}"), name)
    raise AttributeError(f"module 'memorybank' has no attribute {name!r}")


# A session stands below what draws it and what follows it: both are handed down, and loaded when they are first needed.
following.register(
    lambda session: import_module("memorybank.integrations.tracing.live").follow(session),
    lambda session, lang: __getattr__("show")(session, lang=lang),
)
