"""The sentences the scheduler writes into prompts, tables and reasons, in each language. They are strict."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

from memorybank.memory.types import Lang


@cache
def _sentences(lang: Lang) -> dict[str, str]:
    loaded: dict[str, str] = yaml.safe_load((files(__package__) / f"wording.{lang}.yaml").read_text("utf-8"))
    return loaded


def say(key: str, lang: Lang, /, **values: object) -> str:
    """The sentence `key`, its `{places}` filled. Values are data: braces in them mean nothing."""
    return _sentences(lang)[key].format_map(values)
