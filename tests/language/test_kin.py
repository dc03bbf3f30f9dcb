import pytest

from memorybank.contradiction import words_en, words_zh
from memorybank.language.kin import RELATIONS, kin_of_word, kin_words, own_people, pair_of_word
from memorybank.memory.types import Lang


@pytest.mark.parametrize(
    ("word", "lang", "relation"),
    [("姐姐", "zh", "sibling"), ("Apprentice", "en", "disciple"), ("岳父", "zh", "relative"), ("house", "en", "")],
)
def test_a_term_is_a_relation(word: str, lang: Lang, relation: str) -> None:
    assert kin_of_word(word, lang) == relation
    assert relation in (*RELATIONS, "")


def test_two_are_something_to_each_other() -> None:
    assert pair_of_word("father  and son", "en") == ("parent", "child")
    assert pair_of_word("夫妻", "zh") == ("spouse",)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_claims_know_every_term_of_stories(lang: Lang) -> None:
    known = words_en.KIN if lang == "en" else words_zh.KIN
    assert known == own_people(lang)
    assert {word for word in kin_words(lang) if " " not in word and len(word) > 1} <= known


def test_the_longest_term_is_met_first() -> None:
    lengths = list(map(len, kin_words("zh")))
    assert lengths == sorted(lengths, reverse=True)
