"""A real server, for the tests of what the reader sees (the browser is in conftest.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.serving import served


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Start Streamlit on a script; answers with its address."""
    with ExitStack() as started:
        yield lambda script: started.enter_context(served(script, tmp_path_factory.mktemp("server") / "log.txt", {}))
