"""Numbers of the settings, held to what makes sense of them."""

from __future__ import annotations

from memorybank.errors import InputError


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raises InputError, which names the setting and the range, for a number outside; both ends are inside."""
    if not low <= value <= high:  # nan is in no range
        raise InputError(f"{name} is {value}: give a number from {low:g} to {high:g}")
