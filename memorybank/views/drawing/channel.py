"""The browser's side of a log that a server keeps in a tab (ui/components/channel.py)."""

from __future__ import annotations

from memorybank.views.drawing.beside import text_beside


def channel_script() -> str:
    """The code, to stand in front of a component's own."""
    return is_drawing_script() + text_beside(__package__, "channel.js")


def is_drawing_script() -> str:
    """Whether a part of a page has reason to wait: `isDrawing()`."""
    return text_beside(__package__, "is_drawing.js")
