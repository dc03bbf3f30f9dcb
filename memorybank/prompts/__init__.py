"""Sentences the library itself writes into prompts, tasks and answers, in each language. One file a language.

They are strict: a missing key or a missing value raises at once, and a test renders every one of them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

from memorybank.memory.types import Lang


@cache
def _catalogue(lang: Lang) -> dict[str, str]:
    text = (files(__package__) / f"wording.{lang}.yaml").read_text("utf-8")
    loaded: dict[str, str] = yaml.safe_load(text)
    return loaded


def say(key: str, lang: Lang, /, **values: object) -> str:
    """The sentence `key` in a language, its `{places}` filled. Values are data: braces in them mean nothing."""
    return _catalogue(lang)[key].format_map(values)
