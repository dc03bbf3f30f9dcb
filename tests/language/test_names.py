"""Names as texts write them, whether two phrases name one thing, and where a quotation stands."""

from __future__ import annotations

import pytest

from memorybank.language.names import is_named_in, names_in, same_name
from memorybank.language.quotation import place
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("text", "names"), TABLES["names_are_found_without_their_owners_and_the_words_that_ask"])
def test_names_are_found_without_their_owners_and_the_words_that_ask(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == tuple(names)


@pytest.mark.parametrize(("left", "right", "same"), TABLES["same"])
def test_small_words_may_be_added_but_not_exchanged_and_names_not_even_added(left: str, right: str, same: bool) -> None:
    assert same_name(left, right) is same
    assert same_name(right, left) is same


@pytest.mark.parametrize(("text", "name", "named"), TABLES["another_thing_of_a_longer_name_is_not_named"])
def test_another_thing_of_a_longer_name_is_not_named(text: str, name: str, named: bool) -> None:
    assert is_named_in(text, [name]) is named


# -- a quotation is found word for word, but for what copying changes; a number is not found in a longer one -----------


IN_IT = [(TABLES["text"], *row) for row in TABLES["places_in_it"]]


@pytest.mark.parametrize(("raw", "quote", "stands"), [*IN_IT, *TABLES["places_in_others"]])
def test_a_quotation_stands_at_its_place_in_the_raw_text(raw: str, quote: str, stands: str | None) -> None:
    at = place(raw, quote)
    assert (at and raw[at[0] : at[1]]) == stands
