"""Numbers of the settings, held to what makes sense of them."""

from __future__ import annotations

from memorybank.errors import InputError


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise InputError, which names the setting and the range, for a number outside; both ends are inside."""
    if not low <= value <= high:  # nan is in no range
        raise InputError("settings.out_of_range", name=name, value=value, low=low, high=high)
