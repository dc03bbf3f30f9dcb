"""An error in the reader's language: what happened and what to do, in one line.

The library's own errors have words in every language. What comes from outside (a tool's text, a system's error, a
journal of before) is shown as it is, under a line in the reader's language.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from string import Formatter

from memorybank.errors import LockedError, MemoryBankError, catalogue, message_of
from memorybank.language.text import is_han
from memorybank.memory.types import Lang
from memorybank.views.i18n import t

LEAST = 12
"""Characters of its own by which a sentence is known again."""


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


@functools.lru_cache(maxsize=1024)
def recorded_words(message: str, lang: Lang) -> str:
    """An error that a journal keeps: the library's own, which is written there in English, in the reader's language."""
    if lang == "en":
        return message
    for sentence in _sentences():
        found = sentence.form.fullmatch(message)
        if found and sentence.code in catalogue(lang):
            values = {name: recorded_words(value, lang) for name, value in found.groupdict().items()}
            return catalogue(lang)[sentence.code].format_map(values)
    return message


@dataclass(frozen=True, slots=True)
class _Sentence:
    code: str
    form: re.Pattern[str]


@functools.cache
def _sentences() -> tuple[_Sentence, ...]:
    """The library's own, those that say most by themselves first; one that only joins values would fit anything."""
    found = dict[str, tuple[int, str]]()
    for code, words in catalogue("en").items():
        form, weight, named = "", 0, set[str]()
        for text, name, _, _ in Formatter().parse(words):
            form += re.escape(text)
            weight += len(text)
            if name is not None:
                form += f"(?P={name})" if name in named else f"(?P<{name}>.*?)"
                named.add(name)
        found[code] = (weight, form)
    heavy = sorted((item for item in found.items() if item[1][0] >= LEAST), key=lambda item: -item[1][0])
    return tuple(_Sentence(code, re.compile(form, re.DOTALL)) for code, (_, form) in heavy)


def as_sentence(words: str) -> str:
    """With a capital letter and a full stop; a name at its head stays as it is."""
    head = words.split(maxsplit=1)[0] if words.strip() else ""
    if head.isascii() and head.isalpha():
        words = words[:1].upper() + words[1:]
    if not words or words.endswith((".", "!", "?", "。", "！", "？", "…", ":", "：")):
        return words
    return words + ("。" if is_han(words) else ".")
