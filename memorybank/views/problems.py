"""An error in the reader's language: what happened and what to do, in one line.

The library speaks English. Its messages are translated by `assets/i18n/errors.<lang>.yaml`, English sentence to
sentence; one that is not in there is shown as it is, under a line that tells its kind.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

import yaml

from memorybank.errors import LockedError, message_of
from memorybank.language.han import is_han
from memorybank.memory.types import Lang
from memorybank.views.i18n import CATALOGUES, t

_QUOTED = frozenset({"reason", "server", "layer", "needed"})
"""Places whose values have sentences of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    words: str
    detail: str = ""
    """The library's own message, where `words` tells only its kind."""


def explain(error: BaseException, lang: Lang) -> Problem:
    """What to show for an error."""
    if isinstance(error, LockedError):
        return Problem(words=t("error.locked", lang))
    message = message_of(error)
    words = translate(message, lang)
    if words is not None:
        return Problem(words=words)
    kinds = _translations(lang)
    kind = next(one.__name__ for one in type(error).__mro__ if one.__name__ in kinds)
    return Problem(words=kinds[kind], detail=message)


def as_sentence(words: str) -> str:
    """With a capital letter and a full stop; a name at its head stays as it is."""
    head = words.split(maxsplit=1)[0] if words.strip() else ""
    if head.isascii() and head.isalpha():
        words = words[:1].upper() + words[1:]
    if not words or words.endswith((".", "!", "?", "。", "！", "？", "…", ":", "：")):
        return words
    return words + ("。" if is_han(words) else ".")


def translate(message: str, lang: Lang) -> str | None:
    """The message in `lang`; None when its sentence is not known. A message quoted within it is translated, too."""
    if lang == "en":
        return message
    for pattern, sentence in _patterns(lang):
        match = pattern.fullmatch(message)
        if match is not None:
            values = match.groupdict()
            for name in _QUOTED & values.keys():
                values[name] = translate(values[name], lang) or values[name]
            return sentence.format_map(values)
    return None


@functools.cache
def _translations(lang: Lang) -> Mapping[str, str]:
    """English sentences, and names of error classes, to sentences in `lang`."""
    loaded: dict[str, str] = yaml.safe_load((CATALOGUES / f"errors.{lang}.yaml").read_text("utf-8"))
    return loaded


@functools.cache
def _patterns(lang: Lang) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_pattern(english), sentence) for english, sentence in _translations(lang).items())


def _pattern(sentence: str) -> re.Pattern[str]:
    """What matches a sentence with any values in its places."""
    pieces = (
        re.escape(text) + (f"(?P<{name}>.+?)" if name is not None else "")
        for text, name, _, _ in Formatter().parse(sentence)
    )
    return re.compile("".join(pieces), re.DOTALL)
