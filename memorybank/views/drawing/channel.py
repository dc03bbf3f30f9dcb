"""The browser's side of a log that a server keeps in a tab (ui/components/channel.py)."""

from __future__ import annotations

from memorybank.views.drawing.beside import text_beside


def channel_script() -> str:
    """The code, to stand in front of a component's own."""
    return text_beside(__package__, "channel.js")
