from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.keyphrases import MOST, background, keyphrases
from memorybank.engines.offline.salience import keys, mentions
from memorybank.language.parse import Parsed
from memorybank.language.text import sentences
from tests.tables import tables

TABLES = tables(__file__)

PARSE = HashedNgrams().parse


def phrases_of(text: str) -> tuple[str, ...]:
    parsed = PARSE([text[start:end].strip() for start, end in sentences(text)])
    return keyphrases(parsed, background([[sentence] for sentence in parsed]))


ENGLISH = TABLES["english"]
CHINESE = TABLES["chinese"]


def test_english_names_terms_and_quantities_stay_whole() -> None:
    found = phrases_of(ENGLISH)
    assert 3 <= len(found) <= MOST
    assert {"Maersk", "Hyundai Heavy Industries"} <= set(found)
    assert any("methanol" in phrase.lower() for phrase in found)
    assert all(phrase in ENGLISH for phrase in found)
    words = set(ENGLISH.replace(",", " ").replace(".", " ").split())
    assert all(set(phrase.replace(",", " ").split()) <= words for phrase in found), "no half word"


def test_chinese_names_and_noun_runs() -> None:
    found = phrases_of(CHINESE)
    assert 3 <= len(found) <= MOST
    assert {"海底隧道", "人工岛", "港珠澳大桥"} <= set(found)
    assert all(phrase in CHINESE for phrase in found)
    assert "孟凡超" in phrases_of("大桥的总设计师是孟凡超。")


def test_the_rest_of_the_text_tells_what_is_special() -> None:
    common = "The council met in the hall about the harbour."
    special = "The council met in the hall about the lighthouse."
    known = background([[sentence] for sentence in PARSE([*[common] * 20, special])])
    assert keyphrases(PARSE([special]), known)[0] == "lighthouse"


@pytest.mark.parametrize(("text", "expected"), TABLES["a_phrase_is_whole_and_a_date_or_a_verb_is_none"])
def test_a_phrase_is_whole_and_a_date_or_a_verb_is_none(text: str, expected: str) -> None:
    found = set(phrases_of(text))
    assert found <= set(expected.split("|"))
    assert len(found) >= 2


def test_without_parsers_names_and_long_words_are_keywords() -> None:
    sentence = Parsed("The harbour of Rotterdam has the largest port.", "en")
    assert "Rotterdam" in keyphrases([sentence], background([[sentence]]))


def test_texts_that_name_nothing() -> None:
    assert not any(map(phrases_of, ["", "   ", "...", "的", "a", "是的", "42"]))


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    found = phrases_of(text)
    assert len(found) <= MOST
    assert len(set(found)) == len(found)
    assert all(phrase.strip() == phrase != "" for phrase in found)


@pytest.mark.parametrize(("text", "expected"), TABLES["mentions"])
def test_mentions(text: str, expected: str) -> None:
    assert "|".join(f"{mention.kind} {text[mention.start : mention.end]}" for mention in mentions(text)) == expected


def test_mentions_are_compared_by_what_they_say() -> None:
    assert keys("1,121 in IBM's lab") == keys("１１２１ in the lab of ibm IBM") == {"1121", "ibm"}
    assert keys("2023 年 12 月 4 日") == keys("2023年12月4日")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_mentions_of_any_text_are_apart_and_in_order(text: str) -> None:
    found = mentions(text)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert all(text[mention.start : mention.end].strip() for mention in found)
