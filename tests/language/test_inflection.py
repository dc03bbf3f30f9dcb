import pytest

from memorybank.contradiction.keys import key
from memorybank.language.inflection import (
    base_of,
    finite_of,
    form_of,
    gerund_of,
    is_plural,
    lemma_of,
    past_of,
    present_of,
)


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("built", "build"),
        ("carried", "carry"),
        ("opened", "open"),
        ("seized", "seize"),
        ("opening", "open"),
        ("opens", "open"),
    ],
)
def test_a_form_is_taken_back_to_its_base(word: str, base: str) -> None:
    assert lemma_of(word) == base
    assert base_of(word) == base


@pytest.mark.parametrize(
    ("word", "form"), [("built", "past"), ("build", "base"), ("builds", "s"), ("building", "ing"), ("red", "")]
)
def test_a_word_says_which_form_it_may_be(word: str, form: str) -> None:
    assert form_of(word) == form


def test_prose_reads_verbs_that_no_list_has() -> None:
    assert past_of("trudged") == "trudge"
    assert present_of("trudges") == "trudge"
    assert gerund_of("trudging") == "trudge"
    assert finite_of("hurries") == "hurry"


@pytest.mark.parametrize("word", ["nothing", "always", "sacred", "less", "king", "news"])
def test_what_only_looks_like_a_form_is_none(word: str) -> None:
    assert finite_of(word) is None
    assert gerund_of(word) is None


def test_a_plural_and_the_key_of_a_claim() -> None:
    assert is_plural("bridges")
    assert not is_plural("bus")
    assert key("founded") == key("established")
    assert key("bridges") == key("bridge")
