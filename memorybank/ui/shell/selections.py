"""What is selected in the graphs of the tab."""

from __future__ import annotations

from memorybank.memory.types import NodeId
from memorybank.ui.shell.tab import Selection, this_tab

_NOTHING = Selection(None, None)


def selection(key: str) -> Selection:
    """What is selected in the graph drawn under `key`. Ids come from the browser: look them up, do not trust them."""
    return this_tab().selections.get(key, _NOTHING)


def select(key: str, node: NodeId | None = None, edge: str | None = None) -> None:
    """Select from Python, e.g. from a list beside the canvas. Shown from the next drawing on."""
    # Not in the component's own state: the browser keeps a copy of that and would send the old value back.
    this_tab().selections[key] = Selection(node, edge)
