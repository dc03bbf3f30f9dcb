"""The module imports the code of one page after the other, for whoever loads it ahead of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

_CODE = (
    "memorybank.ui.session.run",
    "pyvis.network",  # the first picture of a graph would wait for it
    "memorybank.ui.graph_page.graph_page",
    "memorybank.ui.conflicts.conflict_page",
    "memorybank.ui.tree.tree",
    "memorybank.ui.prompt.prompt",
    "memorybank.ui.replay",
    "memorybank.ui.compare",
    "memorybank.ui.settings",
)


def page_code() -> Iterator[ModuleType]:
    return map(import_module, _CODE)
