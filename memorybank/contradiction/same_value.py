"""Whether two claims state one value, however it is written."""

from __future__ import annotations

from functools import lru_cache

from memorybank.contradiction.describe import shown
from memorybank.contradiction.entity_names import same_name
from memorybank.language import dates, values
from memorybank.language.text import fold_space
from memorybank.memory.types import Claim


@lru_cache(maxsize=65_536)
def same_value(left: Claim, right: Claim) -> bool:
    """Whether two claims state one value: 2020-12 and 二〇二〇年十二月, “9 December 2024” and “December 2024”."""
    if left.polarity != right.polarity:
        return False
    first, second = fold_space(left.value).casefold(), fold_space(right.value).casefold()
    if first == second:
        return True
    moments = dates.scan(left.value), dates.scan(right.value)
    if all(len(each) == 1 for each in moments):
        return dates.relate(moments[0][0], moments[1][0]) != "different"
    if any(moments):
        return False
    sizes = values.scan(shown(left)), values.scan(shown(right))
    if all(len(each) == 1 for each in sizes):
        return values.relate(sizes[0][0], sizes[1][0]) == "equal"
    named = left.kind == right.kind and left.kind in ("name", "place") and not any(sizes)
    return named and same_name(left.value, right.value)
