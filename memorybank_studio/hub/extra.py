"""What to say when a package of the extra `studio` is not installed."""

from __future__ import annotations

from memorybank.errors import InputError, Notice


def missing(name: str | None) -> InputError:
    """The error that names the extra."""
    return InputError("graph.not_installed", package=name or Notice("graph.a_package"))
