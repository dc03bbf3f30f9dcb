from __future__ import annotations

import pytest

from memorybank.errors import InputError
from memorybank.settings.ranges import check_range


def test_both_ends_are_inside_and_all_else_is_refused() -> None:
    for value in (0, 0.5, 1.0):
        check_range("alpha", value, 0, 1)
    for value in (-0.1, 1.001, float("nan"), float("inf")):
        with pytest.raises(InputError, match=r"^alpha is \S+: give a number from 0 to 1$"):
            check_range("alpha", value, 0, 1)
