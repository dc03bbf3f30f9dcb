"""What the agent says to the model between its turns, in each language."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

from memorybank.types import Lang


@cache
def catalogue(lang: Lang) -> dict[str, str]:
    text = (files(__package__) / f"words.{lang}.yaml").read_text("utf-8")
    loaded: dict[str, str] = yaml.safe_load(text)
    return loaded


def say(key: str, lang: Lang, /, **values: object) -> str:
    """The sentence `key`, its `{places}` filled. Strict: a missing key or value raises at once."""
    return catalogue(lang)[key].format_map(values)
