"""What the pages import where they draw it: the code of one page after the other, for whoever loads it ahead."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType


def page_code() -> Iterator[ModuleType]:
    from memorybank.ui.panels import run

    yield run
    from memorybank.ui.panels import graph_page

    yield graph_page
    from memorybank.ui.panels import conflict_page

    yield conflict_page
    from memorybank.ui.panels import tree

    yield tree
    from memorybank.ui.panels import prompt

    yield prompt
    from memorybank.ui.panels import replay

    yield replay
    from memorybank.ui.panels import compare

    yield compare
    from memorybank.ui.panels import settings

    yield settings
