"""Contradictions, stances and rulings by the real parsers, as a session has them."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.contradiction.claims import read
from memorybank.contradiction.differences import differences
from memorybank.contradiction.ruling import Heard, Hearing, Ruling, weigh
from memorybank.contradiction.votes import SourcePassage
from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Contradiction, Lang

PARSE = HashedNgrams().parse


def contradictions(left: str, right: str) -> tuple[Contradiction, ...]:
    found = differences(read(left, PARSE), read(right, PARSE))
    return tuple(difference.contradiction() for difference in found)


def stance(passage: str, contradiction: Contradiction) -> Heard:
    return Hearing(contradiction, PARSE).stance(passage)


def ruled(
    found: Contradiction | Sequence[Contradiction], sources: Sequence[SourcePassage], lang: Lang | None = None
) -> Ruling:
    return weigh(found, sources, PARSE, lang=lang)
