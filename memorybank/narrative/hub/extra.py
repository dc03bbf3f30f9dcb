"""What to say when a package of the extra `studio` is not installed."""

from __future__ import annotations

from memorybank.errors import InputError


def missing(name: str | None) -> InputError:
    """The error that names the extra."""
    return InputError(
        f'{name or "a package"} is not installed: pip install "agentic-memory-bank[studio]" to use the story graph'
    )
