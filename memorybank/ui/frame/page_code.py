"""The module imports the code of one page after the other, for whoever loads it ahead of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType


def page_code() -> Iterator[ModuleType]:
    from memorybank.ui.session import run

    yield run
    from memorybank.ui.graph_page import graph_page

    yield graph_page
    from memorybank.ui.conflicts import conflict_page

    yield conflict_page
    from memorybank.ui.tree import tree

    yield tree
    from memorybank.ui.prompt import prompt

    yield prompt
    from memorybank.ui.replay import replay

    yield replay
    from memorybank.ui.compare import compare

    yield compare
    from memorybank.ui.settings import settings

    yield settings
