"""The app's words, in English and 中文. Strict: a key or a value that is missing is an error, never a blank on a page.

Values are put in as text: a brace inside a value means nothing. What is shown must still be shown as text by the page.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

import yaml

from memorybank.errors import LockedError, MemoryBankError, message_of
from memorybank.language.text import is_han
from memorybank.memory.types import Lang
from memorybank.settings.place import APP

CATALOGUES = APP / "assets" / "i18n"

LANGUAGES: Mapping[Lang, str] = {"en": "English", "zh": "中文"}
"""The languages, each by its own name, for the switch."""

_PREFERENCE_RE = re.compile(r"\s*([A-Za-z]{2,8})(?:[-_][A-Za-z0-9_-]*)?\s*(?:;\s*q\s*=\s*([0-9.]+))?\s*$")


def t(key: str, lang: Lang, /, **values: object) -> str:
    """Return the sentence `key` in `lang` with its values put in. With `count=1`, `key.one` is taken if there is one.

    Raises:
        KeyError: the catalogue has no such key, or the sentence needs a value that was not given.
    """
    sentences = catalogue(lang)
    name = f"{key}.one" if values.get("count") == 1 and f"{key}.one" in sentences else key
    if name not in sentences:
        raise KeyError(f"the {lang} catalogue has no sentence {name!r}")
    missing = placeholders(sentences[name]) - values.keys()
    if missing:
        raise KeyError(f"sentence {name!r} needs {', '.join(sorted(missing))}")
    return sentences[name].format_map(values)


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader in C where there is one: the first page waits for it, and Python's own takes ten times as long."""


@functools.cache
def catalogue(lang: Lang) -> Mapping[str, str]:
    """Return a language's sentences by key: its files, one an area of the app. Raises ValueError for a key in two."""
    all_sentences: dict[str, str] = {}
    for path in sorted((CATALOGUES / lang).glob("*.yaml")):
        sentences = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER) or {}  # noqa: S506 - a safe loader
        twice = all_sentences.keys() & sentences.keys()
        if twice:
            raise ValueError(f"{lang}/{path.name}: {', '.join(sorted(twice))} stands in another file too")
        all_sentences |= {str(key): str(sentence) for key, sentence in sentences.items()}
    return all_sentences


def sentences_under(prefix: str, lang: Lang) -> dict[str, str]:
    """Return the sentences whose keys begin with `prefix`, by the rest of their keys: what a script says itself."""
    return {key.removeprefix(prefix): words for key, words in catalogue(lang).items() if key.startswith(prefix)}


@functools.cache
def placeholders(sentence: str) -> frozenset[str]:
    """Return the names of the values that a sentence needs."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)


def preferred_lang(hint: str | None, default: Lang = "en") -> Lang:
    """Return the first of our languages in a browser's wish list (`zh-CN,zh;q=0.9,en;q=0.8`, or just `zh-CN`)."""
    wishes: list[tuple[float, int, Lang]] = []
    for place, part in enumerate((hint or "").split(",")):
        match = _PREFERENCE_RE.match(part)
        if match is None:
            continue
        try:
            weight = float(match[2] or 1)
        except ValueError:
            continue
        for lang in LANGUAGES:
            if match[1].lower() == lang and weight > 0:
                wishes.append((-weight, place, lang))
    return min(wishes)[2] if wishes else default


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    words: str
    detail: str = ""
    """The text from outside, where `words` only introduces it."""


def explain(error: BaseException, lang: Lang) -> Problem:
    """Say what happened and what to do about an error, in one line of the reader's language.

    What comes from outside (a tool's text, a system's error, an older journal) is shown as it is, under a line of ours.
    """
    if isinstance(error, LockedError):
        return Problem(words=t("error.locked", lang))
    message = message_of(error, lang)
    if lang == "en" or isinstance(error, OSError):
        return Problem(words=message)
    if not isinstance(error, MemoryBankError):
        return Problem(words=t("error.foreign", lang), detail=message)
    return Problem(words=message) if error.notice.is_ours else Problem(words=t("error.outside", lang), detail=message)


def as_sentence(words: str) -> str:
    """Return the words with a capital letter and a full stop; a name at its head stays as it is."""
    head = words.split(maxsplit=1)[0] if words.strip() else ""
    if head.isascii() and head.isalpha():
        words = words[:1].upper() + words[1:]
    if not words or words.endswith((".", "!", "?", "。", "！", "？", "…", ":", "：")):
        return words
    return words + ("。" if is_han(words) else ".")
