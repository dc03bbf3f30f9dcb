"""The browser's side of a log that a server keeps in a tab (ui/components/channel.py)."""

from __future__ import annotations

from importlib import resources


def channel_script() -> str:
    """The code, to stand in front of a component's own."""
    return resources.files(__package__).joinpath("channel.js").read_text(encoding="utf-8")
