"""Functions that this room is handed from above (memorybank/__init__): the follower of running sessions, and what draws
a session in a notebook.

register(follower, display)  once a process
begin_following(session)     called when a session is begun or opened; whoever follows reads its records
session.show()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # every process of the product loads this module first, those too that know nothing of a memory
    from memorybank.memory.types import Lang

Follower = Callable[[Any], None]
"""Hears of a session. It neither waits nor raises."""
Display = Callable[[Any, "Lang | None"], Any]
"""Draws a session, in a language."""

_registered: list[tuple[Follower, Display]] = []


def register(follower: Follower, display: Display) -> None:
    """Let sessions be followed by `follower` and drawn by `display` from now on."""
    _registered[:] = [(follower, display)]


def begin_following(session: object) -> None:
    for follower, _ in _registered:
        follower(session)


def shown(session: object, lang: Lang | None) -> Any:
    """Return a notebook's drawing of a session."""
    return _registered[0][1](session, lang)
