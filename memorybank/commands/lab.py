"""What measures the product (`memorybank/lab`) lies in its sources and is no part of what is installed from a wheel."""

from __future__ import annotations

from importlib.util import find_spec

from memorybank.errors import InputError


def need_lab() -> None:
    """Raises InputError, which says how to get the lab, where it was not installed."""
    if find_spec("memorybank.lab") is None:
        raise InputError("command.no_lab")
