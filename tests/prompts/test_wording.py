"""The library's own sentences: the same ones in both languages, each of them asked for, each rendered."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path
from string import Formatter

import pytest

from memorybank import prompts
from memorybank.language.text import cjk_share
from memorybank.memory.types import Lang
from memorybank.prompts import say

PACKAGE = Path(__file__).parents[2] / "memorybank"
MADE = ("agent_", "evidence_", "status_", "integration_", "ruling_", "relation_", "force_")
"""Beginnings of keys that are put together where they are asked for."""


def places(sentence: str) -> dict[str, object]:
    """A value for each place of a sentence: a number where it is written as one."""
    return {name: 0.5 if form else "{x} <b>" for _, name, form, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_sentence_is_rendered_with_its_values_as_they_are(lang: Lang) -> None:
    for key, sentence in prompts._catalogue(lang).items():
        rendered = say(key, lang, **places(sentence))
        assert rendered.strip() == rendered or key.endswith(("_context", "_between")), key
        assert rendered.count("{x} <b>") == sum(value == "{x} <b>" for value in _all(sentence)), key
        with pytest.raises(KeyError) if places(sentence) else nullcontext():
            say(key, lang)
    assert cjk_share(" ".join(prompts._catalogue(lang).values())) > 0.4 if lang == "zh" else True
    with pytest.raises(KeyError):
        say("no such sentence", lang)


def _all(sentence: str) -> list[object]:
    return [0.5 if form else "{x} <b>" for _, name, form, _ in Formatter().parse(sentence) if name]


def test_both_languages_say_the_same_and_nothing_is_left_over() -> None:
    english, chinese = prompts._catalogue("en"), prompts._catalogue("zh")
    assert list(english) == list(chinese)
    for key in english:
        assert places(english[key]).keys() == places(chinese[key]).keys(), key
        assert len(_all(english[key])) == len(_all(chinese[key])), key
    asked = set()
    for path in PACKAGE.rglob("*.py"):
        asked |= set(re.findall(r"[\"']([a-z_]+)[\"']", path.read_text("utf-8")))
    unasked = [key for key in english if key not in asked and not key.startswith(MADE)]
    assert unasked == []
