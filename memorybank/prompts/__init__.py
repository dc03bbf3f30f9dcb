"""Sentences the library itself writes into prompts, tasks and answers, in each language. One file a language.

They are strict: a missing key or a missing value raises at once, and a test renders every one of them.
"""

from __future__ import annotations

from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load


def _catalogue(lang: Lang) -> dict[str, str]:
    return load(__package__, f"wording.{lang}")


def say(key: str, lang: Lang, /, **values: object) -> str:
    """Return the sentence `key` in a language, its `{places}` filled. Values are data: braces in them mean nothing."""
    return _catalogue(lang)[key].format_map(values)
