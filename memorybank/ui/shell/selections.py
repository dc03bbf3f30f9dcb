"""Which node is selected in each graph of the tab."""

from __future__ import annotations

from memorybank.memory.types import NodeId
from memorybank.ui.shell.tab import this_tab


def selection(key: str) -> NodeId | None:
    """The node in the graph drawn under `key`. Its id comes from the browser: look it up, do not trust it."""
    return this_tab().selections.get(key)


def select(key: str, node: NodeId | None = None) -> None:
    """Select from Python, e.g. from a list beside the canvas. Shown from the next drawing on."""
    # Not in the component's own state: the browser keeps a copy of that and would send the old value back.
    this_tab().selections[key] = node
