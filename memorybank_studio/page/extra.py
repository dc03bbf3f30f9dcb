"""Whether the extra `studio` is installed: without it the page says so, and the rest of the app is as it was."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

PACKAGES: Final = ("neo4j", "chromadb", "arcadedb_embedded", "redis", "docx")
"""What the extra brings, by the names they are imported under."""
COMMAND: Final = 'pip install "agentic-memory-bank[studio]"'


def missing() -> tuple[str, ...]:
    """Packages of the extra that are not installed."""
    return tuple(name for name in PACKAGES if find_spec(name) is None)
