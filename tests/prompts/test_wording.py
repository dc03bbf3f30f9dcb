"""The library's own sentences in both languages, excerpts that bear on a question, and names of disputes."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

from memorybank import prompts
from memorybank.contradiction.reading import read
from memorybank.embedding.hashed import HashedNgrams
from memorybank.language.text import cjk_share, detect_lang
from memorybank.memory.types import Claim, Lang
from memorybank.prompts import say
from memorybank.prompts.claim_words import alternatives, listed, matter, opened, quoted, shown
from memorybank.prompts.excerpts import excerpt
from tests.tables import tables

TABLES = tables(__file__)

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

HARBOUR = TABLES["harbour"]


@pytest.mark.parametrize(
    ("text", "question", "first", "answer"), TABLES["what_answers_stays_with_the_sentence_that_names_the_subject"]
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


# -- what is disputed is named in the words of its claims, whoever took them apart ------------------------------------


@pytest.mark.parametrize(
    ("subject", "attribute", "lang", "name"), TABLES["a_matter_is_named_in_the_words_of_its_claims"]
)
def test_a_matter_is_named_in_the_words_of_its_claims(subject: str, attribute: str, lang: Lang, name: str) -> None:
    assert matter(subject, attribute, [], lang) == name


def test_statements_that_deny_each_other_are_named_by_their_attribute_or_subject() -> None:
    said = "The telescope was not built for repairs."
    no = [Claim(text=said, kind="negation", subject="", attribute="", value=said, polarity=False)]
    parsed = [replace(claim, value="") for claim in no]
    assert matter("The telescope", "build", no) == "The telescope, build"
    assert matter("The telescope", "was not built for repairs", parsed) == "The telescope"


def test_values_stand_behind_each_other_and_a_line_opens_with_a_capital() -> None:
    assert alternatives(("1", "2", "3"), "en") == "1, 2 or 3"
    assert alternatives(("甲", "乙", "丙"), "zh") == "甲、乙，或丙"
    assert listed(("a", "b"), "", "en") == "a or b"
    assert listed(("甲", "乙"), "首都", "zh") == "首都：甲，或乙"
    assert listed((quoted("it “is”"), "b"), "a mill", "en") == "A mill: “it ‘is’” or b"
    assert [opened(words) for words in ("the mill", "iPhone", "pH of it", "n2")] == [
        "The mill",
        "iPhone",
        "pH of it",
        "n2",
    ]


@pytest.mark.parametrize(
    ("text", "value", "told"), TABLES["a_parsed_claim_is_told_as_its_clause_with_a_gap_for_the_value"]
)
def test_a_parsed_claim_is_told_as_its_clause_with_a_gap_for_the_value(text: str, value: str, told: str) -> None:
    stated = [statement.claim for statement in read(text, HashedNgrams().parse).statements]
    (claim,) = (each for each in stated if each.kind in ("date", "name", "number") and each.value not in each.subject)
    about = matter(claim.subject, claim.attribute, [claim])
    assert listed([claim.value, value], about, detect_lang(text)) == told


@pytest.mark.parametrize(
    ("value", "unit", "text", "words"), TABLES["a_value_is_shown_as_the_text_writes_it_with_its_unit_once"]
)
def test_a_value_is_shown_as_the_text_writes_it_with_its_unit_once(
    value: str, unit: str, text: str, words: str
) -> None:
    assert shown(Claim(text=text, kind="number", subject="", attribute="", value=value, unit=unit)) == words
