"""Contradictions and rulings by the real parsers, as a session has them."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.contradiction.differences import differences
from memorybank.contradiction.reading import read
from memorybank.contradiction.votes import SourcePassage
from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.ruling import Ruling, weigh
from memorybank.language.text import detect_lang
from memorybank.memory.types import Contradiction, Lang

PARSE = HashedNgrams().parse


def contradictions(left: str, right: str) -> tuple[Contradiction, ...]:
    return tuple(difference.contradiction() for difference in differences(read(left, PARSE), read(right, PARSE)))


def sources(left: str, right: str, *others: str) -> list[SourcePassage]:
    """The two parties' documents, then others by their numbers."""
    parties = [
        SourcePassage(source="left.md", text=left, party="left"),
        SourcePassage(source="right.md", text=right, party="right"),
    ]
    return parties + [SourcePassage(source=f"{at}.md", text=text) for at, text in enumerate(others)]


def ruled(
    pairs: Contradiction | Sequence[Contradiction], passages: Sequence[SourcePassage], lang: Lang | None = None
) -> Ruling:
    listed = [pairs] if isinstance(pairs, Contradiction) else pairs
    return weigh(listed, passages, PARSE, lang or detect_lang(listed[0].left.text if listed else ""))
