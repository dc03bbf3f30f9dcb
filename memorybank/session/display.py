"""How a session shows itself in a notebook: what draws stands above this room and is handed down (memorybank/__init__).

register(show)          once a process
session.show()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memorybank.memory.types import Lang

Display = Callable[[Any, "Lang | None"], Any]
"""Of a session, in a language."""

_registered: list[Display] = []


def register(display: Display) -> None:
    """From now on sessions are drawn by `display`."""
    _registered[:] = [display]


def shown(session: object, lang: Lang | None) -> Any:
    """What a notebook draws of a session."""
    return _registered[0](session, lang)
