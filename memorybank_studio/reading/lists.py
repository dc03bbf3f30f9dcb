"""Word lists: data in YAML beside the modules that use them, read when first asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import entries_of, load


def lists(name: str) -> dict[str, Any]:
    """What `name`.yaml of this package holds."""
    return load(__package__, name)


def words(listed: str | Iterable[str]) -> tuple[str, ...]:
    """A list is words parted by blanks, or YAML entries where one holds blanks. Longest first, so that it is met."""
    return tuple(sorted(entries_of(listed), key=lambda word: (-len(word), word)))


def any_of(listed: str | Iterable[str], lang: Lang) -> str:
    """A pattern for one of the words: anywhere in Chinese, whole words in English."""
    joined = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words(listed))
    return joined if lang == "zh" else rf"(?<![\w’'])(?:{joined})(?![\w])"
