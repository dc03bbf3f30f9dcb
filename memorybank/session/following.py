"""Who looks on while sessions run: it stands above this room and is handed down (memorybank/__init__).

register(follower)        once a process
begin_following(session)  called when a session is begun or opened; whoever follows reads its records
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Follower = Callable[[Any], None]
"""Of a session. It neither waits nor raises."""

_registered: list[Follower] = []


def register(follower: Follower) -> None:
    """From now on sessions are followed by `follower`."""
    _registered[:] = [follower]


def begin_following(session: object) -> None:
    for follower in _registered:
        follower(session)
