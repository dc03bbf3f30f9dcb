"""An error in the reader's language: what happened and what to do, in one line.

The library's own errors have words in every language. What comes from outside (a tool's text, a system's error, a
journal of before) is shown as it is, under a line in the reader's language.
"""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.errors import LockedError, MemoryBankError, message_of
from memorybank.language.text import is_han
from memorybank.memory.types import Lang
from memorybank.views.i18n import t


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    words: str
    detail: str = ""
    """The text from outside, where `words` only introduces it."""


def explain(error: BaseException, lang: Lang) -> Problem:
    """What to show for an error."""
    if isinstance(error, LockedError):
        return Problem(words=t("error.locked", lang))
    message = message_of(error, lang)
    if lang == "en" or isinstance(error, OSError):
        return Problem(words=message)
    if not isinstance(error, MemoryBankError):
        return Problem(words=t("error.foreign", lang), detail=message)
    return Problem(words=message) if error.notice.is_ours else Problem(words=t("error.outside", lang), detail=message)


def as_sentence(words: str) -> str:
    """With a capital letter and a full stop; a name at its head stays as it is."""
    head = words.split(maxsplit=1)[0] if words.strip() else ""
    if head.isascii() and head.isalpha():
        words = words[:1].upper() + words[1:]
    if not words or words.endswith((".", "!", "?", "。", "！", "？", "…", ":", "：")):
        return words
    return words + ("。" if is_han(words) else ".")
