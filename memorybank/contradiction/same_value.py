"""Whether two claims state one value, however it is written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from memorybank.language import dates, values
from memorybank.language.names import same_name
from memorybank.language.text import NEGATION_RE, fold_space
from memorybank.memory.types import Claim
from memorybank.prompts.claim_words import shown


@dataclass(frozen=True, slots=True)
class _Reading:
    """The value of a claim; of one that is no more than yes or no, what it says of its subject."""

    words: str
    denies: bool
    moments: tuple[dates.Date, ...]
    sizes: tuple[values.Quantity, ...]


@lru_cache(maxsize=16_384)
def _read(claim: Claim) -> _Reading:
    denies = NEGATION_RE.search(claim.value) is not None
    if not claim.value.strip():
        return _Reading(fold_space(claim.attribute or claim.text).casefold(), denies, (), ())
    words, sizes = fold_space(claim.value).casefold(), values.scan(shown(claim))
    measured = any(size.unit is not None and size.unit.dimension != "time" for size in sizes)
    return _Reading(words, denies, () if measured else dates.scan(claim.value), sizes)  # 1800 centimetres are no year


def same_value(left: Claim, right: Claim) -> bool:
    """Whether two claims state one value: 2020-12 and 二〇二〇年十二月, “9 December 2024” and “December 2024”."""
    if left.polarity != right.polarity:
        return False
    first, second = _read(left), _read(right)
    if first.denies != second.denies:
        return False
    if first.words == second.words:
        return True
    if len(first.moments) == len(second.moments) == 1:
        return dates.relate(first.moments[0], second.moments[0]) != "different"
    if first.moments or second.moments:
        return False
    if first.sizes and len(first.sizes) == len(second.sizes):
        return all(values.relate(*pair) == "equal" for pair in zip(first.sizes, second.sizes, strict=True))
    named = left.kind == right.kind and left.kind in ("name", "place") and not (first.sizes or second.sizes)
    return named and same_name(left.value, right.value)
