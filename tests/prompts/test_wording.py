"""The library's own sentences, the same in both languages; and of long texts the sentences that bear on a question."""

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
from memorybank.prompts.excerpts import excerpt

PACKAGE = Path(__file__).parents[2] / "memorybank"
MADE = ("agent_", "evidence_", "status_", "integration_", "ruling_", "relation_", "force_")
"""Beginnings of keys that are put together where they are asked for."""


def _all(sentence: str) -> list[tuple[str, object]]:
    """The places of a sentence, each with a value: a number where it is written as one."""
    return [(name, 0.5 if form else "{x} <b>") for _, name, form, _ in Formatter().parse(sentence) if name]


def places(sentence: str) -> dict[str, object]:
    return dict(_all(sentence))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_sentence_is_rendered_with_its_values_as_they_are(lang: Lang) -> None:
    for key, sentence in prompts._catalogue(lang).items():
        rendered = say(key, lang, **places(sentence))
        assert rendered.strip() == rendered or key.endswith(("_context", "_between")), key
        assert rendered.count("{x} <b>") == sum(value == "{x} <b>" for _, value in _all(sentence)), key
        with pytest.raises(KeyError) if places(sentence) else nullcontext():
            say(key, lang)
    assert cjk_share(" ".join(prompts._catalogue(lang).values())) > 0.4 if lang == "zh" else True
    with pytest.raises(KeyError):
        say("no such sentence", lang)


def test_both_languages_say_the_same_and_nothing_is_left_over() -> None:
    english, chinese = prompts._catalogue("en"), prompts._catalogue("zh")
    assert list(english) == list(chinese)
    for key in english:
        assert places(english[key]).keys() == places(chinese[key]).keys(), key
        assert len(_all(english[key])) == len(_all(chinese[key])), key
    asked = {
        key for path in PACKAGE.rglob("*.py") for key in re.findall(r"[\"']([a-z_]+)[\"']", path.read_text("utf-8"))
    }
    unasked = [key for key in english if key not in asked and not key.startswith(MADE)]
    assert unasked == []


# -- Of a long text the sentences that bear on a question stay, word for word and in their order -----------------------

HARBOUR = (
    "The old harbour of Vellmouth was dug in 1790. Its quays were built of granite from the Toll quarry. "
    "Fishing boats used it until the railway came. The lighthouse on the mole is 31 metres tall. "
    "A fire destroyed the customs house in 1904. Today a market is held there on Saturdays."
)
PORT_ZH = (
    "维尔茅斯旧港开凿于1790年。码头用托尔采石场的花岗岩砌成。铁路通车以前渔船一直在此停靠。"
    "防波堤上的灯塔高31米。1904年一场大火烧毁了海关大楼。如今每逢周六这里有集市。"
)


@pytest.mark.parametrize(
    ("text", "question", "first", "answer"),
    [
        (HARBOUR, "How tall is the lighthouse?", "dug in 1790", "31 metres tall"),
        (HARBOUR, "When did the customs house burn?", "dug in 1790", "in 1904"),
        (PORT_ZH, "灯塔有多高？", "开凿于1790年", "高31米"),
        (PORT_ZH, "海关大楼是哪一年烧毁的？", "开凿于1790年", "1904年一场大火"),
    ],
)
def test_what_answers_stays_with_the_sentence_that_names_the_subject(
    text: str, question: str, first: str, answer: str
) -> None:
    short = excerpt(text, question, len(text) * 4 // 9, len)
    assert first in short.text
    assert answer in short.text
    assert len(short.text) < 0.6 * len(text)
    for part in short.text.split("…"):
        assert part.strip() in text, "word for word"
    assert 0 < short.left_out < 5


def test_a_text_that_fits_is_left_and_one_without_a_choice_is_cut_at_its_end() -> None:
    assert excerpt(HARBOUR, "anything", 10_000, len) == (HARBOUR, 0)
    single = excerpt("granite " * 200, "granite", 80, len)
    assert (len(single.text) <= 82, single.left_out) == (True, 1)
    unasked = excerpt(HARBOUR, "Quantum processors", 160, len)
    assert HARBOUR.startswith(unasked.text.removesuffix("…").rstrip()[:90])
    assert unasked.left_out > 0
